//! Who changed the driver on disk, when, and whether that explains a mismatch.

mod actor;
mod build_date;
mod cause;
mod change;
mod dpkg;
mod history;
mod order;
mod run;
mod updater;
mod zone;

use jiff::Timestamp;

use crate::check::Look;
use crate::derive::driver::{Applicability, Driver};
use crate::probe::ProbeId;
use crate::reading::{Reason, Unread};

pub use zone::Zone;

/// Who ran a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Actor {
    /// The `unattended-upgrade` program.
    UnattendedUpgrades,
    /// A person: apt, apt-get, aptitude, dpkg, a desktop updater, with a terminal or a requesting user.
    Manual,
    /// Another scheduler or tool (cron, Ansible, a root apt-get -y without a requesting user).
    Other,
    /// The record does not say.
    Unknown,
}

impl Actor {
    /// The word of the report's `by`.
    pub fn word(self) -> &'static str {
        match self {
            Self::UnattendedUpgrades => "unattended-upgrades",
            Self::Manual => "manual",
            Self::Other => "other",
            Self::Unknown => "unknown",
        }
    }
}

/// One real change of the driver on disk: one run, which may be several stanzas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DriverChange {
    /// When the library was written (start of its stanza), UTC.
    pub at: Timestamp,
    /// The same as the host's own clock wrote it, for evidence: `2026-11-28 06:12:04`.
    pub local: String,
    /// By whom.
    pub by: Actor,
    /// `Commandline`, when recorded.
    pub command: Option<String>,
    /// `Requested-By`, when recorded.
    pub requested_by: Option<String>,
    /// Driver version before, without epoch and revision.
    pub from: Option<String>,
    /// Driver version after; `None` when the library was removed.
    pub to: Option<String>,
    /// Driver packages in Upgrade lists over that night's run.
    pub packages: usize,
    /// It put the version there once more (another package of it, a rebuild, a reinstallation) after the change before
    /// it had made the two sides differ; `from` is then what that change replaced.
    pub again: bool,
    /// It moved the library to an older version.
    pub downgrade: bool,
    /// The record carries `Error:`.
    pub error: bool,
    /// False when the record has no End-Date and nothing was recorded after it: killed, or still running.
    pub finished: bool,
    /// Whether it came after the boot; `None` when the clocks cannot tell.
    pub after_boot: Option<bool>,
    /// Evidence text: the record it rests on.
    pub record: String,
    /// Where it was read: apt's history, dpkg's log or the updater's log.
    pub probe: crate::probe::ProbeId,
}

/// Why loaded and library differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The last real writer of the library ran after boot and made it newer: `half-upgraded`.
    UpgradedAfterBoot,
    /// It ran after boot and made it older.
    Downgraded,
    /// The boot is later than the last change: the wrong module was built, shipped or booted.
    SurvivedReboot,
    /// The last transaction was killed or still runs.
    Interrupted,
    /// Logs were read, reach back far enough, and record no change.
    NoRecord,
    /// The records could not be read, or do not reach back to the boot.
    Unread,
    /// The module is the host's, the library a container's.
    ContainerGuest,
}

impl Cause {
    /// The word of `details.cause`.
    pub fn word(self) -> &'static str {
        match self {
            Self::UpgradedAfterBoot => "upgraded-after-boot",
            Self::Downgraded => "downgraded",
            Self::SurvivedReboot => "survived-reboot",
            Self::Interrupted => "interrupted",
            Self::NoRecord => "no-record",
            Self::Unread => "unread",
            Self::ContainerGuest => "container-guest",
        }
    }
}

/// The driver's recent past.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UpgradeStory {
    /// Real changes of the library that are recorded, oldest first.
    pub changes: Vec<DriverChange>,
    /// Why the two sides differ; `None` when they do not, or the order of events cannot be told.
    pub cause: Option<Cause>,
    /// The first change after boot that made them differ: since when GPU work has been broken, and by whom.
    pub broken: Option<DriverChange>,
    /// apt, dpkg or the updater was changing packages while the host was read.
    pub running: bool,
}

impl UpgradeStory {
    /// The last real change of the library.
    pub fn last(&self) -> Option<&DriverChange> {
        self.changes.last()
    }
}

/// Reads the story out of the journals.
///
/// Journals are hints while the two sides agree. When they differ, whatever is still needed to tell the cause is
/// load-bearing, and only that.
pub fn derive(look: &Look<'_>, driver: &Driver) -> UpgradeStory {
    if !matches!(driver.applicability, Applicability::Applies) {
        return UpgradeStory::default();
    }
    let running = something_runs(look);
    let drafts = change::collect(look.evidence, driver);
    let changes = order::dated(look.evidence, look.context.now, driver, drafts);
    let (cause, broken) = cause::tell(look, driver, &changes, running);
    UpgradeStory { changes, cause, broken, running }
}

fn something_runs(look: &Look<'_>) -> bool {
    let Some(updater) = look.hint(ProbeId::Updater, &look.evidence.updater).known() else { return false };
    let Some(first) = updater.running.first() else { return false };
    let detail = format!("`{first}` is changing packages right now; look again when it has ended");
    look.miss(ProbeId::Updater, Unread::new(Reason::UpgradeRunning, detail));
    true
}

#[cfg(test)]
mod clock_tests;
#[cfg(test)]
mod tests;
