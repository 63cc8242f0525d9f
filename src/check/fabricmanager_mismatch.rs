//! # fabricmanager-mismatch
//!
//! ## What it checks
//! The fabric manager package has another version than the loaded driver. It has to be the same to the last digit.
//!
//! ## Why it matters
//! On machines with NVSwitch the fabric manager refuses to start beside another driver, and without it CUDA does not
//! initialise on any GPU.
//!
//! ## Evidence
//! The version of the `nvidia-fabricmanager` package, the loaded module's version, whether the service is enabled or
//! active, and whether an NVSwitch is on the PCI bus. Where neither is so, the finding is only `info`.
//!
//! ## Fix
//! Install the fabric manager of the driver's version, and block both from automatic upgrades together.
//!
//! ## What it does not see
//! A fabric manager that was not installed as a package. While the driver itself is mismatched, this is named as a
//! consequence there.

use serde_json::json;

use crate::check::{Check, EvidenceLine, Finding, Look, Run, Severity, phrase};
use crate::derive::Derived;
use crate::derive::driver::{Applicability, Role};
use crate::probe::ProbeId;

/// The check.
pub const CHECK: Check = Check {
    id: "fabricmanager-mismatch",
    severity: Severity::Critical,
    summary: "the fabric manager's version is not the loaded driver's",
    source: include_str!("fabricmanager_mismatch.rs"),
    needs: &[ProbeId::Module],
    symptoms: &[
        "fabric manager nvidia gpu driver interface version",
        "match with driver version",
        "please update with matching nvidia driver package",
        "cuda_error_system_not_ready",
        "system not yet initialized",
    ],
    run: Run::Host(run),
};

/// A fabric manager of another version than the loaded driver.
pub(super) struct Differing {
    /// Its package.
    pub package: String,
    /// Its version.
    pub version: String,
    full_version: String,
}

/// The fabric manager package, if its version differs from the loaded one. A transitional package holds none.
pub(super) fn differing(look: &Look<'_>, derived: &Derived) -> Option<Differing> {
    let loaded = derived.driver.loaded.known()?;
    let rows = look.evidence.packages.known().map(|packages| packages.rows.as_slice()).unwrap_or_default();
    let transitional = |name: &str| rows.iter().any(|row| row.name == name && row.transitional);
    let managers = || {
        derived.driver.packages.iter().filter(|package| {
            package.role == Role::FabricManager
                && package.name.starts_with("nvidia-fabric")
                && !transitional(&package.name)
        })
    };
    // One of the right version is enough: names of several branches can stand side by side.
    if managers().any(|package| package.driver_version.as_ref() == Some(loaded)) {
        return None;
    }
    let package = managers().find(|package| package.driver_version.is_some())?;
    Some(Differing {
        package: package.name.clone(),
        version: package.driver_version.clone()?,
        full_version: package.version.clone(),
    })
}

fn run(look: &Look<'_>, derived: &Derived) -> Vec<Finding> {
    let driver = &derived.driver;
    if driver.applicability != Applicability::Applies || driver.relation.differs() {
        return Vec::new();
    }
    let (Some(loaded), Some(fabric)) = (driver.loaded.known(), differing(look, derived)) else { return Vec::new() };
    let unit = look.hint(ProbeId::FabricManager, &look.evidence.fabricmanager).known().map(|manager| &manager.unit);
    let switches = look.hint(ProbeId::Pci, &look.evidence.pci).known().map_or(0, |pci| pci.nvswitches);
    let in_use = unit.is_some_and(|unit| {
        unit.enabled.starts_with("enabled") || matches!(unit.active.as_str(), "active" | "activating")
    });
    let severity = if in_use || switches > 0 { Severity::Critical } else { Severity::Info };
    let mut evidence = vec![
        EvidenceLine::new(ProbeId::Packages, format!("{} {}", fabric.package, fabric.full_version)),
        EvidenceLine::new(ProbeId::Module, format!("loaded module {loaded}")),
    ];
    if let Some(unit) = unit {
        let text = format!("nvidia-fabricmanager.service is {} and {}", unit.enabled, unit.active);
        evidence.push(EvidenceLine::new(ProbeId::FabricManager, text));
    }
    if switches > 0 {
        evidence.push(EvidenceLine::new(
            ProbeId::Pci,
            format!("{} on the PCI bus", phrase::count(switches, "NVSwitch device")),
        ));
    }
    let why = match severity {
        Severity::Critical => "",
        _ => "; its service is not in use and no NVSwitch is seen",
    };
    vec![Finding {
        check: CHECK.id,
        severity,
        message: format!("fabric manager {} beside driver {loaded}: they must be equal{why}", fabric.version),
        evidence,
        fix: format!(
            "Install the fabric manager of driver {loaded}, then start it:\n    apt-cache madison {name}\n    sudo apt-get \
             install {name}={loaded}-REVISION\n    sudo systemctl restart nvidia-fabricmanager\n",
            name = fabric.package
        ),
        details: phrase::object(
            json!({ "fabricmanager": fabric.version, "loaded": loaded, "nvswitches": switches, "in_use": in_use }),
        ),
    }]
}
