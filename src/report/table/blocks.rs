//! The blocks below the table: findings by kind, fleet findings, what could not be judged, what was waived.

use crate::check::Severity;
use crate::report::model::{Report, Verdict, Waived};
use crate::report::style::{Style, Tone, severity_tone, verdict_tone};
use crate::report::table::findings::{Group, Kind, kinds};
use crate::report::{clean, fold, wrap};

/// Messages of one kind that are written out; further hosts are only named.
const MESSAGES: usize = 8;
/// Messages of one kind whose evidence is shown.
const EVIDENCED: usize = 2;
/// Lines of evidence per message.
const EVIDENCE: usize = 6;

/// All blocks, in reading order.
pub fn blocks(report: &Report, style: &Style) -> Vec<Vec<String>> {
    let (grave, light): (Vec<Kind>, Vec<Kind>) =
        kinds(report).into_iter().partition(|kind| kind.severity > Severity::Info);
    let mut blocks: Vec<Vec<String>> = Vec::new();
    let (critical, warning): (Vec<&Kind>, Vec<&Kind>) =
        grave.iter().partition(|kind| kind.severity == Severity::Critical);
    blocks.extend(critical.into_iter().map(|kind| finding(kind, style)));
    blocks.push(unverified(report, style));
    blocks.extend(warning.into_iter().map(|kind| finding(kind, style)));
    blocks.extend(fleet(report, style));
    blocks.push(quiet(report, &light, style));
    blocks.retain(|block| !block.is_empty());
    blocks
}

fn title(style: &Style, tone: Tone, head: &str, hosts: &[String]) -> Vec<String> {
    let head_plain = format!("{head} ");
    let names = wrap::names(hosts, style.width.saturating_sub(wrap::width(&head_plain) + 3).max(10));
    let indent = " ".repeat(4);
    names
        .iter()
        .enumerate()
        .map(|(i, line)| match i {
            0 => format!("{} on {}", style.paint(tone, head), style.paint(Tone::Strong, line)),
            _ => format!("{indent}{}", style.paint(Tone::Strong, line)),
        })
        .collect()
}

fn finding(kind: &Kind, style: &Style) -> Vec<String> {
    let head = format!("{} {}: {}", style.severity_symbol(kind.severity), kind.severity.word(), kind.check);
    let mut out = title(style, severity_tone(kind.severity), &head, &fold::fold_list(&kind.hosts()));
    let alone = kind.groups.len() == 1;
    for (i, group) in kind.groups.iter().take(MESSAGES).enumerate() {
        out.extend(message(group, alone, style));
        if i < EVIDENCED {
            out.extend(evidence(group, style));
        }
    }
    let rest: Vec<&str> =
        kind.groups.iter().skip(MESSAGES).flat_map(|group| group.hosts.iter().map(String::as_str)).collect();
    if !rest.is_empty() {
        let text = format!("and {} more, each with its own message: ", rest.len());
        out.push(format!("  {text}"));
        out.extend(
            wrap::names(&fold::fold_list(&rest), style.width.saturating_sub(4)).iter().map(|l| format!("    {l}")),
        );
    }
    for (hosts, fix) in &kind.fixes {
        let whom = if kind.fixes.len() > 1 { Some(fold::fold_list(hosts)) } else { None };
        out.extend(self::fix(fix, whom, style));
    }
    out.extend(labelled("more", vec![style.paint(Tone::Command, &format!("gpusweep explain {}", kind.check))], style));
    out
}

fn message(group: &Group, alone: bool, style: &Style) -> Vec<String> {
    if alone {
        return indent(2, wrap::lines(&group.message, style.width.saturating_sub(2)));
    }
    let mut out: Vec<String> = wrap::names(&fold::fold_list(&group.hosts), style.width.saturating_sub(2))
        .iter()
        .map(|line| format!("  {}", style.paint(Tone::Strong, line)))
        .collect();
    let text = wrap::lines(&group.message, style.width.saturating_sub(4));
    // A short name and a short message share a line.
    match (out.as_mut_slice(), text.as_slice()) {
        ([name], [one]) => {
            let plain = fold::fold(&group.hosts);
            if wrap::width(&plain) + wrap::width(one) + 4 <= style.width {
                *name = format!("{name}: {one}");
                return out;
            }
        }
        _ => {}
    }
    out.extend(indent(4, text));
    out
}

