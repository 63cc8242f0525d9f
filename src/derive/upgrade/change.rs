//! Real changes of the library, put together from every journal, still in local time.

use jiff::civil::DateTime;

use crate::derive::driver::{Driver, Role};
use crate::derive::upgrade::{Actor, dpkg, history, run, updater};
use crate::derive::{package_role, version};
use crate::evidence::Evidence;
use crate::probe::ProbeId;

/// Only so many of the last changes are looked at; a journal is host output, and may be hostile.
pub(super) const MOST: usize = 500;

/// A change that is not yet placed in time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Draft {
    pub at: DateTime,
    pub by: Actor,
    pub command: Option<String>,
    pub requested_by: Option<String>,
    pub from: Option<String>,
    pub to: Option<String>,
    pub packages: usize,
    pub error: bool,
    pub finished: bool,
    /// The same version once more; see [`crate::derive::upgrade::DriverChange::again`].
    pub again: bool,
    /// dpkg's own journal records the same.
    pub confirmed: bool,
    pub record: String,
    pub probe: ProbeId,
}

/// Every change of the library's version, in the order in which they were made.
pub(super) fn collect(evidence: &Evidence, driver: &Driver) -> Vec<Draft> {
    let scope = Scope::of(evidence, driver);
    let mut drafts = history::changes(evidence, &scope);
    for draft in dpkg::unexplained(evidence, &scope) {
        let place = drafts.iter().rposition(|other| other.at <= draft.at).map_or(0, |before| before + 1);
        drafts.insert(place, draft);
    }
    if evidence.apt_history.known().is_none() && evidence.dpkg_log.known().is_none() {
        drafts = updater::changes(evidence, &scope);
    }
    for draft in &mut drafts {
        if draft.by == Actor::Manual
            && draft.requested_by.is_none()
            && draft.command.as_deref().is_some_and(|command| is_scheduled(evidence, command))
        {
            draft.by = Actor::Other;
        }
    }
    let drafts = chained(drafts, driver);
    without_unreal_end(drafts, scope.library.as_deref())
}

/// What the readers of journals have to know of the host.
pub(super) struct Scope {
    /// dpkg's native architecture; empty when unknown.
    pub native: String,
    /// The library's version on disk.
    pub library: Option<String>,
    /// The loaded version.
    pub loaded: Option<String>,
}

impl Scope {
    fn of(evidence: &Evidence, driver: &Driver) -> Self {
        Self {
            native: evidence.system.known().map(|system| system.dpkg_arch.clone()).unwrap_or_default(),
            library: driver.library.known().cloned(),
            loaded: driver.loaded.known().cloned(),
        }
    }

    /// True for a package that holds the library, of the native architecture.
    pub fn is_library(&self, name: &str, arch: &str, full_version: &str) -> bool {
        let native = match self.native.as_str() {
            "" => arch != "i386",
            native => arch == native || arch == "all" || arch.is_empty(),
        };
        native && package_role::dpkg(name, full_version) == Some(Role::Library)
    }
}

/// A cron file or timer of this host runs that very command: nobody typed it.
fn is_scheduled(evidence: &Evidence, command: &str) -> bool {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let command = words(command);
    let lines = evidence.updater.known().map(|updater| updater.other_schedulers.as_slice()).unwrap_or_default();
    command.contains(' ') && lines.iter().any(|(_, line)| words(line).contains(&command))
}

/// Fills gaps in `from` with what came before, and drops what changed nothing; but whoever wrote the version that makes
/// the two sides differ once more is its last writer.
fn chained(drafts: Vec<Draft>, driver: &Driver) -> Vec<Draft> {
    let mut kept: Vec<Draft> = Vec::with_capacity(drafts.len());
    for mut draft in drafts {
        let before = kept.last().and_then(|draft| draft.to.clone());
        if draft.from.is_none() {
            let loaded = driver.loaded.known().filter(|loaded| kept.is_empty() && Some(*loaded) != draft.to.as_ref());
            draft.from = before.clone().or_else(|| loaded.cloned());
        }
        // A reinstallation, or a rebuild of the same driver, matters only after something else had been there.
        let came_back = before.is_some() && before != draft.to;
        if draft.from == draft.to && came_back {
            draft.from = before;
        }
        if draft.from != draft.to {
            kept.push(draft);
        } else if driver.relation.differs()
            && draft.to.as_ref() == driver.library.known()
            && let Some(before) = kept.last()
            // Another step of the same run is no writer of its own.
            && !(before.by == draft.by && run::is_within(before.at, draft.at, run::PAUSE))
        {
            let from = before.from.clone();
            kept.push(Draft { from, again: true, ..draft });
        }
    }
    kept
}

/// An unconfirmed last record that the disk contradicts never took place.
fn without_unreal_end(mut drafts: Vec<Draft>, library: Option<&str>) -> Vec<Draft> {
    while let (Some(last), Some(library)) = (drafts.last(), library) {
        let unreal = !last.confirmed && last.to.as_deref() != Some(library) && last.from.as_deref() == Some(library);
        if !unreal {
            break;
        }
        drafts.pop();
    }
    drafts
}

/// The driver version in a package version.
pub(super) fn upstream(full: &str) -> String {
    version::upstream(full).to_owned()
}
