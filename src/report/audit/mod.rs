//! One host's clues, laid out: the versions in memory and on disk, who upgraded and when, the boot, and what follows.

mod clues;
mod guard;
mod sides;
mod timeline;

use crate::report::block;
use crate::report::findings;
use crate::report::model::{Host, Report, Unread, Verdict};
use crate::report::style::{Style, Tone, severity_tone, verdict_tone};
use crate::report::{clean, wrap};

/// Renders every host of a report, one after another, in the report's order.
pub fn render(report: &Report, style: &Style) -> String {
    let mut lines = Vec::new();
    for host in &report.hosts {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.extend(host_lines(report, host, style));
    }
    if !report.sweep.complete {
        lines.push(style.paint(Tone::Critical, "incomplete: the run ended early"));
    }
    style.finish(&lines)
}

/// Renders one host of a report.
pub fn render_host(report: &Report, host: &Host, style: &Style) -> String {
    style.finish(&host_lines(report, host, style))
}

fn host_lines(report: &Report, host: &Host, style: &Style) -> Vec<String> {
    let read = host.facts != crate::report::model::Facts::default() && host.unverified.iter().all(|u| u.what != "host");
    let mut sections = vec![headline(host, style)];
    if host.verdict == Verdict::NotApplicable {
        let why = host.not_applicable_because.as_deref().unwrap_or("nothing to judge");
        sections.push(wrap::lines(&clean::line(why), style.width));
    } else if read || host.facts.loaded_version.is_some() {
        sections.push(sides::sides(host, style));
        sections.push(timeline::timeline(host, style));
        sections.push(clues::clues(host, style));
        sections.push(guard::guard(host, style));
    }
    sections.push(unread("could not be read, and the verdict needs it", Tone::Unverified, &host.unverified, style));
    sections.extend(finding_blocks(host, style));
    sections.extend(fleet(report, host, style));
    sections.push(waived(host, style));
    sections.push(unread("not read, and the verdict does not need it", Tone::Quiet, &host.unread, style));
    sections.push(last_word(host, style));
    sections.retain(|section| !section.is_empty());
    sections.join(&String::new())
}

fn headline(host: &Host, style: &Style) -> Vec<String> {
    let verdict = format!("{} {}", style.symbol(host.verdict), host.verdict.word());
    let name = clean::line(&host.host);
    let first = format!("{}  {}", style.paint(verdict_tone(host.verdict), &verdict), style.paint(Tone::Strong, &name));
    let mut about: Vec<String> = Vec::new();
    let address = clean::line(&host.address);
    if !address.is_empty() && address != name {
        about.push(address);
    }
    about.extend(host.facts.os.as_deref().map(clean::line));
    about.extend(host.facts.kernel.as_deref().map(|kernel| format!("kernel {}", clean::line(kernel))));
    about.extend(host.facts.gpus.map(|n| if n == 1 { "1 GPU".to_owned() } else { format!("{n} GPUs") }));
    let mut out = vec![first];
    out.extend(wrap::lines(&about.join(", "), style.width).iter().map(|line| style.paint(Tone::Quiet, line)));
    out
}

/// The findings, without the evidence that the clues have shown.
fn finding_blocks(host: &Host, style: &Style) -> Vec<Vec<String>> {
    let shown = clues::shown(host);
    let mut kinds = findings::kinds(std::slice::from_ref(host));
    for group in kinds.iter_mut().flat_map(|kind| kind.groups.iter_mut()) {
        group.evidence.retain(|line| !shown.contains(&line));
    }
    kinds.iter().map(|kind| block::finding(kind, false, style)).collect()
}

fn fleet(report: &Report, host: &Host, style: &Style) -> Vec<Vec<String>> {
    let open = report.fleet.findings.iter().filter(|f| f.waived.is_none() && f.hosts.contains(&host.host));
    open.map(|finding| {
        let head = format!("~ {}, fleet: {}", finding.severity.word(), clean::line(&finding.check));
        let mut out = vec![style.paint(severity_tone(finding.severity), &head)];
        out.extend(block::indent(2, wrap::lines(&findings::fleet_message(finding), style.width.saturating_sub(2))));
        out
    })
    .collect()
}

fn waived(host: &Host, style: &Style) -> Vec<String> {
    let of = |check: &str, waived: &crate::report::model::Waived| {
        let text =
            format!("{} until {}: {}", clean::line(check), clean::line(&waived.until), clean::line(&waived.reason));
        block::note(style, "- waived", &text)
    };
    let findings = host.findings.iter().filter_map(|finding| Some(of(&finding.check, finding.waived.as_ref()?)));
    findings.chain(host.unverified_waived.iter().map(|waived| of("unverified", waived))).flatten().collect()
}

fn unread(title: &str, tone: Tone, list: &[Unread], style: &Style) -> Vec<String> {
    if list.is_empty() {
        return Vec::new();
    }
    let mut out: Vec<String> = wrap::lines(title, style.width).iter().map(|line| style.paint(tone, line)).collect();
    for unread in list {
        let head = format!("{}: {}: ", clean::line(&unread.what), unread.reason.word());
        let detail = clean::short(&unread.detail, 600);
        let room = style.width.saturating_sub(4);
        out.extend(block::indent(2, block::hanging(2, wrap::lines(&format!("{head}{detail}"), room))));
    }
    out
}

fn last_word(host: &Host, style: &Style) -> Vec<String> {
    let text = match host.verdict {
        Verdict::Critical | Verdict::Warning => "The reboot is yours: gpusweep only reads and never reboots a host.",
        Verdict::Unverified => "Unverified is not ok: until it can be read, nothing is known of this host.",
        Verdict::Ok | Verdict::NotApplicable => return Vec::new(),
    };
    wrap::lines(text, style.width).iter().map(|line| style.paint(Tone::Strong, line)).collect()
}

#[cfg(test)]
mod tests;
