//! Kernels on disk, the one that runs, and the NVIDIA module each would load.

pub mod order;
mod parse;
pub use parse::parse;

use crate::reading::Reading;

/// The kernels.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Kernels {
    /// `uname -r`.
    pub running: String,
    /// Kernels with an image in /boot or a folder in /lib/modules, in dpkg version order, newest last.
    pub installed: Vec<Kernel>,
    /// `GRUB_DEFAULT` of /etc/default/grub and its drop-ins, when set.
    pub grub_default: Option<String>,
    /// `saved_entry` of grubenv, when set and readable.
    pub saved_entry: Option<String>,
    /// /boot holds no kernel image at all (PXE, container).
    pub no_local_images: bool,
}

/// One kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kernel {
    /// `5.15.0-112-generic`.
    pub release: String,
    /// /boot/vmlinuz-RELEASE exists.
    pub image: bool,
    /// What `modinfo -k RELEASE` says of the NVIDIA module; `Absent` when there is none for this kernel.
    pub module: Reading<ModuleFile>,
}

/// A module file on disk.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModuleFile {
    /// `nvidia`, `nvidia-current`, `nvidia_384`.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its path; tells DKMS (`updates/dkms`) from prebuilt (`kernel/nvidia-535`).
    pub path: String,
}
