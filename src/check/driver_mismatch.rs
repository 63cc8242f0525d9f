//! # driver-mismatch
//!
//! ## What it checks
//! The NVIDIA module in memory and the management library on disk have different versions, and an upgrade after boot
//! does not explain it. `details.cause` says what does: `downgraded` (the last change after boot made the library
//! older), `survived-reboot` (the boot came after the change, and loaded another module all the same), `interrupted`
//! (the transaction has no end), `no-record` (the journals are whole and know of no change), `unread` (they are closed,
//! do not reach back to the boot, or the clocks do not tell the order), `container-guest` (the module is the host's).
//!
//! ## Why it matters
//! New GPU processes fail just as on a half-upgraded host, but a reboot alone may not cure it, or may have been tried.
//!
//! ## Evidence
//! The same as for `half-upgraded`, and the module file that each installed kernel would load.
//!
//! ## Fix
//! By cause: give the kernel a module of the library's version (DKMS, prebuilt package, initramfs), finish the broken
//! transaction, or bring the library back to the module's version. In a container, match the host.
//!
//! ## What it does not see
//! What a `.run` installer did, beyond the files it left; and the inside of an initramfs.

use serde_json::Value;

use crate::check::{Check, Finding, Look, Run, Severity, mismatch, phrase, reboot};
use crate::derive::Derived;
use crate::derive::driver::Applicability;
use crate::derive::upgrade::Cause;
use crate::probe::ProbeId;

/// The check.
pub const CHECK: Check = Check {
    id: "driver-mismatch",
    severity: Severity::Critical,
    summary: "module in memory and library on disk differ, and no upgrade after boot explains it",
    source: include_str!("driver_mismatch.rs"),
    needs: &[ProbeId::Module, ProbeId::Library],
    symptoms: &[
        "driver/library version mismatch",
        "failed to initialize nvml",
        "nvml error: driver/library version mismatch",
        "api mismatch: the client",
        "this kernel module has",
    ],
    run: Run::Host(run),
};

fn run(look: &Look<'_>, derived: &Derived) -> Vec<Finding> {
    let cause = derived.upgrade.cause;
    // While a transaction is still at work on the library there is nothing to judge yet.
    let library = derived.driver.library.known();
    let explained = derived.upgrade.last().is_some_and(|last| last.finished && last.to.as_ref() == library);
    let at_work = derived.upgrade.running && cause.is_none() && !explained;
    let applies = derived.driver.applicability == Applicability::Applies;
    if !applies || !derived.driver.relation.differs() || cause == Some(Cause::UpgradedAfterBoot) || at_work {
        return Vec::new();
    }
    let cause = cause.unwrap_or(Cause::Unread);
    let mut details = mismatch::details(look, derived);
    details.insert("cause".to_owned(), Value::from(cause.word()));
    vec![Finding {
        check: CHECK.id,
        severity: CHECK.severity,
        message: message(look, derived, cause),
        evidence: mismatch::evidence(look, derived),
        fix: fix(look, derived, cause),
        details,
    }]
}

fn message(look: &Look<'_>, derived: &Derived, cause: Cause) -> String {
    let sides = mismatch::sides(derived);
    let last = derived.upgrade.last();
    let story = last.map(mismatch::change).unwrap_or_default();
    let broken = mismatch::broken_for(look, derived);
    let (_, sentence) = reboot::cure(look, derived);
    let cure = if sentence.is_empty() { String::new() } else { format!("; {sentence}") };
    let booted = look.evidence.boot.known().map(|boot| phrase::time(boot.booted_at)).unwrap_or_default();
    match cause {
        Cause::Downgraded => format!("{sides}: {story}, after the boot of {booted}{broken}{cure}"),
        Cause::SurvivedReboot => {
            format!("{sides}: {story}, and the boot of {booted} came after it: {}{cure}", why_survived(look, derived))
        }
        Cause::Interrupted => {
            let begun = last.filter(|last| !last.finished).map(|last| format!(" of {}", phrase::time(last.at)));
            let begun = begun.unwrap_or_default();
            format!("{sides}: the last transaction{begun} changed the driver and has no end{broken}{cure}")
        }
        Cause::NoRecord => format!("{sides}: no journal on this host records how this library came{cure}"),
        Cause::ContainerGuest => {
            format!("{sides}: this is a container, the module is its host's and the library its own")
        }
        Cause::Unread | Cause::UpgradedAfterBoot if last.is_some_and(|last| last.after_boot.is_none()) => {
            format!("{sides}: {story}, and the clocks do not tell whether that was before or after the boot{cure}")
        }
        Cause::Unread | Cause::UpgradedAfterBoot => {
            format!("{sides}: what changed it could not be read{cure}")
        }
    }
}

/// The reason a boot after the change loaded another module, as far as module files tell.
fn why_survived(look: &Look<'_>, derived: &Derived) -> String {
    let driver = &derived.driver;
    let Some(kernels) = look.evidence.kernels.known() else {
        return "the kernel's module was not replaced, or another kernel was booted".to_owned();
    };
    let running = kernels.installed.iter().find(|kernel| kernel.release == kernels.running);
    let file = running.and_then(|kernel| kernel.module.known()).map(|file| &file.version);
    let other = kernels.installed.iter().rfind(|kernel| {
        kernel.release != kernels.running && kernel.module.known().map(|file| &file.version) == driver.library.known()
    });
    match (file, other) {
        (Some(file), _) if Some(file) == driver.library.known() => {
            format!("the module file of the running kernel {} has {file} by now", kernels.running)
        }
        (Some(file), Some(other)) => format!(
            "the running kernel {} has module {file}, and kernel {} has the library's version",
            kernels.running, other.release
        ),
        (Some(file), None) => {
            format!("the module of the running kernel {} is still {file} and was not rebuilt", kernels.running)
        }
        (None, _) => format!("the running kernel {} has no module file that could be read", kernels.running),
    }
}

fn fix(look: &Look<'_>, derived: &Derived, cause: Cause) -> String {
    match cause {
        Cause::ContainerGuest => format!(
            "Match the host: inside the container, install the userspace of driver {} (the host's module), nothing that \
             brings a module.\n",
            derived.driver.loaded.known().cloned().unwrap_or_default()
        ),
        Cause::Interrupted => {
            format!(
                "Finish the transaction first:\n    sudo dpkg --configure -a\n    sudo apt-get -f install\n{}",
                reboot::steps(look, derived)
            )
        }
        _ => reboot::steps(look, derived),
    }
}
