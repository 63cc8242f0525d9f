//! `dkms status` for NVIDIA modules.

mod parse;
pub use parse::parse;

/// DKMS's table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dkms {
    /// Rows whose module name is NVIDIA's.
    pub rows: Vec<DkmsRow>,
    /// `Error!` lines: the table may be incomplete.
    pub errors: Vec<String>,
}

/// One row.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DkmsRow {
    /// `nvidia`, `nvidia-srv`, `nvidia-current`.
    pub module: String,
    /// The driver version.
    pub version: String,
    /// The kernel; `None` for `added`.
    pub kernel: Option<String>,
    /// `added`, `built`, `installed`, `installed-weak`, `broken`.
    pub status: String,
    /// The remarks in brackets.
    pub remarks: Vec<String>,
}
