//! What keeps automatic upgrades off the driver, package by package, and what the next boot will load.

use std::collections::BTreeMap;

use crate::report::block;
use crate::report::model::Host;
use crate::report::style::{Style, Tone};
use crate::report::words;
use crate::report::{clean, wrap};

/// More patterns of a blacklist are counted, not shown.
const MOST_PATTERNS: usize = 40;

/// The block.
pub fn guard(host: &Host, style: &Style) -> Vec<String> {
    let facts = &host.facts;
    let (word, more) = words::protection(facts);
    let tone = match facts.protection.as_str() {
        "full" | "not-needed" => Tone::Good,
        "none" | "partial" => Tone::Warning,
        _ => Tone::Unverified,
    };
    let word = if word == "-" { "unknown".to_owned() } else { word };
    let more = more.map_or(String::new(), |more| format!(" ({more})"));
    let mut lines = vec![format!(
        "{}{more}; automatic upgrades: {}",
        style.paint(tone, &word),
        if facts.auto_upgrade.is_empty() { "unknown".to_owned() } else { clean::line(&facts.auto_upgrade) },
    )];
    let room = style.width.saturating_sub(block::LABEL);
    let mut states: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for package in &facts.driver_packages {
        let Some(protection) = &package.protection else { continue };
        let by = protection.by.iter().map(|by| clean::line(by)).collect::<Vec<_>>().join(", ");
        states.entry((clean::line(&protection.state), by)).or_default().push(clean::line(&package.name));
    }
    for ((state, by), packages) in &states {
        let by = if by.is_empty() { String::new() } else { format!(" by {by}") };
        lines.extend(wrap::lines(&format!("{} {state}{by}: {}", packages.len(), packages.join(" ")), room));
    }
    let shown = facts.blacklist.iter().take(MOST_PATTERNS);
    let mut patterns: Vec<String> = shown.map(|pattern| format!("`{}`", clean::short(pattern, 120))).collect();
    if facts.blacklist.len() > MOST_PATTERNS {
        patterns.push(format!("and {} more", facts.blacklist.len() - MOST_PATTERNS));
    }
    if !patterns.is_empty() {
        lines.extend(wrap::lines(&format!("blacklist: {}", patterns.join(" ")), room));
    }
    let mut out = vec![style.paint(Tone::Strong, "What comes next")];
    out.extend(block::labelled("upgrades", lines, style));
    out.extend(block::labelled("reboot", wrap::lines(&next_boot(host), room), style));
    out
}

fn next_boot(host: &Host) -> String {
    let facts = &host.facts;
    let Some(boot) = &facts.next_boot else { return "unknown".to_owned() };
    let kernel = match (&boot.kernel, boot.certain) {
        (Some(kernel), true) => format!("kernel {}", clean::line(kernel)),
        (Some(kernel), false) => format!("probably kernel {}", clean::line(kernel)),
        (None, _) => "the next kernel is not on this machine".to_owned(),
    };
    let module = match (&boot.module_version, boot.source.as_str()) {
        (Some(version), source) => format!("loads module {} ({})", clean::line(version), clean::line(source)),
        (None, "none") => "has no NVIDIA module".to_owned(),
        (None, _) => "the module it loads is unknown".to_owned(),
    };
    let glue =
        if boot.kernel.is_some() && (boot.module_version.is_some() || boot.source == "none") { " " } else { "; " };
    let differs = matches!((&facts.loaded_version, &facts.library_version), (Some(a), Some(b)) if a != b);
    let (agree, sure) = (boot.agrees, boot.certain);
    let says = match (differs, agree, sure) {
        (true, Some(true), true) => ": a reboot cures the mismatch",
        (true, Some(true), false) => ": a reboot may cure the mismatch",
        (true, Some(false), _) => ": a reboot does not cure the mismatch",
        (false, Some(false), _) => ": a reboot breaks the driver",
        (false, Some(true), _) => ": module and library will agree",
        (_, None, _) => "",
    };
    format!("{kernel}{glue}{module}{says}")
}
