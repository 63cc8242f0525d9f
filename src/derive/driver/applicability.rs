//! Whether there is anything to judge, and the GPUs that decide it.

use crate::check::Look;
use crate::derive::driver::library::Found;
use crate::derive::driver::{Applicability, DriverPackage, Role};
use crate::evidence::Evidence;
use crate::probe::ProbeId;
use crate::probe::nvidia_smi::SmiState;
use crate::probe::system::Platform;
use crate::reading::Reading;

/// The GPUs on the bus, by who may use them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gpus {
    /// None is on the bus.
    None,
    /// All are handed to virtual machines.
    PassedThrough,
    /// At least this many are the host's own.
    Own(usize),
    /// The bus could not be read.
    Unknown,
}

impl Gpus {
    /// Counts them.
    pub fn of(evidence: &Evidence) -> Self {
        match &evidence.pci {
            Reading::Unread(_) => Self::Unknown,
            Reading::Absent => Self::None,
            Reading::Known(pci) if pci.gpus.is_empty() => Self::None,
            Reading::Known(pci) => {
                match pci.gpus.iter().filter(|gpu| gpu.driver.as_deref() != Some("vfio-pci")).count() {
                    0 => Self::PassedThrough,
                    own => Self::Own(own),
                }
            }
        }
    }
}

/// A driver is declared for this host and no GPU is seen: neither on the bus nor by nvidia-smi.
pub fn expected_gpu_is_missing(look: &Look<'_>) -> bool {
    let seen_by_smi = look.evidence.nvidia_smi.known().is_some_and(|smi| smi.state == SmiState::Ok && smi.gpus > 0);

    // What a container sees of the bus is its host's choice.
    let system = look.evidence.system.known();
    let guest = system.is_some_and(|system| matches!(system.platform, Platform::Container(_)));
    look.context.expect_driver.is_some() && Gpus::of(look.evidence) == Gpus::None && !seen_by_smi && !guest
}

/// True when packages that make a driver, not merely accompany one, are installed.
pub fn has_driver_packages(packages: &[DriverPackage]) -> bool {
    packages.iter().any(|package| {
        matches!(package.role, Role::Library | Role::Userspace | Role::DkmsSource | Role::KernelModule | Role::Meta)
    })
}

pub(super) fn decide(
    look: &Look<'_>,
    loaded: &Reading<String>,
    library: &Found,
    packages: &Option<Vec<DriverPackage>>,
) -> Applicability {
    let evidence = look.evidence;
    let not = |why: &str| Applicability::NotApplicable(why.to_owned());
    let platform = evidence.system.known().map(|system| &system.platform);
    match platform {
        Some(Platform::Wsl) => return not("Windows Subsystem for Linux: the driver lives in Windows"),
        Some(Platform::Jetson(release)) => {
            let release = if release.is_empty() { String::new() } else { format!(" ({release})") };
            return not(&format!("Jetson{release}: the driver belongs to the board support package"));
        }
        Some(Platform::Container(kind)) if library.version.is_absent() => {
            return not(&format!(
                "{} guest without NVIDIA's library: nothing in it uses the host's driver",
                word(kind)
            ));
        }
        Some(Platform::Container(kind)) if loaded.is_absent() => {
            return not(&format!("{} guest: no module is loaded, and loading one is its host's part", word(kind)));
        }
        _ => {}
    }
    // Without the platform a module that is not loaded may be a container's or Windows' business.
    if loaded.known().is_some() {
        look.hint(ProbeId::System, &evidence.system)
    } else {
        look.need(ProbeId::System, &evidence.system)
    };
    let gpus = Gpus::of(evidence);
    if gpus == Gpus::PassedThrough {
        return not("every NVIDIA GPU is passed through to virtual machines (vfio-pci)");
    }
    if expected_gpu_is_missing(look) {
        return Applicability::Applies;
    }
    match (loaded, gpus) {
        (_, Gpus::Own(_)) => Applicability::Applies,
        (Reading::Known(_), _) => {
            look.hint(ProbeId::Pci, &evidence.pci);
            Applicability::Applies
        }
        // A module is there, though its version is not told.
        (Reading::Unread(_), _) if module_is_loaded(evidence) => Applicability::Applies,
        (Reading::Absent, Gpus::None) => not(&nothing_here(library, packages)),
        _ => {
            look.need(ProbeId::Pci, &evidence.pci);
            Applicability::Unknown
        }
    }
}

fn word(kind: &str) -> &str {
    if kind.is_empty() { "container" } else { kind }
}

fn module_is_loaded(evidence: &Evidence) -> bool {
    evidence.module.known().is_some_and(|module| module.nvidia.known().is_some())
}

fn nothing_here(library: &Found, packages: &Option<Vec<DriverPackage>>) -> String {
    let installed = has_driver_packages(packages.as_deref().unwrap_or_default()) || library.version.known().is_some();
    if installed {
        "driver packages without an NVIDIA GPU or module (a login or build node)".to_owned()
    } else if packages.is_none() {
        "no NVIDIA GPU and no module".to_owned()
    } else {
        "no NVIDIA GPU, module or driver package".to_owned()
    }
}
