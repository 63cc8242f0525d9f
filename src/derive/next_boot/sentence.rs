//! The next boot in words.

use crate::derive::driver::{Driver, Relation};
use crate::probe::kernels::Kernels;
use crate::reading::Reading;

/// What can be said of a mismatch when no kernel on disk is known to boot next: from the network, or /boot is closed.
pub(super) fn without_kernel(driver: &Driver, kernels: &Kernels) -> String {
    if !driver.relation.differs() {
        return String::new();
    }
    let running = kernels.installed.iter().find(|kernel| kernel.release == kernels.running);
    let file = running
        .and_then(|kernel| kernel.module.known())
        .map(|file| format!("; the module file of the running kernel {} has {}", kernels.running, file.version));
    let file = file.unwrap_or_default();
    format!("whether a reboot will cure it cannot be told: no kernel image is to be seen in /boot{file}")
}

pub(super) fn say(
    driver: &Driver,
    release: &str,
    doubt: Option<&str>,
    module: &Reading<String>,
    agrees: Option<bool>,
) -> String {
    let Some(library) = driver.library.known() else { return String::new() };
    let broken = driver.relation.differs() || driver.relation == Relation::NotLoaded;
    let mut text = match (agrees, module) {
        (Some(true), _) if broken => {
            format!("a reboot will cure it: kernel {release} has module {library}, the library's version")
        }
        (Some(true), _) => format!("a reboot keeps the driver: kernel {release} has module {library}"),
        (Some(false), Reading::Known(module)) => {
            let what = if broken { "a reboot will not cure it, because" } else { "a reboot will break it, because" };
            format!("{what} kernel {release} has module {module} and the library is {library}")
        }
        (Some(false), _) => {
            let what =
                if broken { "a reboot will not cure it, because" } else { "a reboot will lose the driver, because" };
            format!("{what} kernel {release} has no NVIDIA module")
        }
        (None, _) if broken => {
            format!("whether a reboot will cure it cannot be told: the module of kernel {release} could not be read")
        }
        (None, _) => return String::new(),
    };
    if let Some(doubt) = doubt {
        text += &format!("; that {release} boots next is a guess, because {doubt}");
    }
    text
}
