//! One night's run: the updater works in small steps, so one upgrade is several stanzas.

use std::collections::BTreeSet;

use jiff::SignedDuration;
use jiff::civil::DateTime;

use crate::derive::driver::Role;
use crate::derive::package_role;
use crate::derive::upgrade::actor;
use crate::probe::apt_history::{Action, Item, Stanza};

/// The longest pause between two steps of one run.
pub(super) const PAUSE: SignedDuration = SignedDuration::from_hours(1);

/// The stanzas of the run that contains stanza `at`, itself included.
pub(super) fn around<'a>(stanzas: &[&'a Stanza], at: usize) -> Vec<&'a Stanza> {
    let joined = |earlier: &Stanza, later: &Stanza| {
        let ended = earlier.end.unwrap_or(earlier.start);
        let same =
            |a: &Option<String>, b: &Option<String>| a.as_deref().map(first_word) == b.as_deref().map(first_word);
        actor::of(earlier.commandline.as_deref(), earlier.requested_by.as_deref())
            == actor::of(later.commandline.as_deref(), later.requested_by.as_deref())
            && same(&earlier.commandline, &later.commandline)
            && is_within(ended, later.start, PAUSE)
    };
    let mut first = at;
    while first > 0 && joined(stanzas[first - 1], stanzas[first]) {
        first -= 1;
    }
    let mut last = at;
    while last + 1 < stanzas.len() && joined(stanzas[last], stanzas[last + 1]) {
        last += 1;
    }
    stanzas.get(first..=last).unwrap_or_default().to_vec()
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
