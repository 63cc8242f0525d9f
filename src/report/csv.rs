//! `csv`: one row per host for a spreadsheet, as RFC 4180 writes it.
//!
//! A cell that a spreadsheet would take for a formula is given a leading apostrophe: host text is not to be trusted.

use jiff::Timestamp;

use crate::report::clean;
use crate::report::model::{Finding, Host, Report};

/// The columns; only ever added to, at the end.
const COLUMNS: [&str; 28] = [
    "host",
    "address",
    "groups",
    "verdict",
    "findings",
    "waived",
    "unverified",
    "loaded_version",
    "module_flavor",
    "library_version",
    "library_source",
    "kernel",
    "booted_at",
    "upgraded_at",
    "upgraded_by",
    "upgraded_from",
    "upgraded_to",
    "upgraded_packages",
    "auto_upgrade",
    "protection",
    "protected_by",
    "uncovered",
    "next_kernel",
    "next_module_version",
    "next_boot_agrees",
    "nvidia_smi",
    "os",
    "total_ms",
];

/// Heading and rows, each ended by CR LF. Lists inside a cell are separated by blanks.
pub fn render(report: &Report) -> String {
    let mut out = COLUMNS.join(",") + "\r\n";
    for host in &report.hosts {
        let cells: Vec<String> = row(host).iter().map(|text| cell(text)).collect();
        out.push_str(&cells.join(","));
        out.push_str("\r\n");
    }
    out
}

fn row(host: &Host) -> [String; 28] {
    let facts = &host.facts;
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let time = |value: Option<Timestamp>| value.map(|at| at.to_string()).unwrap_or_default();
    let upgrade = facts.last_driver_upgrade.as_ref();
    let boot = facts.next_boot.as_ref();
    let ids = |waived: bool| {
        let of = host.findings.iter().filter(|finding: &&Finding| finding.waived.is_some() == waived);
        of.map(|finding| finding.check.clone()).collect::<Vec<_>>().join(" ")
    };
    let unverified = host.unverified.iter().map(|unread| format!("{}:{}", unread.what, unread.reason.word()));
    [
        host.host.clone(),
        host.address.clone(),
        host.groups.join(" "),
        host.verdict.word().to_owned(),
        ids(false),
        ids(true),
        unverified.collect::<Vec<_>>().join(" "),
        text(&facts.loaded_version),
        text(&facts.module_flavor),
        text(&facts.library_version),
        text(&facts.library_source),
        text(&facts.kernel),
        time(facts.booted_at),
        time(upgrade.map(|upgrade| upgrade.at)),
        upgrade.map(|upgrade| upgrade.by.clone()).unwrap_or_default(),
        upgrade.and_then(|upgrade| upgrade.from.clone()).unwrap_or_default(),
        upgrade.and_then(|upgrade| upgrade.to.clone()).unwrap_or_default(),
        upgrade.map(|upgrade| upgrade.packages.to_string()).unwrap_or_default(),
        facts.auto_upgrade.clone(),
        facts.protection.clone(),
        facts.protected_by.join(" "),
        facts.uncovered.join(" "),
        boot.and_then(|boot| boot.kernel.clone()).unwrap_or_default(),
        boot.and_then(|boot| boot.module_version.clone()).unwrap_or_default(),
        boot.and_then(|boot| boot.agrees).map(|agrees| agrees.to_string()).unwrap_or_default(),
        facts.nvidia_smi.as_ref().map(|smi| smi.state.clone()).unwrap_or_default(),
        text(&facts.os),
        host.timing.total_ms.to_string(),
    ]
}

fn cell(text: &str) -> String {
    let text = clean::line(text);
    let text = if text.trim_start().starts_with(['=', '+', '-', '@', '\'']) { format!("'{text}") } else { text };
    if text.contains(['"', ',', ';', '\'']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    #[test]
    fn the_fixed_fleet() {
        insta::assert_snapshot!("csv", render(&fixture::fleet()).replace("\r\n", "␍\n"));
    }

    #[test]
    fn formulas_are_defused_and_quotes_doubled() {
        assert_eq!(cell("=HYPERLINK(\"x\")"), "\"'=HYPERLINK(\"\"x\"\")\"");
        assert_eq!(cell(" @x"), "\"' @x\"");
        assert_eq!(cell("a,b"), "\"a,b\"");
        assert_eq!(cell("\u{1b}[1m-1\n2"), "\"'-1 2\"");
        assert_eq!(cell("535.230.02"), "535.230.02");
    }
}
