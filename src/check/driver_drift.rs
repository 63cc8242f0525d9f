//! # driver-drift
//!
//! ## What it checks
//! Hosts whose library version on disk is not the one they are declared to have, or, without a declaration, not the one
//! that most of the hosts they are compared with have.
//!
//! ## Why it matters
//! Jobs that run on one node and fail on another, and an upgrade that reached only part of the fleet.
//!
//! ## Evidence
//! Library versions of verified hosts, compared as strings. A declaration with a dot is an exact version, one without
//! is a branch. Against a majority, another version of the same branch is a warning and another branch an info, since
//! a branch is usually chosen. When two versions lead together, nobody is flagged and one info says so.
//!
//! ## Fix
//! Declare what is right (`gpusweep_expect_driver`), then bring the odd hosts to it.
//!
//! ## What it does not see
//! Hosts that could not be verified neither vote nor are compared with others; against a declaration they are, when
//! their library was read.

use std::collections::BTreeMap;

use serde_json::json;

use crate::check::peers::{self, Plurality};
use crate::check::{BaselineBy, Check, FleetFinding, FleetHost, Run, Severity, phrase};
use crate::derive::version;
use crate::probe::ProbeId;

/// The check.
pub const CHECK: Check = Check {
    id: "driver-drift",
    severity: Severity::Warning,
    summary: "hosts whose driver is not the declared or the usual one",
    source: include_str!("driver_drift.rs"),
    needs: &[ProbeId::Library],
    symptoms: &[],
    run: Run::Fleet(run),
};

fn run(hosts: &[FleetHost], _by: &BaselineBy) -> Vec<FleetFinding> {
    let mut findings = declared(hosts);
    for (key, set) in peers::sets(hosts) {
        findings.extend(inferred(key, &set));
    }
    findings
}

/// Hosts with a declaration that they do not meet.
fn declared(hosts: &[FleetHost]) -> Vec<FleetFinding> {
    let mut groups: BTreeMap<(&str, &str), Vec<&FleetHost>> = BTreeMap::new();
    for host in hosts {
        if let (Some(expected), Some(actual)) = (host.expect_driver.as_deref(), host.library_version.as_deref())
            && !meets(expected, actual)
        {
            groups.entry((expected, actual)).or_default().push(host);
        }
    }
    let finding = |((expected, actual), odd): ((&str, &str), Vec<&FleetHost>)| FleetFinding {
        check: CHECK.id,
        severity: Severity::Warning,
        message: format!("driver {actual} where {expected} is declared: {}", peers::names(&odd).join(", ")),
        hosts: peers::names(&odd),
        details: phrase::object(json!({ "expected": expected, "actual": actual, "basis": "declared" })),
    };
    groups.into_iter().map(finding).collect()
}

fn meets(expected: &str, actual: &str) -> bool {
    if expected.contains('.') { expected == actual } else { expected == version::branch(actual) }
}

/// Hosts without a declaration, against what most of their set have.
fn inferred(key: Option<&str>, set: &[&FleetHost]) -> Vec<FleetFinding> {
    let versions = set.iter().filter_map(|host| host.library_version.as_deref());
    let judged: Vec<&FleetHost> = set.iter().filter(|host| host.expect_driver.is_none()).copied().collect();
    let among = peers::of_set(key);
    match peers::plurality(versions) {
        Plurality::None => Vec::new(),
        Plurality::Tie(leaders) => tie(&judged, &leaders, key, &among).into_iter().collect(),
        Plurality::Leads(usual, votes) => {
            let mut odd: BTreeMap<&str, Vec<&FleetHost>> = BTreeMap::new();
            for host in judged {
                if let Some(actual) = host.library_version.as_deref().filter(|actual| *actual != usual) {
                    odd.entry(actual).or_default().push(host);
                }
            }
            odd.into_iter().map(|(actual, odd)| deviation(key, &among, (usual, votes), actual, &odd)).collect()
        }
    }
}

fn deviation(key: Option<&str>, among: &str, usual: (&str, usize), actual: &str, odd: &[&FleetHost]) -> FleetFinding {
    let (usual, votes) = usual;
    let same_branch = version::branch(actual) == version::branch(usual);
    let what = if same_branch { "another version of the usual branch" } else { "another branch than usual" };
    let names = peers::names(odd);
    FleetFinding {
        check: CHECK.id,
        severity: if same_branch { Severity::Warning } else { Severity::Info },
        message: format!(
            "driver {actual} is {what} ({usual} on {}{among}): {}",
            phrase::count(votes, "host"),
            names.join(", ")
        ),
        hosts: names,
        details: phrase::object(json!({
            "expected": usual,
            "actual": actual,
            "basis": "majority",
            "votes": votes,
            "baseline": key,
            "same_branch": same_branch,
        })),
    }
}