fn evidence(group: &Group, style: &Style) -> Vec<String> {
    let shown: Vec<_> = group.evidence.iter().take(EVIDENCE).collect();
    let widest = shown.iter().map(|line| wrap::width(&line.probe)).max().unwrap_or(0);
    let mut lines = Vec::new();
    for line in &shown {
        let probe = clean::line(&line.probe);
        let pad = " ".repeat(widest.saturating_sub(wrap::width(&probe)) + 2);
        let text = wrap::lines(&clean::line(&line.text), style.width.saturating_sub(LABEL + widest + 2));
        lines.extend(wrap::hang(&format!("{probe}{pad}"), text));
    }
    if group.evidence.len() > shown.len() {
        lines.push(format!("and {} more lines", group.evidence.len() - shown.len()));
    }
    labelled("evidence", lines, style)
}

fn fix(text: &str, whom: Option<Vec<String>>, style: &Style) -> Vec<String> {
    let room = style.width.saturating_sub(LABEL);
    let mut lines = Vec::new();
    if let Some(hosts) = whom {
        lines.extend(wrap::names(&hosts, room).iter().map(|line| style.paint(Tone::Strong, line)));
    }
    lines.extend(fix_lines(text, room, style));
    labelled("fix", lines, style)
}

/// A fix's prose wrapped, its commands kept so that they can be pasted. A command is a line that is indented.
pub fn fix_lines(text: &str, room: usize, style: &Style) -> Vec<String> {
    let mut out = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        if line.starts_with([' ', '\t']) {
            let command = wrap::command(line, room.saturating_sub(2));
            out.extend(command.iter().map(|part| format!("  {}", style.paint(Tone::Command, part))));
        } else {
            out.extend(wrap::lines(line, room));
        }
    }
    out
}

fn fleet(report: &Report, style: &Style) -> Vec<Vec<String>> {
    let open = report.fleet.findings.iter().filter(|finding| finding.waived.is_none());
    open.map(|finding| {
        let check = clean::line(&finding.check);
        let head = format!("~ {}, fleet: {check}", finding.severity.word());
        let tone = severity_tone(finding.severity);
        let mut out = if finding.hosts.is_empty() {
            vec![style.paint(tone, &head)]
        } else {
            let names: Vec<String> = finding.hosts.iter().map(|host| clean::line(host)).collect();
            title(style, tone, &head, &fold::fold_list(&names))
        };
        out.extend(indent(2, wrap::lines(&clean::line(&finding.message), style.width.saturating_sub(2))));
        out.extend(labelled("more", vec![style.paint(Tone::Command, &format!("gpusweep explain {check}"))], style));
        out
    })
    .collect()
}

/// Facts that could not be read, by what and why.
fn unverified(report: &Report, style: &Style) -> Vec<String> {
    let mut groups: Vec<(String, Vec<String>, Vec<String>)> = Vec::new();
    for host in report.hosts.iter().filter(|host| host.unverified_waived.is_none()) {
        for unread in &host.unverified {
            let what = match unread.what.as_str() {
                "host" => unread.reason.word().to_owned(),
                probe => format!("{}, probe {}", unread.reason.word(), clean::line(probe)),
            };
            let detail = clean::line(&unread.detail);
            let at = groups.iter().position(|group| group.0 == what).unwrap_or_else(|| {
                groups.push((what, Vec::new(), Vec::new()));
                groups.len() - 1
            });
            let Some((_, hosts, details)) = groups.get_mut(at) else { continue };
            hosts.push(clean::line(&host.host));
            if !details.contains(&detail) {
                details.push(detail);
            }
        }
    }
    if groups.is_empty() {
        return Vec::new();
    }
    groups.sort_by_key(|(_, hosts, _)| std::cmp::Reverse(hosts.len()));
    let tone = verdict_tone(Verdict::Unverified);
    let head = format!("{} unverified: not judged, and so not ok", style.symbol(Verdict::Unverified));
    let mut out: Vec<String> = wrap::lines(&head, style.width).iter().map(|line| style.paint(tone, line)).collect();
    for (what, hosts, details) in &groups {
        out.extend(title(style, Tone::Plain, &format!("  {what}"), &fold::fold_list(hosts)));
        let room = style.width.saturating_sub(4);
        out.extend(indent(4, details.iter().take(2).flat_map(|detail| wrap::lines(detail, room)).collect()));
        if details.len() > 2 {
            out.push(format!("    and {} more like it", details.len() - 2));
        }
    }
    out
}

