//! Counts of everything, hidden things too.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::report::model::{FleetFinding, Host, Summary, Verdict};

/// Counts hosts by verdict and findings by check.
pub fn summarize(hosts: &[Host], fleet: &[FleetFinding]) -> Summary {
    let count = |verdict| hosts.iter().filter(|host| host.verdict == verdict).count();
    let mut by_check: BTreeMap<&str, usize> = BTreeMap::new();
    let mut waived = hosts.iter().filter(|host| host.unverified_waived.is_some()).count();
    let on_hosts = hosts.iter().flat_map(|host| &host.findings).map(|f| (f.check.as_str(), f.waived.is_some()));
    for (check, is_waived) in on_hosts.chain(fleet.iter().map(|f| (f.check.as_str(), f.waived.is_some()))) {
        if is_waived {
            waived += 1;
        } else {
            *by_check.entry(check).or_default() += 1;
        }
    }
    Summary {
        hosts: hosts.len(),
        critical: count(Verdict::Critical),
        unverified: count(Verdict::Unverified),
        warning: count(Verdict::Warning),
        ok: count(Verdict::Ok),
        not_applicable: count(Verdict::NotApplicable),
        waived,
        by_check: by_check.into_iter().map(|(check, n)| (check.to_owned(), Value::from(n))).collect(),
    }
}
