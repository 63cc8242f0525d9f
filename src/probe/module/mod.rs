//! The NVIDIA kernel module in memory.

mod parse;
pub use parse::parse;

use jiff::Timestamp;

use crate::reading::Reading;

/// What is loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Modules {
    /// The `nvidia` module; `Absent` when it is not loaded.
    pub nvidia: Reading<LoadedModule>,
    /// nouveau is loaded.
    pub nouveau: bool,
    /// Versions of nvidia_uvm, nvidia_modeset, nvidia_drm, nvidia_peermem where loaded.
    pub satellites: Vec<(String, String)>,
}

/// The loaded `nvidia` module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadedModule {
    /// Its version as a string (`535.171.04`, `550.120`); `Unread` for a development build (`TempVersion`).
    pub version: Reading<String>,
    /// Open or proprietary; `None` when only /sys answered.
    pub flavor: Option<Flavor>,
    /// The file the version was read from.
    pub source: String,
    /// The reading's own line, for evidence, without build user and host.
    pub line: String,
    /// Reference count of /proc/modules; above 0 it cannot be unloaded.
    pub refcount: Option<u32>,
    /// Change time of /sys/module/nvidia. The kernel makes it at the first look into that folder after the load, so the
    /// module was loaded no later than this, perhaps much earlier.
    pub loaded_at: Option<Timestamp>,
}

/// The two kinds of kernel module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Flavor {
    /// The open kernel module.
    Open,
    /// The proprietary one.
    Proprietary,
}
