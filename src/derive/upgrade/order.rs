//! Before or after the boot. Clocks lie, so the module files on disk may have the last word.

use std::cmp::Ordering;

use jiff::civil::DateTime;
use jiff::{SignedDuration, Timestamp};

use crate::derive::driver::Driver;
use crate::derive::upgrade::change::Draft;
use crate::derive::upgrade::zone::{Moment, Zone};
use crate::derive::upgrade::{DriverChange, build_date, history};
use crate::derive::version;
use crate::evidence::Evidence;

/// Two stamps closer than this have no order.
const GRAIN: SignedDuration = SignedDuration::from_secs(2);
/// A stamp may be this far ahead of the host's clock, or behind the record before it.
const JITTER: SignedDuration = SignedDuration::from_hours(2);
/// Journals are kept for a year; a record this much older than the boot was stamped by a wrong clock.
const OLDEST: SignedDuration = SignedDuration::from_hours(2 * 366 * 24);

/// Places changes in time. A change whose time falls outside all calendars is dropped.
pub(super) fn dated(evidence: &Evidence, now: Timestamp, driver: &Driver, drafts: Vec<Draft>) -> Vec<DriverChange> {
    let zone = Zone::of(&evidence.clock);
    let now = evidence.host_now().unwrap_or(now);
    let mut dated = Vec::with_capacity(drafts.len());
    let mut previous: Option<DateTime> = None;
    for draft in drafts {
        let Some(moment) = zone.moment(draft.at) else { continue };
        let jumped_back = previous.is_some_and(|previous| draft.at.saturating_add(JITTER) < previous);
        previous = Some(draft.at);
        let plausible = !jumped_back && is_plausible(evidence, now, driver, &draft, moment);
        let by_clock = if plausible { after_boot(evidence, moment) } else { None };
        let after_boot = by_clock.or_else(|| by_module_files(evidence, driver, &draft));
        // What is written once more explains nothing when the boot came after the change itself.
        let before: Option<&DriverChange> = dated.last();
        if draft.again && (after_boot != Some(true) || before.is_none_or(|before| before.after_boot != Some(true))) {
            continue;
        }
        dated.push(DriverChange {
            // Within a repeated hour the later instant is shown when it is what happened.
            at: moment.guess.unwrap_or(if after_boot == Some(true) { moment.latest } else { moment.earliest }),
            local: history::shown(draft.at),
            by: draft.by,
            command: draft.command,
            requested_by: draft.requested_by,
            again: draft.again,
            downgrade: is_downgrade(draft.from.as_deref(), draft.to.as_deref()),
            from: draft.from,
            to: draft.to,
            packages: draft.packages,
            error: draft.error,
            finished: draft.finished,
            after_boot,
            record: draft.record,
            probe: draft.probe,
        });
    }
    dated
}

fn is_downgrade(from: Option<&str>, to: Option<&str>) -> bool {
    matches!((from, to), (Some(from), Some(to)) if version::compare(to, from) == Ordering::Less)
}

fn after_boot(evidence: &Evidence, moment: Moment) -> Option<bool> {
    let booted_at = evidence.boot.known()?.booted_at;
    if moment.earliest.duration_since(booted_at) > GRAIN {
        Some(true)
    } else if booted_at.duration_since(moment.latest) > GRAIN {
        Some(false)
    } else {
        None
    }
}

/// The running kernel's module file has the library's version, and what is loaded is what the change replaced: had
/// the change come before the boot, the boot would have loaded the new one.
fn by_module_files(evidence: &Evidence, driver: &Driver, draft: &Draft) -> Option<bool> {
    let kernels = evidence.kernels.known()?;
    let running = kernels.installed.iter().find(|kernel| kernel.release == kernels.running)?;
    let file = &running.module.known()?.version;
    let (library, loaded) = (driver.library.known()?, driver.loaded.known()?);
    (file == library && loaded != library && draft.from.as_ref() == Some(loaded) && draft.to.as_ref() == Some(library))
        .then_some(true)
}

fn is_plausible(evidence: &Evidence, now: Timestamp, driver: &Driver, draft: &Draft, moment: Moment) -> bool {
    if moment.earliest.duration_since(now) > JITTER {
        return false;
    }
    let replaced_loaded = draft.from.is_some() && draft.from.as_ref() == driver.loaded.known();
    if !replaced_loaded {
        return true;
    }
    let boot = evidence.boot.known().map(|boot| boot.booted_at);
    let built = evidence
        .module
        .known()
        .and_then(|module| module.nvidia.known())
        .and_then(|nvidia| build_date::of(&nvidia.line));
    let too_old = boot.is_some_and(|boot| boot.duration_since(moment.latest) > OLDEST);
    let before_it_was_built = built.is_some_and(|built| (draft.at.year(), draft.at.month()) < built);
    !too_old && !before_it_was_built
}
