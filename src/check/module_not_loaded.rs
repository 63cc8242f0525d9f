//! # module-not-loaded
//!
//! ## What it checks
//! A GPU and a driver are there, and the NVIDIA module is not in memory. Also: a driver is declared for the host and no
//! GPU is seen at all, as when one fell off the bus.
//!
//! ## Why it matters
//! No GPU work can run on the host, though its packages look right.
//!
//! ## Evidence
//! `/proc/driver/nvidia/version` and `/sys/module`, the PCI bus with the kernel driver bound to each GPU, the installed
//! packages, the module file of the running kernel, modprobe's configuration, what the kernel log says of the module,
//! and whether the driver was installed only after the boot. A module that is kept out on purpose (a `blacklist` or
//! `install` line, a switched-off hybrid laptop) is a warning that quotes the line.
//!
//! ## Fix
//! `modprobe nvidia` where the module file is there; a reboot where nouveau holds the card; a module for the running
//! kernel where it is missing; signing where Secure Boot refuses it.
//!
//! ## What it does not see
//! GPUs that are handed to virtual machines (vfio-pci) are not the host's and are left out, as are containers.

use serde_json::json;

use crate::check::{Check, EvidenceLine, Finding, Look, Run, Severity, phrase, reboot};
use crate::derive::Derived;
use crate::derive::driver::{Applicability, Gpus, expected_gpu_is_missing, has_driver_packages};
use crate::derive::upgrade::DriverChange;
use crate::probe::ProbeId;
use crate::reading::Reading;

/// The check.
pub const CHECK: Check = Check {
    id: "module-not-loaded",
    severity: Severity::Critical,
    summary: "a GPU and its driver are there, and the kernel module is not loaded",
    source: include_str!("module_not_loaded.rs"),
    needs: &[ProbeId::Module, ProbeId::Pci, ProbeId::Library, ProbeId::Packages],
    symptoms: &[
        "couldn't communicate with the nvidia driver",
        "make sure that the latest nvidia driver is installed and running",
        "nvml error: driver not loaded",
        "module nvidia not found",
        "could not insert 'nvidia'",
        "key was rejected by service",
        "no cuda-capable device",
    ],
    run: Run::Host(run),
};

fn run(look: &Look<'_>, derived: &Derived) -> Vec<Finding> {
    let driver = &derived.driver;
    if driver.applicability != Applicability::Applies {
        return Vec::new();
    }
    if expected_gpu_is_missing(look) {
        return vec![gpu_missing(look, derived)];
    }
    if !driver.loaded.is_absent() || !matches!(Gpus::of(look.evidence), Gpus::Own(_)) {
        return Vec::new();
    }
    let has_driver = has_driver_packages(&driver.packages) || driver.library.known().is_some();
    if !has_driver {
        look.need(ProbeId::Packages, &look.evidence.packages);
        return Vec::new();
    }
    let reason = reason(look, derived);
    let sentence = &derived.next_boot.sentence;
    let next = if sentence.is_empty() { String::new() } else { format!("; {sentence}") };
    let mut evidence = vec![EvidenceLine::new(ProbeId::Module, "the `nvidia` module is not loaded")];
    evidence.extend(gpus(look));
    evidence.extend(installed(derived));
    evidence.extend(reason.evidence);
    let after_boot = installed_after_boot(derived);
    evidence.extend(after_boot.map(|change| EvidenceLine::new(change.probe, change.record.clone())));
    let booted = look.evidence.boot.known().map(|boot| format!(", booted {}", phrase::time(boot.booted_at)));
    let booted = booted.unwrap_or_default();
    let since =
        after_boot.map(|change| format!("; the driver was installed after boot ({}{booted})", phrase::time(change.at)));
    let since = since.unwrap_or_default();
    vec![Finding {
        check: CHECK.id,
        severity: reason.severity,
        message: format!(
            "a GPU is on the bus and the driver is installed, but its module is not loaded: {}{since}{next}",
            reason.text
        ),
        evidence,
        fix: reason.fix,
        details: phrase::object(json!({
            "cause": reason.cause,
            "installed_after_boot": after_boot.map(|change| change.at.to_string()),
            "library": driver.library.known(),
            "gpus": look.evidence.pci.known().map(|pci| pci.gpus.len()),
            "reboot_cures": derived.next_boot.agrees,
        })),
    }]
}

