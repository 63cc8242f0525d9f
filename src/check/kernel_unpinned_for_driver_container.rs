//! # kernel-unpinned-for-driver-container
//!
//! ## What it checks
//! The driver comes from a GPU Operator driver container, and automatic upgrades may bring a new kernel to the host.
//!
//! ## Why it matters
//! Context: the container builds or fetches its module for the kernel that runs. After a reboot into a kernel it has no
//! module for, the node has no GPUs until the container's image catches up.
//!
//! ## Evidence
//! The library under `/run/nvidia/driver`, and the kernel's metapackages against the updater's rules.
//!
//! ## Fix
//! Hold the kernel's metapackages, and move them together with the container's image.
//!
//! ## What it does not see
//! Which kernels the container's image supports.

use serde_json::json;

use crate::check::{Check, EvidenceLine, Finding, Look, Run, Severity, exposure, phrase};
use crate::derive::Derived;
use crate::derive::driver::LibrarySource;
use crate::derive::protection;
use crate::probe::ProbeId;
use crate::remedy;

/// The check.
pub const CHECK: Check = Check {
    id: "kernel-unpinned-for-driver-container",
    severity: Severity::Info,
    summary: "the kernel may move under a driver container",
    source: include_str!("kernel_unpinned_for_driver_container.rs"),
    needs: &[],
    symptoms: &[],
    run: Run::Host(run),
};

fn run(look: &Look<'_>, derived: &Derived) -> Vec<Finding> {
    if !exposure::applies(derived) || derived.driver.library_source != LibrarySource::Container {
        return Vec::new();
    }
    look.hint(ProbeId::AptPolicy, &look.evidence.apt_policy);
    let kernels = protection::kernel_upgrades(look.evidence);
    if kernels.exposed.is_empty() {
        return Vec::new();
    }
    let names: Vec<&str> = kernels.exposed.iter().map(|(name, _)| name.as_str()).collect();
    let lines = kernels
        .exposed
        .iter()
        .map(|(name, how)| EvidenceLine::new(ProbeId::AptPolicy, format!("{name} is open to the updater: {how}")));
    vec![Finding {
        check: CHECK.id,
        severity: CHECK.severity,
        message: format!(
            "the driver lives in a container built for the running kernel, and automatic upgrades may bring another: {}",
            names.join(", ")
        ),
        evidence: lines.collect(),
        fix: format!("Move kernel and driver container together:\n    {}\n", remedy::hold_command(&names)),
        details: phrase::object(json!({ "kernels": names })),
    }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derive::protection::sample::Host;

    #[test]
    fn rule_10_the_host_kernel_matters_to_a_driver_container() {
        let mut host = Host::ubuntu(&["linux-image-generic"]);
        assert_eq!(host.check(run), vec![]);
        host.driver.library_source = LibrarySource::Container;
        assert_eq!(host.check(run)[0].details["kernels"], json!(["linux-image-generic"]));
        assert_eq!(host.hold(&["linux-image-generic"]).check(run), vec![]);
    }
}
