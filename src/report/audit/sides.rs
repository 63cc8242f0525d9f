//! The two versions side by side, and the sentence that joins the clues.

use jiff::Timestamp;

use crate::report::model::{DriverUpgrade, Host};
use crate::report::style::{Style, Tone};
use crate::report::words::{ago, by, count};
use crate::report::{clean, wrap};

/// The sentence and the two columns.
pub fn sides(host: &Host, style: &Style) -> Vec<String> {
    let mut out: Vec<String> = wrap::lines(&sentence(host, style.now), style.width);
    out.push(String::new());
    out.extend(columns(host, style));
    out
}

fn columns(host: &Host, style: &Style) -> Vec<String> {
    let facts = &host.facts;
    let side = |version: &Option<String>, none: &str| version.as_deref().map_or(none.to_owned(), clean::line);
    let loaded = side(&facts.loaded_version, unknown(host, "module", "none"));
    let library = side(&facts.library_version, unknown(host, "library", "none"));
    let differ = matches!((&facts.loaded_version, &facts.library_version), (Some(a), Some(b)) if a != b);
    let same = facts.loaded_version.is_some() && facts.loaded_version == facts.library_version;
    let flavor = facts.module_flavor.as_deref().map_or(String::new(), |word| format!("{} module", clean::line(word)));
    let source =
        facts.library_source.as_deref().map_or(String::new(), |word| format!("read from the {}", clean::line(word)));
    let sign = match (differ, same) {
        (true, _) => style.differs(),
        (_, true) => "=",
        _ => "?",
    };
    let wide = [&loaded, &flavor].into_iter().map(|text| wrap::width(text)).max().unwrap_or(0).max("IN MEMORY".len());
    let pad = |text: &str| " ".repeat(wide.saturating_sub(wrap::width(text)));
    let tone = if differ {
        Tone::Critical
    } else if same {
        Tone::Good
    } else {
        Tone::Unverified
    };
    let middle = format!("  {sign}  ");
    let blank = " ".repeat(wrap::width(&middle));
    vec![
        format!(
            "  {}{}{blank}{}",
            style.paint(Tone::Strong, "IN MEMORY"),
            pad("IN MEMORY"),
            style.paint(Tone::Strong, "ON DISK")
        ),
        format!(
            "  {}{}{}{}",
            style.paint(tone, &loaded),
            pad(&loaded),
            style.paint(tone, &middle),
            style.paint(tone, &library)
        ),
        format!("  {}{}{blank}{}", style.paint(Tone::Quiet, &flavor), pad(&flavor), style.paint(Tone::Quiet, &source)),
    ]
}

fn unknown(host: &Host, probe: &str, absent: &'static str) -> &'static str {
    if host.unverified.iter().chain(&host.unread).any(|unread| unread.what == probe) { "not read" } else { absent }
}

/// What the four clues say together.
fn sentence(host: &Host, now: Timestamp) -> String {
    let facts = &host.facts;
    let story = facts.last_driver_upgrade.as_ref().map(|upgrade| story(upgrade, facts.booted_at, now));
    match (&facts.loaded_version, &facts.library_version) {
        (Some(loaded), Some(library)) if loaded != library => {
            let what = format!(
                "The module in memory is {}, the library on disk is {}",
                clean::line(loaded),
                clean::line(library)
            );
            match story {
                Some(story) => format!("{what}: {story}."),
                None => format!("{what}; no upgrade that explains it is recorded."),
            }
        }
        (Some(version), Some(_)) => {
            let what = format!("Module and library are both {}", clean::line(version));
            story.map_or_else(|| format!("{what}."), |story| format!("{what}: {story}."))
        }
        (None, Some(library)) => {
            let state = match unknown(host, "module", "") {
                "" => "is not loaded",
                _ => "could not be read",
            };
            format!("The library on disk is {}, the module {state}.", clean::line(library))
        }
        (Some(loaded), None) => {
            let state = match unknown(host, "library", "") {
                "" => "is not there",
                _ => "could not be read",
            };
            format!("The module in memory is {}, the library on disk {state}.", clean::line(loaded))
        }
        (None, None) => "Neither a module in memory nor a library on disk was seen.".to_owned(),
    }
}

fn story(upgrade: &DriverUpgrade, booted: Option<Timestamp>, now: Timestamp) -> String {
    let packages = count(upgrade.packages, "driver package", "driver packages");
    let who = match upgrade.by.as_str() {
        "manual" => "somebody".to_owned(),
        "unknown" => "something".to_owned(),
        "other" => "another tool".to_owned(),
        _ => by(upgrade),
    };
    let order = match booted {
        Some(boot) if upgrade.at >= boot => format!(", after the boot {}", ago(now, boot)),
        Some(boot) => format!(", before the boot {}", ago(now, boot)),
        None => String::new(),
    };
    format!("{who} upgraded {packages} {}{order}", ago(now, upgrade.at))
}
