//! The blocks below the table: findings by kind, fleet findings, what could not be judged, what was waived.

use crate::check::Severity;
use crate::report::block::{MESSAGES, finding, indent, note, title};
use crate::report::findings::{Kind, fleet_kinds, kinds};
use crate::report::model::{Host, Report, Unread, Verdict, Waived};
use crate::report::style::{Style, Tone, verdict_tone};
use crate::report::{clean, fold, wrap};

/// All blocks, in reading order.
pub fn blocks(report: &Report, style: &Style) -> Vec<Vec<String>> {
    let (grave, mut light): (Vec<Kind>, Vec<Kind>) =
        kinds(&report.hosts).into_iter().partition(|kind| kind.severity > Severity::Info);
    let mut blocks: Vec<Vec<String>> = Vec::new();
    let (critical, warning): (Vec<&Kind>, Vec<&Kind>) =
        grave.iter().partition(|kind| kind.severity == Severity::Critical);
    blocks.extend(critical.into_iter().map(|kind| finding(kind, true, style)));
    blocks.push(unverified(report, style));
    blocks.extend(warning.into_iter().map(|kind| finding(kind, true, style)));
    let (grave, light_fleet): (Vec<Kind>, Vec<Kind>) =
        fleet_kinds(&report.fleet.findings).into_iter().partition(|kind| kind.severity > Severity::Info);
    blocks.extend(grave.iter().map(|kind| finding(kind, true, style)));
    light.extend(light_fleet);
    blocks.push(quiet(report, &light, style));
    blocks.push(unread(report, style));
    blocks.retain(|block| !block.is_empty());
    blocks
}

/// Load-bearing facts that could not be read.
fn unverified(report: &Report, style: &Style) -> Vec<String> {
    let hosts = report.hosts.iter().filter(|host| host.unverified_waived.is_none());
    let tone = verdict_tone(Verdict::Unverified);
    let head = format!("{} unverified: not judged, and so not ok", style.symbol(Verdict::Unverified));
    lost(hosts.map(|host| (host, host.unverified.as_slice())), tone, &head, style)
}

/// The other facts that could not be read, when they were asked for.
fn unread(report: &Report, style: &Style) -> Vec<String> {
    let hosts = report.hosts.iter().filter(|_| style.unread);
    let head = "- not read, and no verdict needs it";
    lost(hosts.map(|host| (host, host.unread.as_slice())), Tone::Quiet, head, style)
}

/// Unread facts gathered by what and why, with the hosts folded.
fn lost<'a>(
    facts: impl Iterator<Item = (&'a Host, &'a [Unread])>,
    tone: Tone,
    head: &str,
    style: &Style,
) -> Vec<String> {
    /// Details of one kind that are written out.
    const DETAILS: usize = 2;
    let mut groups: Vec<(String, Vec<String>, Vec<String>)> = Vec::new();
    for (host, unread) in facts.flat_map(|(host, list)| list.iter().map(move |unread| (host, unread))) {
        let what = match unread.what.as_str() {
            "host" => unread.reason.word().to_owned(),
            probe => format!("{}, probe {}", unread.reason.word(), clean::line(probe)),
        };
        let detail = clean::short(&unread.detail, 600);
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
    if groups.is_empty() {
        return Vec::new();
    }
    groups.sort_by_key(|(_, hosts, _)| std::cmp::Reverse(hosts.len()));
    let mut out: Vec<String> = wrap::lines(head, style.width).iter().map(|line| style.paint(tone, line)).collect();
    for (what, hosts, details) in &groups {
        let names: Vec<&str> = hosts.iter().map(String::as_str).collect();
        out.extend(title(style, Tone::Plain, &format!("  {what}"), &names));
        let room = style.width.saturating_sub(4);
        out.extend(indent(4, details.iter().take(DETAILS).flat_map(|detail| wrap::lines(detail, room)).collect()));
        if details.len() > DETAILS {
            out.push(format!("    and {} more like it", details.len() - DETAILS));
        }
    }
    out
}

/// Context that changes no verdict: info findings, waived ones, hosts with nothing to judge.
fn quiet(report: &Report, light: &[Kind], style: &Style) -> Vec<String> {
    let mut out = Vec::new();
    for kind in light {
        for group in kind.groups.iter().take(MESSAGES) {
            let scope = if kind.fleet { ", fleet" } else { "" };
            let on = if group.hosts.is_empty() { String::new() } else { format!(" on {}", fold::fold(&group.hosts)) };
            let text = format!("{}{scope}{on}: {}", kind.check, group.message);
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
