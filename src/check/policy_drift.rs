//! # policy-drift
//!
//! ## What it checks
//! Hosts whose driver is less protected from automatic upgrades than on most of the hosts they are compared with.
//!
//! ## Why it matters
//! A node that missed the provisioning run looks like the others until the night it is upgraded alone.
//!
//! ## Evidence
//! The level only: none, partial or full. Whether a blacklist, holds or a stopped timer gives it makes no difference.
//! Hosts that need no protection, and hosts that could not be verified, neither vote nor are compared; a tie flags nobody.
//!
//! ## Fix
//! Bring the odd hosts to the fleet's policy; `gpusweep explain unconfigured --snippet` prints a file for provisioning.
//!
//! ## What it does not see
//! A whole fleet that is unprotected alike: `unconfigured` says that host by host.

use std::collections::BTreeMap;

use serde_json::json;

use crate::check::peers::{self, Plurality};
use crate::check::{BaselineBy, Check, FleetFinding, FleetHost, Run, Severity, phrase};
use crate::derive::protection::Level;
use crate::probe::ProbeId;

/// The check.
pub const CHECK: Check = Check {
    id: "policy-drift",
    severity: Severity::Warning,
    summary: "hosts less protected than their peers",
    source: include_str!("policy_drift.rs"),
    needs: &[ProbeId::Packages, ProbeId::Updater, ProbeId::AptConfig],
    symptoms: &[],
    run: Run::Fleet(run),
};

fn level(host: &FleetHost) -> Option<Level> {
    host.protection.filter(|level| *level != Level::NotNeeded)
}

fn run(hosts: &[FleetHost], _by: &BaselineBy) -> Vec<FleetFinding> {
    let mut findings = Vec::new();
    for (key, set) in peers::sets(hosts) {
        let words = set.iter().filter_map(|host| level(host)).map(Level::word);
        let Plurality::Leads(usual, votes) = peers::plurality(words) else { continue };
        let Some(usual) = [Level::None, Level::Partial, Level::Full].into_iter().find(|level| level.word() == usual)
        else {
            continue;
        };
        let mut odd: BTreeMap<Level, Vec<&FleetHost>> = BTreeMap::new();
        for host in &set {
            if let Some(found) = level(host).filter(|found| *found < usual) {
                odd.entry(found).or_default().push(host);
            }
        }
        for (found, odd) in odd {
            let names = peers::names(&odd);
            findings.push(FleetFinding {
                check: CHECK.id,
                severity: CHECK.severity,
                message: format!(
                    "driver protection is {} where {} have {}{}: {}",
                    found.word(),
                    phrase::count(votes, "host"),
                    usual.word(),
                    peers::of_set(key),
                    names.join(", ")
                ),
                hosts: names,
                details: phrase::object(
                    json!({ "expected": usual.word(), "actual": found.word(), "votes": votes, "baseline": key }),
                ),
            });
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(name: &str, level: Level) -> FleetHost {
        FleetHost { host: name.into(), votes: true, protection: Some(level), ..FleetHost::default() }
    }

    #[test]
    fn the_less_protected_are_named_and_the_better_protected_are_not() {
        let hosts = [
            host("a", Level::Full),
            host("b", Level::Full),
            host("c", Level::None),
            host("d", Level::Partial),
            host("e", Level::NotNeeded),
        ];
        let findings = run(&hosts, &BaselineBy::Sweep);
        assert_eq!(
            findings.iter().map(|finding| finding.message.as_str()).collect::<Vec<_>>(),
            [
                "driver protection is none where 2 hosts have full: c",
                "driver protection is partial where 2 hosts have full: d"
            ]
        );
        let open = [host("a", Level::None), host("b", Level::None), host("c", Level::Full)];
        assert_eq!(run(&open, &BaselineBy::Sweep), vec![]);
    }

    #[test]
    fn a_tie_unverified_hosts_and_hosts_that_need_none_flag_nobody() {
        assert_eq!(run(&[host("a", Level::Full), host("b", Level::None)], &BaselineBy::Sweep), vec![]);
        let containers = [host("a", Level::NotNeeded), host("b", Level::NotNeeded), host("c", Level::Full)];
        assert_eq!(run(&containers, &BaselineBy::Sweep), vec![]);
        let mut unverified = host("c", Level::None);
        unverified.votes = false;
        assert_eq!(run(&[host("a", Level::Full), unverified], &BaselineBy::Sweep), vec![]);
    }
}
