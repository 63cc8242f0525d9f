//! What the kernel log says of the NVIDIA module.

mod parse;
pub use parse::parse;

/// NVRM lines.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KernelLog {
    /// The last `API mismatch`: (client version, module version).
    pub mismatch: Option<(String, String)>,
    /// Versions in `loading NVIDIA UNIX ...` lines, in order.
    pub loading: Vec<String>,
    /// A driver that refused the GPU named this version though nothing is loaded.
    pub refused_by: Option<String>,
    /// A line that says the module's signature was refused (Secure Boot).
    pub signature_refused: Option<String>,
}
