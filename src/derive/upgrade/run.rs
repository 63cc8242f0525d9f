//! One night's run: the updater works in small steps, so one upgrade is several stanzas.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use jiff::SignedDuration;
use jiff::civil::DateTime;

use crate::derive::driver::Role;
use crate::derive::package_role;
use crate::derive::upgrade::actor;
use crate::probe::apt_history::{Action, Item, Stanza};

/// The longest pause between two steps of one run.
pub(super) const PAUSE: SignedDuration = SignedDuration::from_hours(1);

/// The longest a single transaction may take; only used when it has no End-Date.
const LONGEST: SignedDuration = SignedDuration::from_hours(6);
/// How far dpkg's stamps may stand outside apt's.
const SLACK: SignedDuration = SignedDuration::from_mins(5);

/// Stanzas run by run, in order.
pub(super) fn group<'a>(stanzas: &[&'a Stanza]) -> Vec<Vec<&'a Stanza>> {
    let mut runs: Vec<Vec<&Stanza>> = Vec::new();
    for stanza in stanzas {
        match runs.last_mut() {
            Some(run) if run.last().is_some_and(|before| is_joined(before, stanza)) => run.push(stanza),
            _ => runs.push(vec![stanza]),
        }
    }
    runs
}

/// By one caller with one program, and without a long pause.
fn is_joined(earlier: &Stanza, later: &Stanza) -> bool {
    let caller = |stanza: &Stanza| actor::of(stanza.commandline.as_deref(), stanza.requested_by.as_deref());
    let program = |stanza: &Stanza| stanza.commandline.as_deref().map(first_word).map(str::to_owned);
    is_within(earlier.end.unwrap_or(earlier.start), later.start, PAUSE)
        && caller(earlier) == caller(later)
        && program(earlier) == program(later)
}

/// The local times in which dpkg may have stamped a stanza's work. When the clock was set back in between, the stanza
/// ends before it begins.
pub(super) fn span(stanza: &Stanza) -> RangeInclusive<DateTime> {
    let end = stanza.end.unwrap_or_else(|| stanza.start.saturating_add(LONGEST));
    if end < stanza.start {
        return end.saturating_sub(PAUSE)..=stanza.start.saturating_add(PAUSE);
    }
    stanza.start.saturating_sub(SLACK)..=end.saturating_add(SLACK)
}

fn first_word(command: &str) -> &str {
    command.split_whitespace().next().unwrap_or_default()
}

/// True when `later` follows `earlier` by at most `most` (or overlaps it).
pub(super) fn is_within(earlier: DateTime, later: DateTime, most: SignedDuration) -> bool {
    earlier.duration_until(later).abs() <= most
}

/// Driver packages in the Upgrade lists of a run, each name and architecture once.
pub(super) fn upgraded_packages(run: &[&Stanza]) -> usize {
    let upgraded = run.iter().flat_map(|stanza| &stanza.items).filter(|item| item.action == Action::Upgrade);
    upgraded.filter(|item| is_driver(item)).map(|item| (&item.name, &item.arch)).collect::<BTreeSet<_>>().len()
}

fn is_driver(item: &Item) -> bool {
    is_driver_package(&item.name, item.new.as_deref().or(item.old.as_deref()).unwrap_or_default())
}

/// True for a part of the driver that moves with it.
pub(super) fn is_driver_package(name: &str, version: &str) -> bool {
    package_role::dpkg(name, version).is_some_and(|role| role != Role::OwnVersion)
}
