//! `prometheus`: gauges for node-exporter's textfile collector.
//!
//! A host that could not be read has no `gpusweep_host_last_verified_timestamp_seconds`; alert on its age and on its
//! absence alike.

use std::collections::BTreeMap;
use std::fmt::Write;

use jiff::Timestamp;

use crate::report::clean;
use crate::report::model::{Report, Verdict};

const VERDICTS: [Verdict; 5] =
    [Verdict::Critical, Verdict::Unverified, Verdict::Warning, Verdict::Ok, Verdict::NotApplicable];

/// A time of a host, given the end of the sweep.
type Moment = fn(&crate::report::model::Host, Timestamp) -> Option<Timestamp>;

/// The exposition text.
pub fn render(report: &Report) -> String {
    let mut page = Page::default();
    sweep(report, &mut page);
    hosts(report, &mut page);
    findings(report, &mut page);
    page.0
}

fn sweep(report: &Report, page: &mut Page) {
    let sweep = &report.sweep;
    let playbook = ("playbook", sweep.playbook.as_str());
    page.family("gpusweep_info", "The program that wrote this file.");
    page.sample("gpusweep_info", &[("version", &report.tool.version), playbook], 1.0);
    page.family("gpusweep_sweep_finished_timestamp_seconds", "When the sweep ended.");
    page.sample("gpusweep_sweep_finished_timestamp_seconds", &[], seconds(sweep.finished));
    page.family("gpusweep_sweep_duration_seconds", "How long the sweep took.");
    page.sample("gpusweep_sweep_duration_seconds", &[], seconds(sweep.finished) - seconds(sweep.started));
    page.family("gpusweep_sweep_complete", "1 when every selected host was tried, 0 when the sweep ended early.");
    page.sample("gpusweep_sweep_complete", &[], f64::from(u8::from(sweep.complete)));
    page.family("gpusweep_hosts", "Hosts by verdict.");
    for verdict in VERDICTS {
        let n = report.hosts.iter().filter(|host| host.verdict == verdict).count();
        page.sample("gpusweep_hosts", &[("verdict", verdict.word())], n as f64);
    }
    page.family("gpusweep_findings_waived", "Findings that a waiver covers.");
    page.sample("gpusweep_findings_waived", &[], report.summary.waived as f64);
}

fn hosts(report: &Report, page: &mut Page) {
    page.family("gpusweep_host_verdict", "1 for the verdict that the host has, 0 for the others.");
    for host in &report.hosts {
        for verdict in VERDICTS {
            let is = f64::from(u8::from(host.verdict == verdict));
            page.sample("gpusweep_host_verdict", &[("host", &host.host), ("verdict", verdict.word())], is);
        }
    }
    page.family("gpusweep_host_driver_info", "Driver versions and protection, as labels.");
    for host in report.hosts.iter().filter(|host| host.verdict != Verdict::NotApplicable) {
        let facts = &host.facts;
        let known = |value: &'_ Option<String>| value.clone().unwrap_or_default();
        page.sample(
            "gpusweep_host_driver_info",
            &[
                ("host", &host.host),
                ("loaded", &known(&facts.loaded_version)),
                ("library", &known(&facts.library_version)),
                ("kernel", &known(&facts.kernel)),
                ("auto_upgrade", &facts.auto_upgrade),
                ("protection", &facts.protection),
            ],
            1.0,
        );
    }
    let times: [(&str, &str, Moment); 3] = [
        ("gpusweep_host_boot_timestamp_seconds", "When the host booted.", |host, _| host.facts.booted_at),
        ("gpusweep_host_driver_upgrade_timestamp_seconds", "When the driver on disk last changed.", |host, _| {
            host.facts.last_driver_upgrade.as_ref().map(|upgrade| upgrade.at)
        }),
        (
            "gpusweep_host_last_verified_timestamp_seconds",
            "When the host was last judged on facts that were all read.",
            |host, finished| host.unverified.is_empty().then_some(finished),
        ),
    ];
    for (name, help, of) in times {
        page.family(name, help);
        for host in &report.hosts {
            if let Some(at) = of(host, report.sweep.finished) {
                page.sample(name, &[("host", &host.host)], seconds(at));
            }
        }
    }
}

fn findings(report: &Report, page: &mut Page) {
    // Two findings of one check on one host would be one series written twice, which a scraper refuses.
    let mut counts: BTreeMap<(&str, &str, &str, &str), usize> = BTreeMap::new();
    let waived = |is: bool| if is { "true" } else { "false" };
    for host in &report.hosts {
        for finding in &host.findings {
            let key = (host.host.as_str(), finding.check.as_str(), finding.severity.word());
            *counts.entry((key.0, key.1, key.2, waived(finding.waived.is_some()))).or_default() += 1;
        }
    }
    page.family("gpusweep_host_findings", "Findings on a host by check and severity.");
    for ((host, check, severity, waived), n) in counts {
        let labels = [("host", host), ("check", check), ("severity", severity), ("waived", waived)];
        page.sample("gpusweep_host_findings", &labels, n as f64);
    }
    let mut fleet: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
    for finding in &report.fleet.findings {
        *fleet.entry((&finding.check, finding.severity.word(), waived(finding.waived.is_some()))).or_default() += 1;
    }
    page.family("gpusweep_fleet_findings", "Findings about the fleet by check and severity.");
    for ((check, severity, waived), n) in fleet {
        page.sample(
            "gpusweep_fleet_findings",
            &[("check", check), ("severity", severity), ("waived", waived)],
            n as f64,
        );
    }
}

#[derive(Default)]
struct Page(String);

impl Page {
    fn family(&mut self, name: &str, help: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} gauge");
    }

    fn sample(&mut self, name: &str, labels: &[(&str, &str)], value: f64) {
        let labels: Vec<String> = labels.iter().map(|(key, text)| format!("{key}=\"{}\"", label(text))).collect();
        let labels = if labels.is_empty() { String::new() } else { format!("{{{}}}", labels.join(",")) };
        let _ = writeln!(self.0, "{name}{labels} {value}");
    }
}

fn label(text: &str) -> String {
    clean::line(text).replace('\\', "\\\\").replace('"', "\\\"")
}

fn seconds(at: Timestamp) -> f64 {
    at.as_millisecond() as f64 / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    #[test]
    fn the_fixed_fleet() {
        insta::assert_snapshot!("prometheus", render(&fixture::fleet()));
    }

    #[test]
    fn no_series_is_written_twice() {
        let mut report = fixture::fleet();
        let again = report.hosts[3].findings[0].clone();
        report.hosts[3].findings.push(again);
        let text = render(&report);
        let mut series: Vec<&str> = text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| Some(line.rsplit_once(' ')?.0))
            .collect();
        let all = series.len();
        series.sort_unstable();
        series.dedup();
        assert_eq!(series.len(), all);
        assert!(text.contains(
            "gpusweep_host_findings{host=\"gpu-04\",check=\"half-upgraded\",severity=\"critical\",waived=\"false\"} 2\n"
        ));
    }

    #[test]
    fn an_unverified_host_has_no_date_of_verification() {
        let text = render(&fixture::fleet());
        assert!(text.contains("last_verified_timestamp_seconds{host=\"gpu-04\"}"));
        assert!(!text.contains("last_verified_timestamp_seconds{host=\"gpu-06\"}"));
    }

    #[test]
    fn labels_cannot_break_out() {
        assert_eq!(label("a\"} 1\n\\x"), "a\\\"} 1 \\\\x");
    }
}
