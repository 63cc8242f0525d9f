//! What the next boot will load, and so whether a reboot cures.

mod kernel;
mod module;
mod sentence;

use crate::check::Look;
use crate::derive::driver::{Applicability, Driver, LibrarySource};
use crate::probe::ProbeId;
use crate::probe::system::Platform;
use crate::reading::Reading;

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

impl NextBoot {
    fn unknown() -> Self {
        Self {
            kernel: None,
            certain: false,
            doubt: None,
            module_version: Reading::Absent,
            source: ModuleSource::Unknown,
            agrees: None,
            sentence: String::new(),
        }
    }
}

/// Works out the next boot.
///
/// Nothing is said of a container guest (the kernel is its host's) nor of a driver container (it brings its own module
/// after every boot).
pub fn derive(look: &Look<'_>, driver: &Driver) -> NextBoot {
    let evidence = look.evidence;
    let guest = evidence.system.known().is_some_and(|system| matches!(system.platform, Platform::Container(_)));
    if guest || driver.applicability != Applicability::Applies {
        return NextBoot::unknown();
    }
    let Some(kernels) = look.hint(ProbeId::Kernels, &evidence.kernels).known() else { return NextBoot::unknown() };
    if let Some(why) = &kernels.images_unread {
        look.lack(ProbeId::Kernels, why.clone());
    }
    if let Some(why) = &kernels.saved_unread {
        look.lack(ProbeId::Kernels, why.clone());
    }
    let Some(expected) = kernel::expected(kernels) else {
        let doubt = Some("no kernel image is to be seen in /boot".to_owned());
        return NextBoot { doubt, sentence: sentence::without_kernel(driver, kernels), ..NextBoot::unknown() };
    };
    let certain = expected.doubt.is_none();
    let release = expected.kernel.release.clone();
    if driver.library_source == LibrarySource::Container {
        return NextBoot { kernel: Some(release), certain, doubt: expected.doubt, ..NextBoot::unknown() };
    }
    let (module_version, source) = module::of(look, expected.kernel);
    let agrees = match (&module_version, driver.library.known()) {
        (Reading::Known(module), Some(library)) => Some(module == library),
        (Reading::Absent, _) => Some(false),
        _ => None,
    };
    let sentence = sentence::say(driver, &release, expected.doubt.as_deref(), &module_version, agrees);
    NextBoot { kernel: Some(release), certain, doubt: expected.doubt, module_version, source, agrees, sentence }
}

#[cfg(test)]
mod tests;
