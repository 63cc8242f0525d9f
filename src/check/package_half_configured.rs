//! # package-half-configured
//!
//! ## What it checks
//! dpkg has unpacked a driver package and not configured it, or left it half-installed.
//!
//! ## Why it matters
//! Part of the driver is of the new version and part may not work: modules not built or linked, links not set. Every
//! later apt run stops at it too.
//!
//! ## Evidence
//! dpkg's state letters of each driver package: `U` unpacked, `F` configuration failed, `H` half-installed, and the
//! reinstallation mark.
//!
//! ## Fix
//! Let dpkg finish and read what it says; a failing DKMS build is the usual reason.
//!
//! ## What it does not see
//! Packages that only wait for a trigger; they work. While apt or dpkg is running nothing is said.

use serde_json::json;

use crate::check::{Check, EvidenceLine, Finding, Look, Run, Severity, phrase};
use crate::derive::Derived;
use crate::derive::driver::{Applicability, DriverPackage, Role};
use crate::probe::ProbeId;

/// The check.
pub const CHECK: Check = Check {
    id: "package-half-configured",
    severity: Severity::Critical,
    summary: "a driver package is unpacked and not configured",
    source: include_str!("package_half_configured.rs"),
    needs: &[ProbeId::Packages],
    symptoms: &[
        "dpkg was interrupted, you must manually run",
        "subprocess installed post-installation script returned error",
        "not fully installed or removed",
        "errors were encountered while processing",
        "bad return status for module build",
    ],
    run: Run::Host(run),
};

fn run(_look: &Look<'_>, derived: &Derived) -> Vec<Finding> {
    let half: Vec<&DriverPackage> = derived.driver.packages.iter().filter(|package| is_half(package)).collect();
    if half.is_empty() || derived.driver.applicability != Applicability::Applies || derived.upgrade.running {
        return Vec::new();
    }
    let names: Vec<&str> = half.iter().map(|package| package.name.as_str()).collect();
    let line = |package: &&DriverPackage| {
        EvidenceLine::new(ProbeId::Packages, format!("{} {} {}", package.state, package.name, package.version))
    };
    vec![Finding {
        check: CHECK.id,
        severity: CHECK.severity,
        message: format!(
            "{} unpacked and not configured: {}",
            phrase::count(half.len(), "driver package"),
            names.join(", ")
        ),
        evidence: half.iter().map(line).collect(),
        fix:
            "Let dpkg finish, and read what stops it:\n    sudo dpkg --configure -a\n    sudo apt-get -f install\n    \
              dpkg --audit\n"
                .to_owned(),
        details: phrase::object(json!({ "packages": names })),
    }]
}

fn is_half(package: &DriverPackage) -> bool {
    let state = package.state.chars().nth(1).unwrap_or('i');
    package.role != Role::OwnVersion && (matches!(state, 'U' | 'F' | 'H') || package.state.chars().nth(2) == Some('R'))
}
