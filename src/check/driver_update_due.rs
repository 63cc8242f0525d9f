//! # driver-update-due
//!
//! ## What it checks
//! apt knows a newer version of the installed driver's branch, and nothing will install it by itself.
//!
//! ## Why it matters
//! The price of freezing: driver releases close security holes. A frozen driver needs a person with a maintenance window.
//!
//! ## Evidence
//! The version table of the library package in the package lists on the host, and the time of the newest list.
//!
//! ## Fix
//! Upgrade all driver packages together and reboot in one maintenance window.
//!
//! ## What it does not see
//! Releases newer than the host's package lists, and whether a release closes a hole or only changes something.

use jiff::Timestamp;
use serde_json::json;

use crate::check::{Check, EvidenceLine, Finding, Look, Run, Severity, phrase};
use crate::derive::Derived;
use crate::derive::driver::{Applicability, DriverPackage, Role};
use crate::derive::protection::debian_version;
use crate::derive::protection::{Level, Protected};
use crate::derive::version;
use crate::probe::ProbeId;
use crate::probe::apt_policy::AptPolicy;

/// The check.
pub const CHECK: Check = Check {
    id: "driver-update-due",
    severity: Severity::Info,
    summary: "a newer driver of the installed branch is known and nothing installs it",
    source: include_str!("driver_update_due.rs"),
    needs: &[],
    symptoms: &[],
    run: Run::Host(run),
};

fn run(look: &Look<'_>, derived: &Derived) -> Vec<Finding> {
    if derived.driver.applicability != Applicability::Applies || derived.protection.level != Some(Level::Full) {
        return Vec::new();
    }
    let Some(policy) = look.hint(ProbeId::AptPolicy, &look.evidence.apt_policy).known() else { return Vec::new() };
    let library = derived.driver.packages.iter().find(|package| package.role == Role::Library);
    let Some((library, newest)) = library.and_then(|library| Some((library, newest(policy, library)?))) else {
        return Vec::new();
    };
    let (from, to) = (version::upstream(&library.version), version::upstream(&newest));
    let since = policy.lists_updated.and_then(|at| Timestamp::from_second(at).ok());
    let age = since.map(|since| format!(", for at least {}", phrase::duration(look.context.now.duration_since(since))));
    let mut evidence = vec![EvidenceLine::new(
        ProbeId::AptPolicy,
        format!("{}: installed {}, on offer {newest}", library.name, library.version),
    )];
    evidence.extend(
        since.map(|since| EvidenceLine::new(ProbeId::AptPolicy, format!("package lists of {}", phrase::time(since)))),
    );
    let held: Vec<&str> =
        derived.driver.packages.iter().filter(|package| package.held).map(|package| package.name.as_str()).collect();
    let all: Vec<&str> = derived
        .protection
        .packages
        .iter()
        .filter(|package| package.state == Protected::Blocked)
        .map(|package| package.name.as_str())
        .collect();
    let unhold = match held.as_slice() {
        [] => String::new(),
        held => format!("    sudo apt-mark unhold {}\n", held.join(" ")),
    };
    vec![Finding {
        check: CHECK.id,
        severity: CHECK.severity,
        message: format!(
            "driver {to} is on offer for the frozen {from} (same branch){}: a person has to plan it",
            age.unwrap_or_default()
        ),
        evidence,
        fix: format!(
            "In a maintenance window, with the jobs drained:\n{unhold}    sudo apt-get update\n    \
             sudo apt-get install --only-upgrade {}\n    sudo systemctl reboot\n",
            all.join(" ")
        ),
        details: phrase::object(json!({ "from": from, "to": to, "known_since": since.map(|since| since.to_string()) })),
    }]
}

/// The newest version of the same branch that is newer than the installed one, by upstream version.
fn newest(policy: &AptPolicy, library: &DriverPackage) -> Option<String> {
    let branch = version::branch(version::upstream(&library.version));
    let known = policy.packages.iter().find(|package| package.name == library.name)?;
    known
        .versions
        .iter()
        .filter(|row| !row.sources.is_empty())
        .map(|row| row.version.as_str())
        .filter(|found| version::branch(version::upstream(found)) == branch)
        .filter(|found| debian_version::compare(found, &library.version).is_gt())
        .filter(|found| version::upstream(found) != version::upstream(&library.version))
        .max_by(|a, b| debian_version::compare(a, b))
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derive::protection::sample::Host;

    #[test]
    fn a_frozen_driver_with_a_newer_release_of_its_branch() {
        let mut host = Host::ubuntu(&["libnvidia-compute-535"]);
        assert_eq!(host.check(run), vec![], "not frozen: the updater takes it");
        let findings = host.blacklist(&["libnvidia-"]).check(run);
        assert_eq!(
            findings[0].message,
            "driver 535.230.02 is on offer for the frozen 535.183.01 (same branch), for at least 3 d: a person has to plan it"
        );
        host.offer("libnvidia-compute-535", "jammy-security", "550.120-0ubuntu1");
        assert_eq!(host.check(run), vec![], "another branch is another decision");
        host.offer("libnvidia-compute-535", "jammy-security", "535.183.01-0ubuntu0.22.04.9");
        assert_eq!(host.check(run), vec![], "a rebuild of the same release");
    }
}
