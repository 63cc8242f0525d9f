//! The texts of apt's configuration files: what somebody meant, where the effective configuration says otherwise.

mod parse;
pub use parse::parse;

/// Files of /etc/apt/apt.conf.d, and /etc/apt/apt.conf.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AptFiles {
    /// In the folder's byte order, apt.conf last.
    pub files: Vec<ConfFile>,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConfFile {
    /// Its path.
    pub path: String,
    /// apt reads a file of this name (apt ignores most extensions silently).
    pub name_is_read: bool,
    /// Its text, when it mentions NVIDIA, CUDA, a blacklist or the periodic switches and could be read; bounded.
    pub text: Option<String>,
    /// It exists and the login user may not read it.
    pub denied: bool,
}
