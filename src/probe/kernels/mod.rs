//! Kernels on disk, the one that runs, and the NVIDIA module each would load.

pub mod order;
mod parse;
pub use parse::parse;

use crate::reading::{Reading, Unread};

/// The kernels.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Kernels {
    /// `uname -r`.
    pub running: String,
    /// Kernels with an image in /boot or a folder in /lib/modules, in dpkg version order, newest last.
    pub installed: Vec<Kernel>,
    /// `GRUB_DEFAULT` of /etc/default/grub and its drop-ins, when set; `saved` when grubenv names an entry for the next
    /// boot alone.
    pub grub_default: Option<String>,
    /// `next_entry` of grubenv, else its `saved_entry`, when set and readable.
    pub saved_entry: Option<String>,
    /// /boot holds no kernel image at all (PXE, container, another boot loader), or may not be listed.
    pub no_local_images: bool,
    /// Why /boot could not be listed, if so.
    pub images_unread: Option<Unread>,
    /// Why grubenv could not be read, if so: a saved entry may be in it.
    pub saved_unread: Option<Unread>,
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
