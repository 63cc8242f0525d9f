//! # kernel-drift
//!
//! ## What it checks
//! Hosts that run another kernel than most of the hosts they are compared with.
//!
//! ## Why it matters
//! Context: modules are built for one kernel, so an odd kernel is where the next surprise comes from.
//!
//! ## Evidence
//! `uname -r` of verified hosts. Without a single leader nothing is said.
//!
//! ## Fix
//! Bring the kernels together with the next maintenance window.
//!
//! ## What it does not see
//! Kernels that are installed and do not run.

use std::collections::BTreeMap;

use serde_json::json;

use crate::check::peers::{self, Plurality};
use crate::check::{BaselineBy, Check, FleetFinding, FleetHost, Run, Severity, phrase};
use crate::probe::ProbeId;

/// The check.
pub const CHECK: Check = Check {
    id: "kernel-drift",
    severity: Severity::Info,
    summary: "hosts that run another kernel than their peers",
    source: include_str!("kernel_drift.rs"),
    needs: &[ProbeId::Kernels],
    symptoms: &[],
    run: Run::Fleet(run),
};

fn run(hosts: &[FleetHost], _by: &BaselineBy) -> Vec<FleetFinding> {
    let mut findings = Vec::new();
    for (key, set) in peers::sets(hosts) {
        let Plurality::Leads(usual, votes) = peers::plurality(set.iter().filter_map(|host| host.kernel.as_deref()))
        else {
            continue;
        };
        let mut odd: BTreeMap<&str, Vec<&FleetHost>> = BTreeMap::new();
        for host in set.iter().filter(|host| host.kernel.as_deref().is_some_and(|kernel| kernel != usual)) {
            odd.entry(host.kernel.as_deref().unwrap_or_default()).or_default().push(host);
        }
        for (actual, odd) in odd {
            let names = peers::names(&odd);
            findings.push(FleetFinding {
                check: CHECK.id,
                severity: CHECK.severity,
                message: format!(
                    "kernel {actual} where {} run {usual}{}: {}",
                    phrase::count(votes, "host"),
                    peers::of_set(key),
                    names.join(", ")
                ),
                hosts: names,
                details: phrase::object(
                    json!({ "expected": usual, "actual": actual, "votes": votes, "baseline": key }),
                ),
            });
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_odd_kernel_is_named_and_a_tie_is_silent() {
        let host = |name: &str, kernel: &str| FleetHost {
            host: name.into(),
            votes: true,
            kernel: Some(kernel.into()),
            ..FleetHost::default()
        };
        let hosts = [host("a", "5.15.0-112-generic"), host("b", "5.15.0-112-generic"), host("c", "5.15.0-113-generic")];
        let findings = run(&hosts, &BaselineBy::Sweep);
        assert_eq!(findings.len(), 1);
        assert_eq!((findings[0].severity, findings[0].hosts.clone()), (Severity::Info, vec!["c".to_owned()]));
        assert_eq!(run(&hosts[1..], &BaselineBy::Sweep), vec![]);
    }
}
