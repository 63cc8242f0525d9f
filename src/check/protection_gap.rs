//! # protection-gap
//!
//! ## What it checks
//! Automatic upgrades run, at least one driver package is kept from them, and at least one is not.
//!
//! ## Why it matters
//! A driver is some fifteen packages of one version. When the updater replaces only the part that the list forgot,
//! often the library alone, the result is as broken as an unprotected upgrade, and harder to see.
//!
//! ## Evidence
//! Each installed driver package against blacklist, whitelist, holds, pins and allowed origins, the way the updater
//! decides: patterns match at the start of the name, with `:arch` for a foreign architecture.
//! A package that nothing matches, and that cannot move only because an exact dependency ties it to a blocked one, is
//! named apart: that is weaker, since one changed dependency in the next release opens it.
//!
//! ## Fix
//! The finding prints the apt configuration file that closes the gap for exactly the packages installed there. Its
//! price: no automatic security updates of the driver.
//!
//! ## What it does not see
//! Dependencies of releases that are not out yet.

use serde_json::json;

use crate::check::{Check, Finding, Look, Run, Severity, exposure, phrase};
use crate::derive::Derived;
use crate::derive::protection::{Level, Protected};
use crate::probe::ProbeId;

/// The check.
pub const CHECK: Check = Check {
    id: "protection-gap",
    severity: Severity::Warning,
    summary: "some driver packages are kept from automatic upgrades and some are not",
    source: include_str!("protection_gap.rs"),
    needs: &[ProbeId::Packages, ProbeId::Updater, ProbeId::AptConfig, ProbeId::AptPolicy, ProbeId::AptPreferences],
    symptoms: &[],
    run: Run::Host(run),
};

fn run(look: &Look<'_>, derived: &Derived) -> Vec<Finding> {
    if !exposure::applies(derived) || derived.protection.level != Some(Level::Partial) {
        return Vec::new();
    }
    let open = exposure::in_state(derived, Protected::Exposed);
    let tied = exposure::in_state(derived, Protected::Tied);
    let all = derived.protection.packages.len();
    let mut parts = Vec::new();
    if !open.is_empty() {
        parts.push(format!(
            "{} of {all} driver packages open to automatic upgrades: {}",
            open.len(),
            exposure::names(&open)
        ));
    }
    if !tied.is_empty() {
        parts.push(format!(
            "not matched, and held back only by a dependency on a blocked package, which is weaker: {}",
            exposure::names(&tied)
        ));
    }
    let list = |packages: &[&crate::derive::protection::PackageProtection]| {
        packages.iter().map(|package| package.name.clone()).collect::<Vec<_>>()
    };
    let mut evidence = exposure::evidence(derived);
    evidence.extend(kept(derived));
    vec![Finding {
        check: CHECK.id,
        severity: CHECK.severity,
        message: parts.join("; "),
        evidence,
        fix: exposure::fix(look, derived),
        details: phrase::object(json!({ "exposed": list(&open), "tied": list(&tied) })),
    }]
}

/// What is kept, and by what.
fn kept(derived: &Derived) -> Option<crate::check::EvidenceLine> {
    let blocked = exposure::in_state(derived, Protected::Blocked);
    let words: Vec<String> = blocked.iter().map(|package| format!("{} ({})", package.name, package.how)).collect();
    (!words.is_empty())
        .then(|| crate::check::EvidenceLine::new(ProbeId::Packages, format!("kept: {}", words.join(", "))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derive::protection::sample::{Host, OLD};

    #[test]
    fn exposed_and_tied_packages_are_named_apart() {
        let mut host = Host::ubuntu(&["nvidia-driver-535", "libnvidia-gl-535", "libnvidia-compute-535"]);
        host.blacklist(&["nvidia-"]).relate("nvidia-driver-535", &format!("libnvidia-gl-535 (= {OLD})"), "");
        let findings = host.check(run);
        assert_eq!(
            findings[0].message,
            "1 of 3 driver packages open to automatic upgrades: libnvidia-compute-535; not matched, and held back only by a \
             dependency on a blocked package, which is weaker: libnvidia-gl-535"
        );
        assert_eq!(findings[0].details["tied"], json!(["libnvidia-gl-535"]));
    }

    #[test]
    fn tied_alone_is_still_a_gap_and_full_or_none_is_not() {
        let mut host = Host::ubuntu(&["nvidia-driver-535", "libnvidia-gl-535"]);
        host.relate("nvidia-driver-535", &format!("libnvidia-gl-535 (= {OLD})"), "");
        assert_eq!(host.check(run), vec![]);
        assert_eq!(host.clone().blacklist(&["nvidia-"]).check(run).len(), 1);
        assert_eq!(host.blacklist(&["nvidia-", "libnvidia-"]).check(run), vec![]);
    }
}
