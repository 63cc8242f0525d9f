//! All hosts together: drift.

use crate::check::{BaselineBy, FleetHost, Run};
use crate::derive::protection::Level;
use crate::report::model::{self, Verdict};
use crate::verdict::rules::Rules;

/// Runs the fleet checks over judged hosts, which may come from this sweep or from stored reports.
pub fn judge_fleet(hosts: &[model::Host], rules: &Rules<'_>) -> Vec<model::FleetFinding> {
    let peers: Vec<FleetHost> = hosts.iter().map(peer).collect();
    let mut findings = Vec::new();
    for check in &rules.checks {
        let Run::Fleet(run) = check.run else { continue };
        for finding in run(&peers, &rules.baseline) {
            findings.extend(waive(finding, hosts, rules));
        }
    }
    findings.sort_by(|a, b| {
        b.severity.cmp(&a.severity).then_with(|| a.check.cmp(&b.check)).then_with(|| a.message.cmp(&b.message))
    });
    findings
}

/// The word of the report's `baseline_by`.
pub fn baseline_word(baseline: &BaselineBy) -> String {
    match baseline {
        BaselineBy::Sweep => "sweep".to_owned(),
        BaselineBy::Groups(groups) => format!("groups:{}", groups.join(",")),
        BaselineBy::GpuModel => "gpu-model".to_owned(),
        BaselineBy::Variable(name) => format!("variable:{name}"),
    }
}

fn peer(host: &model::Host) -> FleetHost {
    let verified = host.unverified.is_empty() && host.verdict != Verdict::NotApplicable;
    FleetHost {
        host: host.host.clone(),
        groups: host.groups.clone(),
        votes: verified && host.facts.library_version.is_some(),
        library_version: host.facts.library_version.clone().filter(|_| host.verdict != Verdict::NotApplicable),
        loaded_version: host.facts.loaded_version.clone(),
        kernel: host.facts.kernel.clone(),
        protection: level(&host.facts.protection),
        expect_driver: host.expectation.clone(),
        baseline_key: host.baseline_key.clone(),
    }
}

fn level(word: &str) -> Option<Level> {
    [Level::None, Level::Partial, Level::Full, Level::NotNeeded].into_iter().find(|level| level.word() == word)
}

/// A finding that is waived on some of its hosts is split in two, so that neither half is lost.
fn waive(finding: crate::check::FleetFinding, hosts: &[model::Host], rules: &Rules<'_>) -> Vec<model::FleetFinding> {
    let groups = |name: &str| hosts.iter().find(|host| host.host == name).map(|host| host.groups.clone());
    let waiver = |name: &String| (rules.waive)(finding.check, name, &groups(name).unwrap_or_default());
    let (waived, open): (Vec<String>, Vec<String>) =
        finding.hosts.iter().cloned().partition(|name| waiver(name).is_some());
    let first = waived.first().and_then(waiver);
    let make = |hosts: Vec<String>, waived: Option<model::Waived>| model::FleetFinding {
        check: finding.check.to_owned(),
        severity: rules.severity(finding.check, finding.severity),
        message: finding.message.clone(),
        hosts,
        details: finding.details.clone(),
        waived,
    };
    let mut out = Vec::new();
    if !open.is_empty() || waived.is_empty() {
        out.push(make(open, None));
    }
    if !waived.is_empty() {
        out.push(make(waived, first));
    }
    out
}