fn tie(judged: &[&FleetHost], leaders: &[&str], key: Option<&str>, among: &str) -> Option<FleetFinding> {
    if judged.is_empty() {
        return None;
    }
    Some(FleetFinding {
        check: CHECK.id,
        severity: Severity::Info,
        message: format!(
            "no version leads{among}: {} are equally frequent, so no host is called odd",
            leaders.join(" and ")
        ),
        hosts: Vec::new(),
        details: phrase::object(json!({ "tie": leaders, "basis": "majority", "baseline": key })),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn host(name: &str, version: &str) -> FleetHost {
        FleetHost { host: name.into(), votes: true, library_version: Some(version.into()), ..FleetHost::default() }
    }

    fn said(hosts: &[FleetHost]) -> Vec<(Severity, Vec<String>)> {
        run(hosts, &BaselineBy::Sweep).into_iter().map(|finding| (finding.severity, finding.hosts)).collect()
    }

    #[test]
    fn same_branch_is_a_warning_and_another_branch_an_info() {
        let hosts = [host("a", "535.183.01"), host("b", "535.183.01"), host("c", "550.120"), host("d", "535.171.04")];
        let want = vec![(Severity::Warning, vec!["d".to_owned()]), (Severity::Info, vec!["c".to_owned()])];
        assert_eq!(said(&hosts), want);
    }

    #[test]
    fn a_tie_flags_nobody_and_says_so() {
        let hosts = [host("a", "535.183.01"), host("b", "550.120")];
        let findings = run(&hosts, &BaselineBy::Sweep);
        assert_eq!(said(&hosts), vec![(Severity::Info, vec![])]);
        assert!(findings[0].message.contains("535.183.01 and 550.120 are equally frequent"), "{}", findings[0].message);
    }

    #[test]
    fn a_declaration_is_exact_or_a_branch_and_beats_the_majority() {
        let declare = |mut host: FleetHost, what: &str| {
            host.expect_driver = Some(what.into());
            host
        };
        let hosts = [
            host("a", "535.183.01"),
            host("b", "535.183.01"),
            declare(host("canary", "550.120"), "550"),
            declare(host("late", "535.171.04"), "535.183.01"),
            declare(host("zeros", "440.64"), "440.64.00"),
        ];
        assert_eq!(
            said(&hosts),
            vec![(Severity::Warning, vec!["zeros".to_owned()]), (Severity::Warning, vec!["late".to_owned()])]
        );
    }

    #[test]
    fn unverified_hosts_neither_vote_nor_are_compared() {
        let mut silent = [host("x", "550.120"), host("y", "550.120")];
        silent.iter_mut().for_each(|host| host.votes = false);
        let hosts = [silent[0].clone(), silent[1].clone(), host("a", "535.183.01")];
        assert_eq!(said(&hosts), vec![]);
    }

    #[test]
    fn sets_are_compared_apart() {
        let keyed = |mut host: FleetHost, key: &str| {
            host.baseline_key = Some(key.into());
            host
        };
        let hosts =
            [keyed(host("a", "535.183.01"), "train"), keyed(host("b", "550.120"), "serve"), host("c", "570.1.1")];
        assert_eq!(said(&hosts), vec![]);
    }

    proptest! {
        #[test]
        fn the_order_of_hosts_does_not_matter(
            fleet in proptest::collection::vec((0..4usize, 0..3usize, any::<bool>()), 0..12).prop_flat_map(|fleet| {
                let shuffled = Just(fleet.clone()).prop_shuffle();
                (Just(fleet), shuffled)
            })
        ) {
            let build = |fleet: &[(usize, usize, bool)]| -> Vec<FleetHost> {
                let versions = ["535.171.04", "535.183.01", "550.120", "550.54.15"];
                fleet.iter().map(|(version, key, votes)| FleetHost {
                    host: format!("{version}-{key}-{votes}"),
                    votes: *votes,
                    library_version: Some(versions[*version].into()),
                    baseline_key: (*key > 0).then(|| key.to_string()),
                    ..FleetHost::default()
                }).collect()
            };
            let sorted = |hosts: &[FleetHost]| {
                let mut all = run(hosts, &BaselineBy::Sweep);
                all.iter_mut().for_each(|finding| {
                    finding.hosts.sort();
                    finding.message.clear();
                });
                all
            };
            prop_assert_eq!(sorted(&build(&fleet.0)), sorted(&build(&fleet.1)));
        }
    }
}
