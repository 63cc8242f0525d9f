//! `markdown`: the report as a person pastes it into a ticket.

use std::fmt::Write;

use crate::check::Severity;
use crate::report::findings::{Kind, fleet_message, kinds};
use crate::report::model::{Host, Report, Verdict};
use crate::report::style::Style;
use crate::report::words::{self, count, date};
use crate::report::{clean, fold};

/// Messages per kind of finding that are written out.
const MESSAGES: usize = 20;

/// The document. Only the moment of `style` is used.
pub fn render(report: &Report, style: &Style) -> String {
    let mut out = String::new();
    head(report, &mut out);
    hosts(report, style, &mut out);
    for kind in kinds(&report.hosts) {
        finding(&kind, &mut out);
    }
    fleet(report, &mut out);
    unverified(report, &mut out);
    waived(report, &mut out);
    // Writing to a string cannot fail.
    let _ = writeln!(out, "\n---\ngpusweep {} read these hosts and changed nothing.", text(&report.tool.version));
    out
}

fn head(report: &Report, out: &mut String) {
    let (sweep, summary) = (&report.sweep, &report.summary);
    let _ = writeln!(out, "# NVIDIA driver sweep, {}\n", date(sweep.finished));
    let verdicts = [
        (summary.critical, Verdict::Critical),
        (summary.unverified, Verdict::Unverified),
        (summary.warning, Verdict::Warning),
        (summary.ok, Verdict::Ok),
        (summary.not_applicable, Verdict::NotApplicable),
    ];
    let parts: Vec<String> =
        verdicts.iter().filter(|(n, _)| *n > 0).map(|(n, verdict)| format!("**{n} {}**", verdict.word())).collect();
    let parts = if parts.is_empty() { "none".to_owned() } else { parts.join(", ") };
    let waived = count(summary.waived, "finding", "findings");
    let _ = writeln!(
        out,
        "{}: {parts}; {waived} waived. Playbook {}.",
        count(summary.hosts, "host", "hosts"),
        code(&sweep.playbook)
    );
    if !sweep.complete {
        out.push_str("\n**Incomplete:** the sweep ended early; hosts that did not finish are missing.\n");
    }
    if let Some(shard) = &sweep.shard {
        let _ = writeln!(out, "\nShard {}: the other shards' hosts are not in here.", code(shard));
    }
}

/// Hosts that need attention one by one, the others folded.
fn hosts(report: &Report, style: &Style, out: &mut String) {
    let mut troubled: Vec<&Host> = report.hosts.iter().filter(|host| host.verdict < Verdict::Ok).collect();
    troubled.sort_by_key(|host| host.verdict);
    if !troubled.is_empty() {
        out.push_str("\n| host | verdict | loaded | on disk | upgraded | booted | protection | next boot |\n|---|---|---|---|---|---|---|---|\n");
        for host in troubled {
            let _ = writeln!(out, "| {} |", row(host, style).join(" | "));
        }
    }
    for verdict in [Verdict::Ok, Verdict::NotApplicable] {
        let names: Vec<String> =
            report.hosts.iter().filter(|host| host.verdict == verdict).map(|host| clean::line(&host.host)).collect();
        if !names.is_empty() {
            let _ = writeln!(out, "\n{}: {}", verdict.word(), code(&fold::fold(&names)));
        }
    }
}

fn row(host: &Host, style: &Style) -> [String; 8] {
    let facts = &host.facts;
    let version = |version: &Option<String>| version.as_deref().map_or("–".to_owned(), code);
    let differs = matches!((&facts.loaded_version, &facts.library_version), (Some(a), Some(b)) if a != b);
    let with = |(word, more): (String, Option<String>)| match more {
        Some(more) => format!("{} ({})", text(&word), text(&more)),
        None => text(&word),
    };
    [
        code(&host.host),
        format!("**{}**", host.verdict.word()),
        version(&facts.loaded_version),
        format!("{}{}", if differs { "≠ " } else { "" }, version(&facts.library_version)),
        facts.last_driver_upgrade.as_ref().map_or("–".to_owned(), |upgrade| {
            format!("{} {}", text(&words::by(upgrade)), words::ago(style.now, upgrade.at))
        }),
        facts.booted_at.map_or("–".to_owned(), |at| words::ago(style.now, at)),
        with(words::protection(facts)),
        facts.next_boot.as_ref().map_or("–".to_owned(), |boot| {
            let (version, says) = words::next_boot(boot, differs);
            with((version, says.map(str::to_owned)))
        }),
    ]
}

