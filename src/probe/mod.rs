//! What runs on a host: one folder per probe, with its script, its evidence type, its parser and its samples.
//!
//! A probe's `parse` turns its frame's [`Sections`] into a [`Reading`]; it never fails otherwise and never panics.

#![cfg_attr(not(test), forbid(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros))]

pub mod apt_config;
pub mod apt_files;
pub mod apt_history;
pub mod apt_policy;
pub mod apt_preferences;
pub mod boot;
pub mod clock;
mod conf_name;
pub mod dkms;
pub mod dpkg_log;
pub mod driver_version;
pub mod fabricmanager;
pub mod kernel_log;
pub mod kernels;
pub mod library;
mod log_files;
pub mod modprobe;
pub mod module;
pub mod nvidia_smi;
pub mod packages;
pub mod pci;
pub mod persistenced;
pub mod reboot_required;
#[cfg(test)]
pub(crate) mod samples;
pub mod script;
pub mod section;
#[cfg(test)]
mod shells;
pub mod system;
pub mod updater;
pub mod updater_log;

pub use section::{Section, Sections};

/// A probe's identity. Names are API: the report's `what` and a playbook's `probes` use them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ProbeId {
    /// What kind of machine this is.
    System,
    /// Clock and zone.
    Clock,
    /// Boot time.
    Boot,
    /// Loaded module.
    Module,
    /// PCI devices.
    Pci,
    /// Library on disk.
    Library,
    /// Package database.
    Packages,
    /// Kernels and their modules.
    Kernels,
    /// apt's effective configuration.
    AptConfig,
    /// Texts of apt's configuration files.
    AptFiles,
    /// Automatic upgraders.
    Updater,
    /// apt's sources and candidates.
    AptPolicy,
    /// Pins.
    AptPreferences,
    /// apt's journal.
    AptHistory,
    /// dpkg's journal.
    DpkgLog,
    /// The updater's log.
    UpdaterLog,
    /// DKMS.
    Dkms,
    /// modprobe configuration.
    Modprobe,
    /// The reboot flag.
    RebootRequired,
    /// Kernel log.
    KernelLog,
    /// nvidia-persistenced.
    Persistenced,
    /// Fabric manager.
    FabricManager,
    /// nvidia-smi.
    NvidiaSmi,
}

impl ProbeId {
    /// Every probe in the order in which the script runs them: cheap and certain first, nvidia-smi last.
    pub const ALL: [Self; 23] = [
        Self::System,
        Self::Clock,
        Self::Boot,
        Self::Module,
        Self::Pci,
        Self::Library,
        Self::Packages,
        Self::Kernels,
        Self::AptConfig,
        Self::AptFiles,
        Self::Updater,
        Self::AptPolicy,
        Self::AptPreferences,
        Self::AptHistory,
        Self::DpkgLog,
        Self::UpdaterLog,
        Self::Dkms,
        Self::Modprobe,
        Self::RebootRequired,
        Self::KernelLog,
        Self::Persistenced,
        Self::FabricManager,
        Self::NvidiaSmi,
    ];

    /// The probe's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Clock => "clock",
            Self::Boot => "boot",
            Self::Module => "module",
            Self::Pci => "pci",
            Self::Library => "library",
            Self::Packages => "packages",
            Self::Kernels => "kernels",
            Self::AptConfig => "apt-config",
            Self::AptFiles => "apt-files",
            Self::Updater => "updater",
            Self::AptPolicy => "apt-policy",
            Self::AptPreferences => "apt-preferences",
            Self::AptHistory => "apt-history",
            Self::DpkgLog => "dpkg-log",
            Self::UpdaterLog => "updater-log",
            Self::Dkms => "dkms",
            Self::Modprobe => "modprobe",
            Self::RebootRequired => "reboot-required",
            Self::KernelLog => "kernel-log",
            Self::Persistenced => "persistenced",
            Self::FabricManager => "fabricmanager",
            Self::NvidiaSmi => "nvidia-smi",
        }
    }

    /// What it reads, in one line, for `gpusweep checks --probes`.
    pub fn about(self) -> &'static str {
        match self {
            Self::System => "distribution, kind of machine, login user",
            Self::Clock => "the host's clock and time zone",
            Self::Boot => "boot time (btime of /proc/stat)",
            Self::Module => "the NVIDIA kernel module in memory",
            Self::Pci => "NVIDIA GPUs and NVSwitches on the PCI bus",
            Self::Library => "the NVIDIA management library that new processes load",
            Self::Packages => "driver, kernel and updater packages with their states and holds",
            Self::Kernels => "kernels on disk and the NVIDIA module each would load",
            Self::AptConfig => "apt's effective configuration",
            Self::AptFiles => "the texts of apt's configuration files",
            Self::Updater => "timers, switches and other schedulers of automatic upgrades; upgrades that run right now",
            Self::AptPolicy => "apt's sources and the candidates of driver packages",
            Self::AptPreferences => "apt's pins",
            Self::AptHistory => "who changed driver packages, from what to what (history.log)",
            Self::DpkgLog => "what dpkg really unpacked (dpkg.log)",
            Self::UpdaterLog => "runs of unattended-upgrades",
            Self::Dkms => "DKMS builds of NVIDIA modules",
            Self::Modprobe => "modprobe lines that keep the module out on purpose",
            Self::RebootRequired => "the distribution's own reboot flag",
            Self::KernelLog => "what the kernel log says of the module",
            Self::Persistenced => "nvidia-persistenced's unit and socket",
            Self::FabricManager => "the fabric manager's unit",
            Self::NvidiaSmi => "nvidia-smi, the bounded last witness",
        }
    }

    /// The probe of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|probe| probe.name() == name)
    }
}
