//! The NVIDIA management library on disk: what a new process would load.

mod parse;
pub use parse::parse;

use jiff::Timestamp;

use crate::reading::Reading;

/// libnvidia-ml.so.1 for the native architecture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Libraries {
    /// The host's own library; `Absent` when none is installed.
    pub host: Reading<LibraryFile>,
    /// The one under /run/nvidia/driver (a GPU Operator driver container).
    pub container: Reading<LibraryFile>,
}

/// One library file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LibraryFile {
    /// The link a process opens (`/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1`).
    pub link: String,
    /// Where the link ends.
    pub target: String,
    /// The version behind `.so.` of the target; `Unread` when the target carries none.
    pub version: Reading<String>,
    /// Change time of the target (its mtime may be NVIDIA's build date).
    pub changed_at: Option<Timestamp>,
}
