//! The blocks below the table: findings by kind, fleet findings, what could not be judged, what was waived.

use crate::check::Severity;
use crate::report::block::{MESSAGES, finding, indent, more, note, title};
use crate::report::findings::{Kind, kinds};
use crate::report::model::{Report, Verdict, Waived};
use crate::report::style::{Style, Tone, severity_tone, verdict_tone};
use crate::report::{clean, fold, wrap};

/// All blocks, in reading order.
pub fn blocks(report: &Report, style: &Style) -> Vec<Vec<String>> {
    let (grave, light): (Vec<Kind>, Vec<Kind>) =
        kinds(&report.hosts).into_iter().partition(|kind| kind.severity > Severity::Info);
    let mut blocks: Vec<Vec<String>> = Vec::new();
    let (critical, warning): (Vec<&Kind>, Vec<&Kind>) =
        grave.iter().partition(|kind| kind.severity == Severity::Critical);
    blocks.extend(critical.into_iter().map(|kind| finding(kind, true, style)));
    blocks.push(unverified(report, style));
    blocks.extend(warning.into_iter().map(|kind| finding(kind, true, style)));
    blocks.extend(fleet(report, style));
    blocks.push(quiet(report, &light, style));
    blocks.retain(|block| !block.is_empty());
    blocks
}

fn fleet(report: &Report, style: &Style) -> Vec<Vec<String>> {
    let open = report.fleet.findings.iter().filter(|finding| finding.waived.is_none());
    open.filter(|finding| finding.severity > Severity::Info)
        .map(|finding| {
            let check = clean::line(&finding.check);
            let head = format!("~ {}, fleet: {check}", finding.severity.word());
            let tone = severity_tone(finding.severity);
            let mut out = if finding.hosts.is_empty() {
                vec![style.paint(tone, &head)]
            } else {
                let names: Vec<String> = finding.hosts.iter().map(|host| clean::line(host)).collect();
                title(style, tone, &head, &names.iter().map(String::as_str).collect::<Vec<_>>())
            };
            out.extend(indent(2, wrap::lines(&clean::line(&finding.message), style.width.saturating_sub(2))));
            out.extend(more(&check, style));
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
        let names: Vec<&str> = hosts.iter().map(String::as_str).collect();
        out.extend(title(style, Tone::Plain, &format!("  {what}"), &names));
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
    for finding in report.fleet.findings.iter().filter(|f| f.waived.is_none() && f.severity == Severity::Info) {
        let hosts: Vec<String> = finding.hosts.iter().map(|host| clean::line(host)).collect();
        let on = if hosts.is_empty() { String::new() } else { format!(" on {}", fold::fold(&hosts)) };
        let text = format!("{}, fleet{on}: {}", clean::line(&finding.check), clean::line(&finding.message));
        out.extend(note(style, "i info", &text));
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
