//! Loaded against on disk.

mod applicability;
mod library;
mod packages;

pub use applicability::{Gpus, expected_gpu_is_missing, has_driver_packages};

use std::cmp::Ordering;

use crate::check::Look;
use crate::derive::version;
use crate::evidence::Evidence;
use crate::probe::ProbeId;
use crate::probe::module::Flavor;
use crate::reading::{Reading, Reason, Unread};

/// The driver's two versions and what they say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Driver {
    /// Whether NVIDIA's rules apply to this host at all.
    pub applicability: Applicability,
    /// The loaded module's version; `Absent` when no module is loaded.
    pub loaded: Reading<String>,
    /// Open or proprietary, when known.
    pub flavor: Option<Flavor>,
    /// The library's version; `Absent` when there is none.
    pub library: Reading<String>,
    /// Where the library's version was read.
    pub library_source: LibrarySource,
    /// How the two compare.
    pub relation: Relation,
    /// Installed driver packages, native ones first; see [`DriverPackage`].
    pub packages: Vec<DriverPackage>,
}

/// Whether there is anything to judge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Applicability {
    /// Yes.
    Applies,
    /// No, for this reason in words (`no NVIDIA GPU, module or driver package`).
    NotApplicable(String),
    /// It cannot be told, because load-bearing facts are unread.
    Unknown,
}

/// Where the library's version comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LibrarySource {
    /// The link target of the library file.
    #[default]
    File,
    /// The library package's version (the file could not be read).
    Package,
    /// The library inside a GPU Operator driver container.
    Container,
}

/// How loaded and library compare, as strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// Both known and equal.
    Equal,
    /// Both known, different, the library newer.
    LibraryNewer,
    /// Both known, different, the module newer.
    ModuleNewer,
    /// No module is loaded.
    NotLoaded,
    /// No library is installed.
    NoLibrary,
    /// Neither is there.
    Nothing,
    /// At least one is unread.
    Unknown,
}

impl Relation {
    /// Both are known and differ.
    pub fn differs(self) -> bool {
        matches!(self, Self::LibraryNewer | Self::ModuleNewer)
    }
}

/// An installed package that is part of the driver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DriverPackage {
    /// Its name; `name:i386` for a foreign architecture, as the updater sees it.
    pub name: String,
    /// Full version.
    pub version: String,
    /// The driver version in it, when its version is the driver's (not so for prebuilt module packages).
    pub driver_version: Option<String>,
    /// What part it is.
    pub role: Role,
    /// dpkg's letters, such as `ii`, `hi`, `iF`.
    pub state: String,
    /// Its selection is `hold`.
    pub held: bool,
}

/// Parts of a driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// The library package: libnvidia-compute-NNN, libnvidia-ml1, an old monolith.
    Library,
    /// Other userspace at the driver's version.
    Userspace,
    /// Module source for DKMS.
    DkmsSource,
    /// Prebuilt modules; version is the kernel's.
    KernelModule,
    /// Firmware.
    Firmware,
    /// Metapackage (nvidia-driver-535, cuda-drivers).
    Meta,
    /// Fabric manager, nscq, imex: must equal the driver, shipped apart.
    FabricManager,
    /// Ships with the driver, has its own version (nvidia-settings, nvidia-persistenced on Debian): never gap, mixed or drift.
    OwnVersion,
}

/// Compares the two sides.
///
/// Needs the loaded version and the library's; the package database only when the library's file does not answer, and
/// the PCI bus only when no module is loaded.
pub fn derive(look: &Look<'_>) -> Driver {
    let evidence = look.evidence;
    let packages = packages::installed(evidence);
    let loaded = loaded(evidence);
    let found = library::find(evidence, &packages, loaded.known().map(String::as_str));
    let applicability = applicability::decide(look, &loaded, &found, &packages);
    if matches!(applicability, Applicability::NotApplicable(_)) {
        look.hint(ProbeId::Module, &loaded);
    } else {
        look.need(ProbeId::Module, &loaded);
        library::note_unread(look, &found);
    }

    let relation = relation(&loaded, &found.version);
    if relation == Relation::NoLibrary && applicability == Applicability::Applies {
        let detail = "a module is loaded, and no library was found on the host or under /run/nvidia/driver";
        look.miss(ProbeId::Library, Unread::new(Reason::NotSupported, detail));
    }

    let flavor = evidence.module.known().and_then(|module| module.nvidia.known()).and_then(|nvidia| nvidia.flavor);
    Driver {
        applicability,
        loaded,
        flavor,
        library: found.version,
        library_source: found.source,
        relation,
        packages: packages.unwrap_or_default(),
    }
}

fn loaded(evidence: &Evidence) -> Reading<String> {
    evidence.module.as_ref().and_then(|module| module.nvidia.as_ref()).and_then(|nvidia| nvidia.version.clone())
}

fn relation(loaded: &Reading<String>, library: &Reading<String>) -> Relation {
    match (loaded, library) {
        (Reading::Known(loaded), Reading::Known(library)) => match version::compare(loaded, library) {
            Ordering::Equal => Relation::Equal,
            Ordering::Less => Relation::LibraryNewer,
            Ordering::Greater => Relation::ModuleNewer,
        },
        (Reading::Unread(_), _) | (_, Reading::Unread(_)) => Relation::Unknown,
        (Reading::Absent, Reading::Absent) => Relation::Nothing,
        (Reading::Absent, _) => Relation::NotLoaded,
        (_, Reading::Absent) => Relation::NoLibrary,
    }
}

#[cfg(test)]
mod tests;
