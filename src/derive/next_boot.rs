//! What the next boot will load, and so whether a reboot cures.

use crate::check::Look;
use crate::derive::driver::Driver;
use crate::reading::{Reading, Reason};

/// The next boot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextBoot {
    /// The kernel expected to boot; `None` when there is no local kernel.
    pub kernel: Option<String>,
    /// Nothing (saved entry, several flavours, PXE) makes that a guess.
    pub certain: bool,
    /// What makes it a guess, in words.
    pub doubt: Option<String>,
    /// The version of the NVIDIA module that kernel would load; `Absent` when it has none.
    pub module_version: Reading<String>,
    /// How the module got there.
    pub source: ModuleSource,
    /// Whether loaded and library will agree after a reboot; `None` when it cannot be told.
    pub agrees: Option<bool>,
    /// The sentence for people: `a reboot will cure it: ...` or `a reboot will not cure it, because ...`; empty when
    /// there is nothing to say.
    pub sentence: String,
}

/// Where a module file comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ModuleSource {
    /// Built on this host.
    Dkms,
    /// A distribution's prebuilt package.
    Prebuilt,
    /// The kernel has no NVIDIA module.
    None,
    /// It cannot be told.
    Unknown,
}

impl ModuleSource {
    /// The word of the report's `source`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Dkms => "dkms",
            Self::Prebuilt => "prebuilt",
            Self::None => "none",
            Self::Unknown => "unknown",
        }
    }
}

/// Works out the next boot.
pub fn derive(_look: &Look<'_>, _driver: &Driver) -> NextBoot {
    NextBoot {
        kernel: None,
        certain: false,
        doubt: None,
        module_version: Reading::unread(Reason::NotSupported, ""),
        source: ModuleSource::Unknown,
        agrees: None,
        sentence: String::new(),
    }
}
