//! # kernel-not-held-with-driver
//!
//! ## What it checks
//! Automatic upgrades keep bringing in new kernels while the NVIDIA modules for them are held back.
//!
//! ## Why it matters
//! Prebuilt modules come one package per kernel, and the package for a new kernel asks for the userspace it was built
//! with. With the driver frozen it is kept back, the kernel is not, and the next boot has no NVIDIA module: the list that
//! was meant to protect makes the second incident.
//!
//! ## Evidence
//! Which module packages are installed, which of the driver is kept back, and whether the kernel's metapackages are open
//! to the updater. With DKMS, and headers that follow the kernel, modules are built on the host and nothing is said.
//!
//! ## Fix
//! Freeze the kernel along with the driver, or move to DKMS with matching headers. Freezing costs automatic kernel
//! security updates.
//!
//! ## What it does not see
//! Kernels that a person installs by hand; `reboot-loses-driver` looks at what is installed now.

use serde_json::json;

use crate::check::{Check, EvidenceLine, Finding, Look, Run, Severity, exposure, phrase};
use crate::derive::Derived;
use crate::derive::driver::Role;
use crate::derive::protection::{self, Level, Protected};
use crate::probe::ProbeId;

/// The check.
pub const CHECK: Check = Check {
    id: "kernel-not-held-with-driver",
    severity: Severity::Warning,
    summary: "the kernel still upgrades while its NVIDIA modules are held back",
    source: include_str!("kernel_not_held_with_driver.rs"),
    needs: &[ProbeId::Packages, ProbeId::Updater, ProbeId::AptConfig, ProbeId::AptPolicy],
    symptoms: &[],
    run: Run::Host(run),
};

fn run(look: &Look<'_>, derived: &Derived) -> Vec<Finding> {
    if !exposure::applies(derived) || !matches!(derived.protection.level, Some(Level::Full | Level::Partial)) {
        return Vec::new();
    }
    if exposure::kernels_to_freeze(look, derived).is_empty() {
        return Vec::new();
    }
    let back = held_back(derived);
    if back.is_empty() {
        return Vec::new();
    }
    let kernels = protection::kernel_upgrades(look.evidence);
    let open: Vec<&str> = kernels.exposed.iter().map(|(name, _)| name.as_str()).collect();
    let mut evidence: Vec<EvidenceLine> = kernels
        .exposed
        .iter()
        .map(|(name, how)| EvidenceLine::new(ProbeId::AptPolicy, format!("{name} is open to the updater: {how}")))
        .collect();
    evidence.push(EvidenceLine::new(ProbeId::Packages, format!("held back: {}", back.join(", "))));
    vec![Finding {
        check: CHECK.id,
        severity: CHECK.severity,
        message: format!(
            "new kernels still come in ({}) while the NVIDIA modules for them are held back ({}): the boot after the next \
             kernel has no driver",
            open.join(", "),
            back.join(", ")
        ),
        evidence,
        fix: exposure::fix(look, derived),
        details: phrase::object(json!({ "kernels": open, "held_back": back })),
    }]
}

/// Module packages that cannot move, and the driver packages that new module packages wait for.
fn held_back(derived: &Derived) -> Vec<String> {
    let kept = |name: &str| {
        derived
            .protection
            .packages
            .iter()
            .any(|package| package.name == name && matches!(package.state, Protected::Blocked | Protected::Tied))
    };
    let role_of = |wanted: Role| derived.driver.packages.iter().filter(move |package| package.role == wanted);
    let mut out: Vec<String> =
        role_of(Role::KernelModule).map(|package| package.name.clone()).filter(|name| kept(name)).collect();
    if out.is_empty() {
        out = derived
            .driver
            .packages
            .iter()
            .filter(|package| package.role == Role::DkmsSource || package.name.starts_with("nvidia-kernel-common"))
            .map(|package| package.name.clone())
            .filter(|name| kept(name))
            .collect();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derive::protection::sample::Host;

    fn prebuilt() -> Host {
        let mut host = Host::ubuntu(&[
            "libnvidia-compute-535",
            "nvidia-kernel-common-535",
            "linux-modules-nvidia-535-generic",
            "linux-image-generic",
            "linux-headers-generic",
        ]);
        host.blacklist(&["nvidia-", "libnvidia-", "linux-modules-nvidia-"]);
        host
    }

    #[test]
    fn prebuilt_modules_kept_back_while_the_kernel_moves() {
        let findings = prebuilt().check(run);
        assert_eq!(
            findings[0].message,
            "new kernels still come in (linux-image-generic) while the NVIDIA modules for them are held back \
             (linux-modules-nvidia-535-generic): the boot after the next kernel has no driver"
        );
        assert!(findings[0].fix.contains("    \"linux-(image|headers|modules)-\";\n"));
        assert!(findings[0].fix.contains("no automatic kernel security updates"));
    }

    #[test]
    fn modules_that_wait_for_a_blocked_kernel_common_count_as_held_back() {
        let mut host = Host::ubuntu(&[
            "libnvidia-compute-535",
            "nvidia-kernel-common-535",
            "linux-modules-nvidia-535-generic",
            "linux-image-generic",
        ]);
        let findings = host.blacklist(&["nvidia-", "libnvidia-"]).check(run);
        assert_eq!(findings[0].details["held_back"], json!(["nvidia-kernel-common-535"]));
    }

    #[test]
    fn silent_when_the_kernel_is_kept_too_or_dkms_builds() {
        assert_eq!(prebuilt().blacklist(&["linux-"]).check(run), vec![]);
        assert_eq!(prebuilt().hold(&["linux-image-generic"]).check(run), vec![]);
        let mut host = prebuilt();
        host.add("nvidia-dkms-535", crate::derive::protection::sample::OLD, "", "");
        assert_eq!(host.check(run), vec![]);
        let mut bare = Host::ubuntu(&["libnvidia-compute-535", "nvidia-dkms-535", "linux-image-generic"]);
        assert_eq!(bare.blacklist(&["nvidia-", "libnvidia-"]).check(run), vec![], "nothing is known of its headers");
        bare.add("linux-headers-5.15.0-112-generic", "5.15.0-112.122", "", "");
        assert_eq!(bare.check(run).len(), 1, "rule 15: headers do not follow");
    }

    #[test]
    fn silent_when_the_driver_moves_with_the_kernel() {
        let mut host =
            Host::ubuntu(&["libnvidia-compute-535", "linux-modules-nvidia-535-generic", "linux-image-generic"]);
        assert_eq!(host.check(run), vec![]);
        assert_eq!(host.blacklist(&["libnvidia-"]).check(run), vec![]);
    }
}
