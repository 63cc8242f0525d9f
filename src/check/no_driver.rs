//! # no-driver
//!
//! ## What it checks
//! An NVIDIA GPU is on the PCI bus, and the host has neither NVIDIA's module nor a driver package nor the library.
//!
//! ## Why it matters
//! The GPU is paid for and cannot be used. Or the host is new and was forgotten.
//!
//! ## Evidence
//! Devices of vendor 10de and display class on the PCI bus, the package database, the library's usual places.
//!
//! ## Fix
//! Install the driver that the fleet runs, and keep automatic upgrades off it from the start.
//!
//! ## What it does not see
//! GPUs that are handed to virtual machines (vfio-pci) do not count; a host that has only those is not applicable.

use serde_json::json;

use crate::check::{Check, EvidenceLine, Finding, Look, Run, Severity, phrase};
use crate::derive::Derived;
use crate::derive::driver::{Applicability, Gpus, expected_gpu_is_missing, has_driver_packages};
use crate::probe::ProbeId;

/// The check.
pub const CHECK: Check = Check {
    id: "no-driver",
    severity: Severity::Warning,
    summary: "a GPU without any NVIDIA driver",
    source: include_str!("no_driver.rs"),
    needs: &[ProbeId::Module, ProbeId::Pci, ProbeId::Library, ProbeId::Packages],
    symptoms: &["nvidia-smi: command not found", "nvidia-smi: not found"],
    run: Run::Host(run),
};

fn run(look: &Look<'_>, derived: &Derived) -> Vec<Finding> {
    let driver = &derived.driver;
    let Gpus::Own(gpus) = Gpus::of(look.evidence) else { return Vec::new() };
    let nothing = driver.loaded.is_absent() && driver.library.is_absent() && !has_driver_packages(&driver.packages);
    if driver.applicability != Applicability::Applies || expected_gpu_is_missing(look) || !nothing {
        return Vec::new();
    }
    if look.need(ProbeId::Packages, &look.evidence.packages).why_unread().is_some() {
        return Vec::new();
    }
    let nouveau = look.evidence.module.known().is_some_and(|module| module.nouveau);
    let beside = if nouveau { "; nouveau drives it" } else { "" };
    let devices = look.evidence.pci.known().map(|pci| pci.gpus.as_slice()).unwrap_or_default();
    let listed: Vec<String> = devices.iter().map(|gpu| format!("{} (10de:{})", gpu.address, gpu.device)).collect();
    vec![Finding {
        check: CHECK.id,
        severity: CHECK.severity,
        message: format!("{} without NVIDIA driver: no module, no library, no package{beside}", phrase::count(gpus, "GPU")),
        evidence: vec![
            EvidenceLine::new(ProbeId::Pci, listed.join(", ")),
            EvidenceLine::new(ProbeId::Module, "the `nvidia` module is not loaded"),
            EvidenceLine::new(ProbeId::Packages, "no driver package is installed"),
        ],
        fix: "Install the driver your other hosts run (Ubuntu shown), then reboot when a person decides:\n    ubuntu-drivers list \
              --gpgpu\n    sudo apt-get install nvidia-headless-BRANCH-server nvidia-utils-BRANCH-server\n"
            .to_owned(),
        details: phrase::object(json!({ "gpus": gpus, "nouveau": nouveau, "expected": look.context.expect_driver })),
    }]
}
