//! # reboot-loses-driver
//!
//! ## What it checks
//! The kernel that is expected to boot next has no NVIDIA module, or one of another version than the library on disk.
//!
//! ## Why it matters
//! The host works now and will not after the next reboot; or it is broken now and a reboot will not cure it. Freezing
//! the driver while the kernel still upgrades ends here.
//!
//! ## Evidence
//! The kernels with an image in /boot, GRUB's default and saved entry, and what modinfo says of each kernel's NVIDIA
//! module, with DKMS's table as a second source. If the next kernel is a guess (a saved entry, several flavours) and
//! some newer kernel does have the module, the finding is a warning. Without a kernel image on disk nothing is said.
//!
//! ## Fix
//! Give that kernel its module before anybody reboots: headers and DKMS, or the distribution's prebuilt package.
//!
//! ## What it does not see
//! The inside of an initramfs, a boot loader other than GRUB, and kernels that come over the network.

use serde_json::json;

use crate::check::{Check, EvidenceLine, Finding, Look, Run, Severity, phrase, reboot};
use crate::derive::Derived;
use crate::derive::driver::Relation;
use crate::probe::ProbeId;
use crate::probe::kernels::Kernels;
use crate::reading::Reading;

/// The check.
pub const CHECK: Check = Check {
    id: "reboot-loses-driver",
    severity: Severity::Critical,
    summary: "the kernel that boots next has no NVIDIA module of the library's version",
    source: include_str!("reboot_loses_driver.rs"),
    needs: &[ProbeId::Kernels],
    symptoms: &["module nvidia not found in directory /lib/modules", "couldn't communicate with the nvidia driver"],
    run: Run::Host(run),
};

fn run(look: &Look<'_>, derived: &Derived) -> Vec<Finding> {
    let (driver, next) = (&derived.driver, &derived.next_boot);
    let judged = matches!(driver.relation, Relation::Equal | Relation::LibraryNewer | Relation::ModuleNewer);
    let (Some(release), Some(kernels)) = (&next.kernel, look.evidence.kernels.known()) else { return Vec::new() };
    if !judged || next.agrees != Some(false) {
        return Vec::new();
    }
    let library = driver.library.known().cloned().unwrap_or_default();
    let severity =
        if next.certain || !a_newer_kernel_has_it(kernels, &library) { Severity::Critical } else { Severity::Warning };
    let module = match &next.module_version {
        Reading::Known(version) => format!("module {version}, not the library's {library}"),
        _ => "no NVIDIA module".to_owned(),
    };
    let mut evidence = vec![EvidenceLine::new(ProbeId::Kernels, format!("running kernel {}", kernels.running))];
    for kernel in kernels.installed.iter().rev().take(6) {
        let text = match &kernel.module {
            Reading::Known(file) => format!("{}: module {} at {}", kernel.release, file.version, file.path),
            Reading::Absent => format!("{}: no NVIDIA module", kernel.release),
            Reading::Unread(why) => format!("{}: module not read ({})", kernel.release, why.reason),
        };
        evidence.push(EvidenceLine::new(ProbeId::Kernels, text));
    }
    if let Some(dkms) = look.hint(ProbeId::Dkms, &look.evidence.dkms).known() {
        for row in dkms.rows.iter().take(6) {
            let kernel = row.kernel.as_deref().unwrap_or("no kernel");
            evidence.push(EvidenceLine::new(
                ProbeId::Dkms,
                format!("{}/{} for {kernel}: {}", row.module, row.version, row.status),
            ));
        }
    }
    let guess = next
        .doubt
        .as_ref()
        .map(|doubt| format!("; that it boots next is a guess, because {doubt}"))
        .unwrap_or_default();
    let effect = if driver.relation == Relation::Equal {
        "the next reboot will lose the driver"
    } else {
        "a reboot will not cure the mismatch"
    };
    vec![Finding {
        check: CHECK.id,
        severity,
        message: format!("{effect}: kernel {release} has {module}{guess}"),
        evidence,
        fix: format!(
            "Do not reboot before kernel {release} has a module of version {library}:\n{}",
            reboot::build_commands(derived, release)
        ),
        details: phrase::object(json!({
            "kernel": release,
            "running": kernels.running,
            "certain": next.certain,
            "doubt": next.doubt,
            "module_version": next.module_version.known(),
            "library": library,
            "source": next.source.word(),
        })),
    }]
}

/// Some installed kernel newer than the running one has a module of the library's version.
fn a_newer_kernel_has_it(kernels: &Kernels, library: &str) -> bool {
    let newer = kernels.installed.iter().skip_while(|kernel| kernel.release != kernels.running).skip(1);
    newer.filter(|kernel| kernel.image).any(|kernel| kernel.module.known().is_some_and(|file| file.version == library))
}
