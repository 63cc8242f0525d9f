//! Evidence and what follows from it, as the report's facts.

use crate::check::{BaselineBy, HostContext};
use crate::derive::Derived;
use crate::derive::driver::{Applicability, LibrarySource};
use crate::derive::protection::Level;
use crate::derive::upgrade::DriverChange;
use crate::evidence::Evidence;
use crate::probe::module::Flavor;
use crate::probe::nvidia_smi::SmiState;
use crate::reading::Reading;
use crate::report::model;

/// The facts of one host.
pub fn facts(evidence: &Evidence, derived: &Derived, context: &HostContext) -> model::Facts {
    let driver = &derived.driver;
    let protection = &derived.protection;
    model::Facts {
        loaded_version: driver.loaded.known().cloned(),
        module_flavor: driver.flavor.map(|flavor| {
            match flavor {
                Flavor::Open => "open",
                Flavor::Proprietary => "proprietary",
            }
            .to_owned()
        }),
        library_version: driver.library.known().cloned(),
        library_source: driver.library.known().map(|_| {
            match driver.library_source {
                LibrarySource::File => "file",
                LibrarySource::Package => "package",
                LibrarySource::Container => "container",
            }
            .to_owned()
        }),
        driver_packages: packages(derived),
        kernel: evidence.kernels.known().map(|kernels| kernels.running.clone()).filter(|running| !running.is_empty()),
        booted_at: evidence.boot.known().map(|boot| boot.booted_at),
        last_driver_upgrade: derived.upgrade.last().map(upgrade),
        auto_upgrade: protection.auto_upgrade.word().to_owned(),
        protection: match (&driver.applicability, protection.level) {
            (Applicability::NotApplicable(_), _) => Level::NotNeeded.word().to_owned(),
            (_, Some(level)) => level.word().to_owned(),
            (_, None) => "unknown".to_owned(),
        },
        protected_by: protection.by.iter().map(|guard| guard.word().to_owned()).collect(),
        uncovered: protection.uncovered().map(|package| package.name.clone()).collect(),
        blacklist: protection.blacklist.iter().map(|pattern| pattern.text.clone()).collect(),
        next_boot: evidence.kernels.known().map(|_| model::NextBoot {
            kernel: derived.next_boot.kernel.clone(),
            module_version: derived.next_boot.module_version.known().cloned(),
            source: derived.next_boot.source.word().to_owned(),
            certain: derived.next_boot.certain,
            agrees: derived.next_boot.agrees,
        }),
        nvidia_smi: evidence.nvidia_smi.known().map(|smi| model::NvidiaSmi {
            state: smi_word(&smi.state).to_owned(),
            driver_version: smi.driver_version.clone(),
        }),
        gpus: evidence.pci.known().map(|pci| pci.gpus.len()),
        os: evidence.system.known().map(|system| system.os_name.clone()).filter(|name| !name.is_empty()),
        clock_offset_s: evidence
            .host_now()
            .filter(|_| context.now_source == crate::check::NowSource::Controller)
            .map(|host| host.as_second() - context.now.as_second()),
    }
}

/// The comparison key under `baseline.by: gpu-model`.
pub fn gpu_model(evidence: &Evidence, baseline: &BaselineBy) -> Option<String> {
    if *baseline != BaselineBy::GpuModel {
        return None;
    }
    let from_pci = || {
        let mut devices: Vec<_> = evidence.pci.known()?.gpus.iter().map(|gpu| gpu.device.as_str()).collect();
        devices.sort_unstable();
        devices.dedup();
        (!devices.is_empty()).then(|| devices.join("+"))
    };
    match &evidence.nvidia_smi {
        Reading::Known(smi) if !smi.models.is_empty() => Some(smi.models.join("+")),
        _ => from_pci().map(|id| format!("pci:{id}")),
    }
}

fn packages(derived: &Derived) -> Vec<model::DriverPackage> {
    let protected = |name: &str| derived.protection.packages.iter().find(|package| package.name == name);
    derived
        .driver
        .packages
        .iter()
        .map(|package| model::DriverPackage {
            name: package.name.clone(),
            version: package.version.clone(),
            state: package.state.clone(),
            held: package.held,
            protection: protected(&package.name).map(|protection| model::PackageProtection {
                state: protection.state.word().to_owned(),
                by: protection.by.iter().map(|guard| guard.word().to_owned()).collect(),
            }),
        })
        .collect()
}

fn upgrade(change: &DriverChange) -> model::DriverUpgrade {
    model::DriverUpgrade {
        at: change.at,
        by: change.by.word().to_owned(),
        command: change.command.clone(),
        from: change.from.clone(),
        to: change.to.clone(),
        packages: change.packages,
    }
}

fn smi_word(state: &SmiState) -> &'static str {
    match state {
        SmiState::Ok => "ok",
        SmiState::Mismatch(_) => "mismatch",
        SmiState::NoDriver => "no-driver",
        SmiState::NoLibrary => "no-library",
        SmiState::NoDevices => "no-devices",
        SmiState::NoPermission => "no-permission",
        SmiState::GpuLost => "gpu-lost",
        SmiState::MixedUserspace => "mixed-userspace",
        SmiState::NotInstalled => "not-installed",
        SmiState::Hung => "hung",
        SmiState::NotStarted => "not-started",
        SmiState::Other => "other",
    }
}
