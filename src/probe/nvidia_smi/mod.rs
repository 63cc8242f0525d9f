//! nvidia-smi, the bounded last witness. It never decides alone.

mod parse;
pub use parse::parse;

/// What it said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NvidiaSmi {
    /// The state its text and exit status stand for.
    pub state: SmiState,
    /// Its exit status.
    pub exit: Option<i32>,
    /// The driver version it reported (`--query-gpu=driver_version`), when all GPUs agree.
    pub driver_version: Option<String>,
    /// GPUs it listed.
    pub gpus: usize,
    /// Product names, without duplicates.
    pub models: Vec<String>,
    /// The first line it printed, for evidence.
    pub line: String,
}

/// States of domain knowledge; exit statuses in brackets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SmiState {
    /// A table or csv (0).
    Ok,
    /// `Driver/library version mismatch` (18), with the NVML version it names, at most major.minor.
    Mismatch(Option<String>),
    /// It could not communicate with the driver (9).
    NoDriver,
    /// libnvidia-ml is missing (12).
    NoLibrary,
    /// `No devices were found` (6).
    NoDevices,
    /// No permission (4).
    NoPermission,
    /// A GPU fell off the bus (15).
    GpuLost,
    /// Versions of nvidia-smi and NVML differ.
    MixedUserspace,
    /// It is not installed (127), or not an executable of this system.
    NotInstalled,
    /// It did not end in time, or an older one hangs in the kernel (then it was not started).
    Hung,
    /// It was not started: the module is not loaded, and starting it might load it.
    NotStarted,
    /// Anything else.
    Other,
}