fn gpu_missing(look: &Look<'_>, derived: &Derived) -> Finding {
    let expected = look.context.expect_driver.clone().unwrap_or_default();
    let loaded = derived.driver.loaded.known();
    let module = loaded.map_or("no module is loaded".to_owned(), |loaded| format!("module {loaded} is loaded"));
    let mut evidence = vec![
        EvidenceLine::new(ProbeId::Pci, "no NVIDIA GPU (class 03) is on the PCI bus"),
        EvidenceLine::new(ProbeId::Module, module),
    ];
    evidence.extend(installed(derived));
    Finding {
        check: CHECK.id,
        severity: Severity::Critical,
        message: format!("driver {expected} is declared for this host and no GPU is seen: it may have fallen off the bus"),
        evidence,
        fix: "Look for the GPU and for what the kernel said of it:\n    lspci -d 10de:\n    sudo dmesg | grep -iE 'nvrm|xid|fallen off the bus'\n\
              A GPU that fell off the bus usually comes back only with a power cycle; other services may share the node, so \
              when is a person's decision. If the host has no GPU any more, remove its declared driver from the inventory.\n"
            .to_owned(),
        details: phrase::object(json!({ "cause": "gpu-missing", "expected": expected, "loaded": loaded, "gpus": 0 })),
    }
}

struct Because {
    cause: &'static str,
    severity: Severity,
    text: String,
    fix: String,
    evidence: Vec<EvidenceLine>,
}

fn reason(look: &Look<'_>, derived: &Derived) -> Because {
    on_purpose(look)
        .or_else(|| nouveau(look))
        .or_else(|| refused(look))
        .or_else(|| no_file(look, derived))
        .unwrap_or_else(|| not_yet_loaded(derived))
}

fn on_purpose(look: &Look<'_>) -> Option<Because> {
    let modprobe = look.hint(ProbeId::Modprobe, &look.evidence.modprobe).known()?;
    // Debian loads its module under another name with an `install` line: that is no block.
    let blocks = |line: &str| !(line.trim_start().starts_with("install") && line.contains("modprobe"));
    let (file, line) = modprobe.nvidia_blocked.iter().find(|(_, line)| blocks(line))?;
    Some(Because {
        cause: "on-purpose",
        severity: Severity::Warning,
        text: format!("it is kept out on purpose by `{}` in {file}", line.trim()),
        fix: format!(
            "If that is no longer wanted, remove the line from {file}, then:\n    sudo update-initramfs -u\n    sudo modprobe nvidia\n"
        ),
        evidence: vec![EvidenceLine::new(ProbeId::Modprobe, format!("{file}: {}", line.trim()))],
    })
}

fn nouveau(look: &Look<'_>) -> Option<Because> {
    let loaded = look.evidence.module.known().is_some_and(|module| module.nouveau);
    let bound = look
        .evidence
        .pci
        .known()
        .is_some_and(|pci| pci.gpus.iter().any(|gpu| gpu.driver.as_deref() == Some("nouveau")));
    (loaded || bound).then(|| Because {
        cause: "nouveau",
        severity: Severity::Critical,
        text: "nouveau holds the card".to_owned(),
        fix: "Keep nouveau out and reboot; when is a person's decision, other services may share the node:\n    \
              printf 'blacklist nouveau\\noptions nouveau modeset=0\\n' | sudo tee /etc/modprobe.d/blacklist-nouveau.conf\n    \
              sudo update-initramfs -u\n    sudo systemctl reboot\n"
            .to_owned(),
        evidence: vec![EvidenceLine::new(ProbeId::Module, "the `nouveau` module is loaded")],
    })
}