/// Context that changes no verdict: info findings, waived ones, hosts with nothing to judge.
fn quiet(report: &Report, light: &[Kind], style: &Style) -> Vec<String> {
    let mut out = Vec::new();
    for kind in light {
        for group in kind.groups.iter().take(MESSAGES) {
            let text = format!("{} on {}: {}", kind.check, fold::fold(&group.hosts), group.message);
            out.extend(note(style, "i info", &text));
        }
        if kind.groups.len() > MESSAGES {
            let rest = kind.groups.len() - MESSAGES;
            out.extend(note(style, "i info", &format!("{}: {rest} more, each with its own message", kind.check)));
        }
    }
    let mut reasons: Vec<(String, Vec<String>)> = Vec::new();
    for host in report.hosts.iter().filter(|host| host.verdict == Verdict::NotApplicable) {
        let why = clean::line(host.not_applicable_because.as_deref().unwrap_or("nothing to judge"));
        match reasons.iter_mut().find(|(reason, _)| *reason == why) {
            Some((_, hosts)) => hosts.push(clean::line(&host.host)),
            None => reasons.push((why, vec![clean::line(&host.host)])),
        }
    }
    for (why, hosts) in &reasons {
        out.extend(note(style, "- not-applicable", &format!("{}: {why}", fold::fold(hosts))));
    }
    for (check, waived, hosts) in waivers(report) {
        let text = format!(
            "{check} on {} until {}: {}",
            fold::fold(&hosts),
            clean::line(&waived.until),
            clean::line(&waived.reason)
        );
        out.extend(note(style, "- waived", &text));
    }
    out
}

fn waivers(report: &Report) -> Vec<(String, Waived, Vec<String>)> {
    let mut all: Vec<(String, Waived, Vec<String>)> = Vec::new();
    let mut add = |check: &str, waived: &Waived, hosts: &[String]| {
        let hosts = hosts.iter().map(|host| clean::line(host));
        match all.iter_mut().find(|(id, other, _)| id == check && other == waived) {
            Some((_, _, list)) => list.extend(hosts),
            None => all.push((clean::line(check), waived.clone(), hosts.collect())),
        }
    };
    for host in &report.hosts {
        let name = std::slice::from_ref(&host.host);
        for finding in &host.findings {
            finding.waived.iter().for_each(|waived| add(&finding.check, waived, name));
        }
        host.unverified_waived.iter().for_each(|waived| add("unverified", waived, name));
    }
    for finding in &report.fleet.findings {
        finding.waived.iter().for_each(|waived| add(&finding.check, waived, &finding.hosts));
    }
    all
}

fn note(style: &Style, head: &str, text: &str) -> Vec<String> {
    let room = style.width.saturating_sub(2);
    let mut lines = wrap::lines(&format!("{head}: {text}"), room);
    if let Some(first) = lines.first_mut() {
        *first = first.replacen(head, &style.paint(Tone::Quiet, head), 1);
    }
    wrap::hang("", lines).into_iter().enumerate().map(|(i, l)| if i == 0 { l } else { format!("  {l}") }).collect()
}

/// Width of `  evidence  `.
const LABEL: usize = 12;

fn labelled(label: &str, lines: Vec<String>, style: &Style) -> Vec<String> {
    if lines.is_empty() {
        return lines;
    }
    let pad = " ".repeat(LABEL - 2 - label.len());
    lines
        .into_iter()
        .enumerate()
        .map(|(i, line)| match i {
            0 => format!("  {}{pad}{line}", style.paint(Tone::Quiet, label)),
            _ => format!("{}{line}", " ".repeat(LABEL)),
        })
        .collect()
}

fn indent(by: usize, lines: Vec<String>) -> Vec<String> {
    lines.into_iter().map(|line| format!("{}{line}", " ".repeat(by))).collect()
}
