//! modprobe configuration that keeps the NVIDIA module (or nouveau) out on purpose.

mod parse;
pub use parse::parse;

/// Lines of modprobe.d and of the kernel command line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Modprobe {
    /// `blacklist nvidia`, `install nvidia /bin/false`, `alias nvidia off`, `module_blacklist=nvidia`: (file, line).
    pub nvidia_blocked: Vec<(String, String)>,
    /// The same for nouveau.
    pub nouveau_blocked: Vec<(String, String)>,
}