fn refused(look: &Look<'_>) -> Option<Because> {
    let log = look.hint(ProbeId::KernelLog, &look.evidence.kernel_log).known()?;
    if let Some(line) = &log.signature_refused {
        return Some(Because {
            cause: "signature-refused",
            severity: Severity::Critical,
            text: "the kernel refused its signature (Secure Boot)".to_owned(),
            fix: "Enrol the key that signs the module and reboot, or use the distribution's signed modules:\n    \
                  sudo mokutil --test-key /var/lib/shim-signed/mok/MOK.der\n    sudo update-secureboot-policy --enroll-key\n"
                .to_owned(),
            evidence: vec![EvidenceLine::new(ProbeId::KernelLog, line.clone())],
        });
    }
    let version = log.refused_by.as_ref()?;
    Some(Because {
        cause: "gpu-refused",
        severity: Severity::Critical,
        text: format!("driver {version} refused this GPU, which it does not support"),
        fix: "Install a driver branch that supports this GPU:\n    sudo dmesg | grep NVRM\n    ubuntu-drivers list\n"
            .to_owned(),
        evidence: vec![EvidenceLine::new(
            ProbeId::KernelLog,
            format!("driver {version} does not support an installed GPU"),
        )],
    })
}

fn no_file(look: &Look<'_>, derived: &Derived) -> Option<Because> {
    let kernels = look.hint(ProbeId::Kernels, &look.evidence.kernels).known()?;
    let running = kernels.installed.iter().find(|kernel| kernel.release == kernels.running)?;
    matches!(running.module, Reading::Absent).then(|| Because {
        cause: "no-module-file",
        severity: Severity::Critical,
        text: format!("the running kernel {} has no NVIDIA module on disk", kernels.running),
        fix: format!(
            "Give the running kernel its module, then load it:\n{}    sudo modprobe nvidia\n",
            reboot::build_commands(derived, &kernels.running)
        ),
        evidence: vec![EvidenceLine::new(ProbeId::Kernels, format!("modinfo finds no module for {}", kernels.running))],
    })
}

/// The change that installed the driver, when it came after the boot.
fn installed_after_boot(derived: &Derived) -> Option<&DriverChange> {
    derived.upgrade.last().filter(|last| last.after_boot == Some(true) && last.to.is_some())
}

fn not_yet_loaded(derived: &Derived) -> Because {
    let fix =
        "Load it and look at what the kernel says:\n    sudo modprobe nvidia\n    sudo dmesg | grep NVRM | tail\n"
            .to_owned();
    let (cause, text) = match installed_after_boot(derived) {
        Some(_) => ("installed-after-boot", "nothing has loaded it yet"),
        None => ("unknown", "nothing on the host says why"),
    };
    Because { cause, severity: Severity::Critical, text: text.to_owned(), fix, evidence: vec![] }
}

fn gpus(look: &Look<'_>) -> Option<EvidenceLine> {
    let pci = look.evidence.pci.known()?;
    let each = |gpu: &crate::probe::pci::Gpu| match &gpu.driver {
        Some(driver) => format!("{} bound to {driver}", gpu.address),
        None => format!("{} bound to nothing", gpu.address),
    };
    Some(EvidenceLine::new(ProbeId::Pci, pci.gpus.iter().map(each).collect::<Vec<_>>().join(", ")))
}

fn installed(derived: &Derived) -> Option<EvidenceLine> {
    let driver = &derived.driver;
    if let Some(package) = driver.packages.first() {
        return Some(EvidenceLine::new(ProbeId::Packages, format!("{} {} and more", package.name, package.version)));
    }
    driver.library.known().map(|library| EvidenceLine::new(ProbeId::Library, format!("library {library} is installed")))
}