fn finding(kind: &Kind, out: &mut String) {
    let names = kind.hosts();
    let _ = writeln!(out, "\n## {}: {} on {}\n", kind.severity.word(), text(&kind.check), code(&fold::fold(&names)));
    for group in kind.groups.iter().take(MESSAGES) {
        let _ = writeln!(out, "- {}: {}", code(&fold::fold(&group.hosts)), text(&group.message));
        if kind.severity > Severity::Info {
            for line in &group.evidence {
                let _ = writeln!(out, "  - {}: {}", text(&line.probe), code(&line.text));
            }
        }
    }
    let rest = kind.groups.len().saturating_sub(MESSAGES);
    if rest > 0 {
        let _ = writeln!(out, "- and {} more", count(rest, "message", "messages"));
    }
    for (hosts, fix) in &kind.fixes {
        let whom = if kind.fixes.len() > 1 { format!(" ({})", code(&fold::fold(hosts))) } else { String::new() };
        let _ = writeln!(out, "\nFix{whom}:\n\n{}", fenced(fix));
    }
}

fn fleet(report: &Report, out: &mut String) {
    let open: Vec<_> = report.fleet.findings.iter().filter(|finding| finding.waived.is_none()).collect();
    if open.is_empty() {
        return;
    }
    out.push_str("\n## Fleet\n\n");
    for finding in open {
        let names: Vec<String> = finding.hosts.iter().map(|host| clean::line(host)).collect();
        let on = if names.is_empty() { String::new() } else { format!(" on {}", code(&fold::fold(&names))) };
        let (severity, check) = (finding.severity.word(), text(&finding.check));
        let _ = writeln!(out, "- {severity}: {check}{on}: {}", text(&fleet_message(finding)));
    }
}

fn unverified(report: &Report, out: &mut String) {
    let lost = report.hosts.iter().filter(|host| host.unverified_waived.is_none());
    let facts: Vec<_> = lost.flat_map(|host| host.unverified.iter().map(move |unread| (host, unread))).collect();
    if facts.is_empty() {
        return;
    }
    out.push_str("\n## Not judged, and so not ok\n\n");
    for (host, unread) in facts {
        let (what, reason) = (text(&unread.what), unread.reason.word());
        let _ = writeln!(out, "- {}: {what}: {reason}: {}", code(&host.host), code(&unread.detail));
    }
}

fn waived(report: &Report, out: &mut String) {
    let mut lines = Vec::new();
    for host in &report.hosts {
        let of = host.findings.iter().filter_map(|finding| Some((finding.check.as_str(), finding.waived.as_ref()?)));
        for (check, waived) in of.chain(host.unverified_waived.iter().map(|waived| ("unverified", waived))) {
            let (until, reason) = (text(&waived.until), text(&waived.reason));
            lines.push(format!("- {} on {} until {until}: {reason}", text(check), code(&host.host)));
        }
    }
    for finding in &report.fleet.findings {
        if let Some(waived) = &finding.waived {
            lines.push(format!("- {} until {}: {}", text(&finding.check), text(&waived.until), text(&waived.reason)));
        }
    }
    if !lines.is_empty() {
        let _ = writeln!(out, "\n## Waived\n\n{}", lines.join("\n"));
    }
}

/// Prose in which nothing is markup, a mention or a reference.
fn text(text: &str) -> String {
    let mut out = String::new();
    for c in clean::line(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '@' => out.push_str("&#64;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' | '!' | '>' | '$' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

/// Code on a line; its fence is longer than any run of backticks inside, and a bar stays inside its table cell.
fn code(text: &str) -> String {
    let text = clean::line(text).trim().replace('|', "¦");
    if text.is_empty() {
        return "–".to_owned();
    }
    let fence = "`".repeat(longest_run(&text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Several lines of code.
fn fenced(text: &str) -> String {
    let text = clean::block(text);
    let fence = "`".repeat((longest_run(&text) + 1).max(3));
    format!("{fence}text\n{}\n{fence}", text.trim_end())
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    #[test]
    fn the_fixed_fleet() {
        let style = Style { width: 80, color: false, unicode: true, unread: false, now: fixture::now() };
        insta::assert_snapshot!("markdown", render(&fixture::fleet(), &style));
    }

    #[test]
    fn host_text_is_never_markup() {
        assert_eq!(text("<b>@ops #1 [x](y) a_b|c"), "&lt;b>&#64;ops \\#1 \\[x\\](y) a\\_b\\|c".replace("b>", "b\\>"));
        assert_eq!(code("a`b|c"), "``a`b¦c``");
        assert_eq!(code("`x`"), "`` `x` ``");
        assert_eq!(fenced("a\n```\n</details>\n"), "````text\na\n```\n</details>\n````");
    }
}
