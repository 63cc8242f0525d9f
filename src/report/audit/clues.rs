//! The four clues one by one: loaded, on disk, upgraded, booted; each with the text it rests on and where it was read.

use crate::report::model::{Evidence, Host};
use crate::report::style::{Style, Tone};
use crate::report::words::{ago, by, count, date};
use crate::report::{clean, wrap};

/// The probes whose evidence belongs to each clue.
const PROBES: [&[&str]; 4] =
    [&["module"], &["library"], &["apt-history", "dpkg-log", "updater-log"], &["boot", "clock"]];

/// The evidence that the clues show, so that findings need not repeat it.
pub fn shown(host: &Host) -> Vec<&Evidence> {
    PROBES.iter().flat_map(|probes| evidence(host, probes)).collect()
}

/// The block.
pub fn clues(host: &Host, style: &Style) -> Vec<String> {
    let facts = &host.facts;
    let loaded = match (&facts.loaded_version, &facts.module_flavor) {
        (Some(version), Some(flavor)) => format!("{} ({})", clean::line(version), clean::line(flavor)),
        (Some(version), None) => clean::line(version),
        (None, _) => missing(host, PROBES[0], "no NVIDIA module is loaded"),
    };
    let disk = match (&facts.library_version, &facts.library_source) {
        (Some(version), Some(source)) => format!("{} ({})", clean::line(version), clean::line(source)),
        (Some(version), None) => clean::line(version),
        (None, _) => missing(host, PROBES[1], "no NVIDIA library is installed"),
    };
    let upgraded = match &facts.last_driver_upgrade {
        Some(upgrade) => {
            let side = |version: &Option<String>| version.as_deref().map_or("?".to_owned(), clean::line);
            let mut text = format!(
                "{} on {} ({}), {} {} {}, {}",
                by(upgrade),
                date(upgrade.at),
                ago(style.now, upgrade.at),
                side(&upgrade.from),
                if style.unicode { "→" } else { "->" },
                side(&upgrade.to),
                count(upgrade.packages, "driver package", "driver packages"),
            );
            if let Some(command) = &upgrade.command {
                text.push_str(&format!("; command: {}", clean::line(command)));
            }
            text
        }
        None => missing(host, PROBES[2], "no driver upgrade is recorded"),
    };
    let booted = match facts.booted_at {
        Some(at) => format!("{} ({})", date(at), ago(style.now, at)),
        None => missing(host, PROBES[3], "unknown"),
    };
    let mut out = vec![style.paint(Tone::Strong, "Clues")];
    for ((label, text), probes) in
        [("loaded", loaded), ("on disk", disk), ("upgraded", upgraded), ("booted", booted)].iter().zip(PROBES)
    {
        out.extend(clue(label, text, &evidence(host, probes), style));
    }
    out
}

fn clue(label: &str, text: &str, evidence: &[&Evidence], style: &Style) -> Vec<String> {
    const INDENT: usize = 12;
    let room = style.width.saturating_sub(INDENT);
    let pad = " ".repeat(INDENT - 2 - label.len());
    let mut out = Vec::new();
    for (i, line) in wrap::lines(text, room).iter().enumerate() {
        match i {
            0 => out.push(format!("  {}{pad}{line}", style.paint(Tone::Strong, label))),
            _ => out.push(format!("{}{line}", " ".repeat(INDENT))),
        }
    }
    for line in evidence {
        let said = format!("{}: {}", clean::line(&line.probe), clean::short(&line.text, 600));
        out.extend(
            wrap::lines(&said, room)
                .iter()
                .map(|part| format!("{}{}", " ".repeat(INDENT), style.paint(Tone::Quiet, part))),
        );
    }
    out
}

fn evidence<'a>(host: &'a Host, probes: &[&str]) -> Vec<&'a Evidence> {
    let mut found: Vec<&Evidence> = Vec::new();
    for line in host.findings.iter().flat_map(|finding| &finding.evidence) {
        if probes.contains(&line.probe.as_str()) && !found.contains(&line) {
            found.push(line);
        }
    }
    found
}

/// What to say of a clue that is not there: that it could not be read, or else that it is absent.
fn missing(host: &Host, probes: &[&str], absent: &str) -> String {
    let unread = host.unverified.iter().chain(&host.unread).find(|unread| probes.contains(&unread.what.as_str()));
    match unread {
        Some(unread) => format!("not read ({})", unread.reason.word()),
        None => absent.to_owned(),
    }
}
