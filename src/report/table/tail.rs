//! The end of the table: whether the sweep was whole, what to type next, and the line that counts everything.

use crate::check::Severity;
use crate::report::model::{Report, Verdict};
use crate::report::style::{Style, Tone, verdict_tone};
use crate::report::words::count;
use crate::report::{clean, wrap};

/// The last lines.
pub fn tail(report: &Report, style: &Style) -> Vec<String> {
    let mut out = Vec::new();
    let mut say = |tone: Tone, text: &str| {
        out.extend(wrap::lines(text, style.width).iter().map(|line| style.paint(tone, line)));
    };
    if !report.sweep.complete {
        say(Tone::Critical, "incomplete: the sweep ended early; hosts that did not finish are not judged above");
    }
    if let Some(shard) = &report.sweep.shard {
        say(
            Tone::Warning,
            &format!("shard {}: the other shards' hosts are not in here, so drift is not judged", clean::line(shard)),
        );
    }
    if let Some(host) = report.hosts.iter().min_by_key(|host| host.verdict).filter(|host| host.verdict < Verdict::Ok) {
        // A name of the inventory means something only together with it; a source with a blank is no file.
        let sources = &report.sweep.inventory;
        let from: String = sources.iter().map(|source| format!("-i {} ", clean::line(source))).collect();
        if !sources.iter().any(|source| source.contains(char::is_whitespace)) {
            let name = clean::line(&host.host);
            say(Tone::Quiet, &format!("next: `gpusweep audit {from}{name}` lays out one host's clues"));
        }
    }
    out.extend(counts(report, style));
    out
}

fn counts(report: &Report, style: &Style) -> Vec<String> {
    let summary = &report.summary;
    let verdicts = [
        (Verdict::Critical, summary.critical),
        (Verdict::Unverified, summary.unverified),
        (Verdict::Warning, summary.warning),
        (Verdict::Ok, summary.ok),
        (Verdict::NotApplicable, summary.not_applicable),
    ];
    let mut parts: Vec<(Tone, String)> = vec![(Tone::Strong, count(summary.hosts, "host", "hosts"))];
    let spent = report.sweep.finished.as_millisecond() - report.sweep.started.as_millisecond();
    parts.push((Tone::Plain, format!("in {:.1} s:", spent.max(0) as f64 / 1000.0)));
    let present: Vec<_> = verdicts.into_iter().filter(|(_, n)| *n > 0).collect();
    for (i, (verdict, n)) in present.iter().enumerate() {
        let end = if i + 1 == present.len() { ";" } else { "," };
        parts.push((verdict_tone(*verdict), format!("{n} {}{end}", verdict.word())));
    }
    let open = |severity: Severity| {
        let hosts = report.hosts.iter().flat_map(|host| &host.findings).filter(|f| f.waived.is_none());
        let fleet = report.fleet.findings.iter().filter(|f| f.waived.is_none());
        hosts.map(|f| f.severity).chain(fleet.map(|f| f.severity)).filter(|s| *s == severity).count()
    };
    let grave = open(Severity::Critical) + open(Severity::Warning);
    parts.push((Tone::Plain, format!("{},", count(grave, "finding", "findings"))));
    parts.push((Tone::Plain, format!("{} info,", open(Severity::Info))));
    parts.push((Tone::Plain, format!("{} waived,", summary.waived)));
    let unread: usize = report.hosts.iter().map(|host| host.unread.len()).sum();
    parts.push((Tone::Plain, format!("{} unread", count(unread, "fact", "facts"))));
    flow(&parts, style)
}

/// Pieces set one after another, broken between pieces.
fn flow(parts: &[(Tone, String)], style: &Style) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut used = 0;
    for (tone, text) in parts {
        let wide = wrap::width(text);
        if used > 0 && used + 1 + wide > style.width {
            out.push(String::new());
            used = 0;
        }
        let Some(line) = out.last_mut() else { continue };
        if used > 0 {
            line.push(' ');
            used += 1;
        }
        line.push_str(&style.paint(*tone, text));
        used += wide;
    }
    out
}
