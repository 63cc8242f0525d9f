//! # mixed-driver-versions
//!
//! ## What it checks
//! Driver packages that are built from one source stand on disk in different versions.
//!
//! ## Why it matters
//! A half-applied upgrade or a hold on some of the packages: the parts are not made to work together, and the next
//! apt run may move the rest.
//!
//! ## Evidence
//! The package database: packages of one source package, of the native architecture. Firmware, kernel modules,
//! transitional packages and tools with versions of their own (nvidia-settings, nvidia-modprobe, persistenced) do not
//! count, nor do names of another branch from another source.
//!
//! ## Fix
//! Bring all packages of the source to one version, in one transaction.
//!
//! ## What it does not see
//! Packages whose source is not recorded, and rpm hosts.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use crate::check::{Check, EvidenceLine, Finding, Look, Run, Severity, phrase};
use crate::derive::Derived;
use crate::derive::driver::{Applicability, DriverPackage, Role};
use crate::probe::ProbeId;

/// The check.
pub const CHECK: Check = Check {
    id: "mixed-driver-versions",
    severity: Severity::Warning,
    summary: "driver packages on disk disagree among themselves",
    source: include_str!("mixed_driver_versions.rs"),
    needs: &[ProbeId::Packages],
    symptoms: &["mismatch in versions between nvidia-smi and nvml", "the following packages have unmet dependencies"],
    run: Run::Host(run),
};

fn run(look: &Look<'_>, derived: &Derived) -> Vec<Finding> {
    let driver = &derived.driver;
    let Some(packages) = look.evidence.packages.known() else { return Vec::new() };
    if driver.applicability != Applicability::Applies || derived.upgrade.running {
        return Vec::new();
    }
    // Source package -> driver version -> packages.
    let mut sources: BTreeMap<&str, BTreeMap<&str, Vec<&DriverPackage>>> = BTreeMap::new();
    for package in driver.packages.iter().filter(|package| is_compared(package)) {
        let row =
            packages.rows.iter().find(|row| row.native && row.name == package.name && row.version == package.version);
        let (Some(row), Some(version)) = (row, package.driver_version.as_deref()) else { continue };
        if !row.source.is_empty() && !row.transitional {
            sources.entry(row.source.as_str()).or_default().entry(version).or_default().push(package);
        }
    }
    let mixed = sources.into_iter().filter(|(_, versions)| versions.len() > 1);
    mixed.map(|(source, versions)| finding(source, &versions)).collect()
}

fn is_compared(package: &DriverPackage) -> bool {
    let role = matches!(package.role, Role::Library | Role::Userspace | Role::DkmsSource | Role::Meta);
    role && !package.name.contains(':') && !package.state.contains('H')
}

fn finding(source: &str, versions: &BTreeMap<&str, Vec<&DriverPackage>>) -> Finding {
    let words: Vec<String> = versions
        .iter()
        .map(|(version, packages)| format!("{version} ({})", phrase::count(packages.len(), "package")))
        .collect();
    let names: BTreeSet<&str> = versions.values().flatten().map(|package| package.name.as_str()).collect();
    let line = |(version, packages): (&&str, &Vec<&DriverPackage>)| {
        let names: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
        EvidenceLine::new(ProbeId::Packages, format!("{version}: {}", names.join(", ")))
    };
    Finding {
        check: CHECK.id,
        severity: CHECK.severity,
        message: format!(
            "packages built from {source} are installed in {} versions: {}",
            versions.len(),
            words.join(", ")
        ),
        evidence: versions.iter().map(line).collect(),
        fix: format!(
            "See what holds some of them back, then bring all to one version together:\n    apt-mark showhold\n    apt-cache \
             policy {}\n    sudo apt-get install PACKAGE=VERSION ...\n",
            names.into_iter().collect::<Vec<_>>().join(" ")
        ),
        details: phrase::object(json!({ "source": source, "versions": versions.keys().collect::<Vec<_>>() })),
    }
}
