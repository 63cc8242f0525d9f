//! # driver-container-conflict
//!
//! ## What it checks
//! The host has driver packages of its own, and a GPU Operator driver container has put a driver under
//! `/run/nvidia/driver`.
//!
//! ## Why it matters
//! Two owners of one kernel module: whichever loads first wins, and an upgrade of either breaks the other's library.
//!
//! ## Evidence
//! The library inside `/run/nvidia/driver` and the host's driver packages. A driver root that only links to the host's
//! own files is no container.
//!
//! ## Fix
//! Keep one: either remove the host's packages, or set `driver.enabled=false` in the GPU Operator.
//!
//! ## What it does not see
//! A driver container that is not running at the moment.

use serde_json::json;

use crate::check::{Check, EvidenceLine, Finding, Look, Run, Severity, phrase};
use crate::derive::Derived;
use crate::derive::driver::{Applicability, Role};
use crate::probe::ProbeId;

/// The check.
pub const CHECK: Check = Check {
    id: "driver-container-conflict",
    severity: Severity::Warning,
    summary: "host driver packages beside a GPU Operator driver container",
    source: include_str!("driver_container_conflict.rs"),
    needs: &[ProbeId::Library, ProbeId::Packages],
    symptoms: &[
        "could not unload nvidia driver kernel modules, driver is in use",
        "driver is pre-installed on the host",
    ],
    run: Run::Host(run),
};

fn run(look: &Look<'_>, derived: &Derived) -> Vec<Finding> {
    if derived.driver.applicability != Applicability::Applies {
        return Vec::new();
    }
    let Some(libraries) = look.evidence.library.known() else { return Vec::new() };
    let Some(inside) = libraries.container.known() else { return Vec::new() };
    if libraries.host.known().is_some_and(|host| host.target == inside.target) {
        return Vec::new();
    }
    look.hint(ProbeId::Packages, &look.evidence.packages);
    let packages: Vec<_> = derived
        .driver
        .packages
        .iter()
        .filter(|package| !matches!(package.role, Role::OwnVersion | Role::Firmware | Role::FabricManager))
        .collect();
    let Some(first) = packages.first() else { return Vec::new() };
    let of_container = inside.version.known().cloned().unwrap_or_else(|| "an unknown version".to_owned());
    let host = first.driver_version.clone().unwrap_or_else(|| first.version.clone());
    vec![Finding {
        check: CHECK.id,
        severity: CHECK.severity,
        message: format!(
            "{} of driver {host} on the host, beside a driver container with {of_container}: two owners of one module",
            phrase::count(packages.len(), "package")
        ),
        evidence: vec![
            EvidenceLine::new(ProbeId::Library, format!("{} -> {}", inside.link, inside.target)),
            EvidenceLine::new(ProbeId::Packages, format!("{} {}", first.name, first.version)),
        ],
        fix: "Keep one of the two. With the container, remove the host's packages in a maintenance window (look at the list \
              before you agree):\n    sudo apt-get purge --simulate 'nvidia-driver-*' 'libnvidia-compute-*'\nWith the host's \
              packages, tell the GPU Operator:\n    helm upgrade gpu-operator nvidia/gpu-operator --reuse-values --set \
              driver.enabled=false\n"
            .to_owned(),
        details: phrase::object(json!({
            "host": host,
            "container": inside.version.known(),
            "loaded": derived.driver.loaded.known(),
            "packages": packages.iter().map(|package| package.name.as_str()).collect::<Vec<_>>(),
        })),
    }]
}
