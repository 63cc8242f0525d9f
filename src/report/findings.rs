//! Findings gathered for reading: per check, hosts that are told the same together.

use crate::check::Severity;
use crate::report::clean;
use crate::report::model::{Evidence, FleetFinding, Host};

/// One check's findings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind {
    /// Check id.
    pub check: String,
    /// The worst severity among them.
    pub severity: Severity,
    /// It is about the fleet, and changes no host's verdict.
    pub fleet: bool,
    /// Says the same of these hosts.
    pub groups: Vec<Group>,
    /// Distinct fixes and whom they are for.
    pub fixes: Vec<(Vec<String>, String)>,
}

/// Hosts with one message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Names.
    pub hosts: Vec<String>,
    /// Message.
    pub message: String,
    /// Evidence of the first of them.
    pub evidence: Vec<Evidence>,
}

impl Kind {
    /// All its hosts.
    pub fn hosts(&self) -> Vec<&str> {
        self.groups.iter().flat_map(|group| group.hosts.iter().map(String::as_str)).collect()
    }
}

/// Host findings that count, the worst kind first, else the one with most hosts.
pub fn kinds(hosts: &[Host]) -> Vec<Kind> {
    let mut kinds: Vec<Kind> = Vec::new();
    for host in hosts {
        for finding in host.findings.iter().filter(|finding| finding.waived.is_none()) {
            let name = clean::line(&host.host);
            let at = kinds.iter().position(|kind| kind.check == finding.check).unwrap_or_else(|| {
                kinds.push(Kind {
                    check: finding.check.clone(),
                    severity: finding.severity,
                    fleet: false,
                    groups: Vec::new(),
                    fixes: Vec::new(),
                });
                kinds.len() - 1
            });
            let Some(kind) = kinds.get_mut(at) else { continue };
            kind.severity = kind.severity.max(finding.severity);
            let message = clean::line(&finding.message);
            match kind.groups.iter_mut().find(|group| group.message == message) {
                Some(group) => group.hosts.push(name.clone()),
                None => {
                    kind.groups.push(Group { hosts: vec![name.clone()], message, evidence: finding.evidence.clone() })
                }
            }
            let fix = clean::block(&finding.fix);
            match kind.fixes.iter_mut().find(|(_, text)| *text == fix) {
                Some((hosts, _)) => hosts.push(name),
                None if !fix.trim().is_empty() => kind.fixes.push((vec![name], fix)),
                None => {}
            }
        }
    }
    kinds.sort_by(|a, b| b.severity.cmp(&a.severity).then_with(|| b.hosts().len().cmp(&a.hosts().len())));
    kinds
}

/// Fleet findings that count, one kind per check and severity, in the report's order.
pub fn fleet_kinds(findings: &[FleetFinding]) -> Vec<Kind> {
    let mut kinds: Vec<Kind> = Vec::new();
    for finding in findings.iter().filter(|finding| finding.waived.is_none()) {
        let group = Group {
            hosts: finding.hosts.iter().map(|host| clean::line(host)).collect(),
            message: fleet_message(finding),
            evidence: Vec::new(),
        };
        let same = |kind: &&mut Kind| kind.check == finding.check && kind.severity == finding.severity;
        match kinds.iter_mut().find(same) {
            Some(kind) => kind.groups.push(group),
            None => kinds.push(Kind {
                check: clean::line(&finding.check),
                severity: finding.severity,
                fleet: true,
                groups: vec![group],
                fixes: Vec::new(),
            }),
        }
    }
    kinds
}

/// A fleet finding's message without the list of its hosts at the end, which a text report names folded.
pub fn fleet_message(finding: &FleetFinding) -> String {
    let list = format!(": {}", finding.hosts.join(", "));
    let message = finding.message.strip_suffix(&list).filter(|_| !finding.hosts.is_empty()).unwrap_or(&finding.message);
    clean::line(message)
}
