//! # nothing-eligible
//!
//! ## What it checks
//! unattended-upgrades runs, and no source of the host is among its allowed origins.
//!
//! ## Why it matters
//! Context: the driver is safe from it, and so is every security update. Usually a mirror carries another Origin or Label
//! than the distribution, which the updater's configuration does not know.
//!
//! ## Evidence
//! `Allowed-Origins` and `Origins-Pattern` against the release line of every package file apt knows.
//!
//! ## Fix
//! Add the mirror's origin to the updater's configuration, and the driver's blacklist first.
//!
//! ## What it does not see
//! Sources that are configured and have never been fetched.

use serde_json::json;

use crate::check::{Check, EvidenceLine, Finding, Look, Run, Severity, exposure, phrase};
use crate::derive::Derived;
use crate::probe::ProbeId;

/// The check.
pub const CHECK: Check = Check {
    id: "nothing-eligible",
    severity: Severity::Info,
    summary: "the updater runs and may take packages from no source at all",
    source: include_str!("nothing_eligible.rs"),
    needs: &[],
    symptoms: &[],
    run: Run::Host(run),
};

fn run(look: &Look<'_>, derived: &Derived) -> Vec<Finding> {
    if !exposure::applies(derived) || !derived.protection.nothing_eligible {
        return Vec::new();
    }
    let mut seen: Vec<String> = Vec::new();
    for source in look.evidence.apt_policy.known().map(|policy| policy.sources.as_slice()).unwrap_or_default() {
        let text = format!("o={},l={},a={},n={}", source.origin, source.label, source.archive, source.codename);
        if !source.site.is_empty() && !seen.contains(&text) {
            seen.push(text);
        }
    }
    let mut evidence: Vec<EvidenceLine> =
        seen.iter().take(5).map(|text| EvidenceLine::new(ProbeId::AptPolicy, format!("source {text}"))).collect();
    evidence.push(EvidenceLine::new(ProbeId::AptConfig, "no allowed origin matches any of the host's sources"));
    vec![Finding {
        check: CHECK.id,
        severity: CHECK.severity,
        message: "unattended-upgrades runs, but none of the host's sources is an allowed origin: nothing is upgraded, \
                  security updates included"
            .to_owned(),
        evidence,
        fix: "See what the updater allows, and add the mirror with the driver's blacklist in place:\n    \
              apt-config dump Unattended-Upgrade | grep -i origin\n    apt-cache policy\n"
            .to_owned(),
        details: phrase::object(json!({ "sources": seen })),
    }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derive::protection::sample::Host;

    #[test]
    fn rule_7_a_foreign_origin_is_told() {
        let mut host = Host::ubuntu(&["libnvidia-compute-535"]);
        assert_eq!(host.check(run), vec![]);
        for source in &mut host.policy().sources {
            source.origin = "Artifactory".into();
        }
        let findings = host.check(run);
        assert_eq!(findings[0].severity, Severity::Info);
        assert_eq!(findings[0].evidence[0].text, "source o=Artifactory,l=Ubuntu,a=jammy-security,n=jammy");
    }
}
