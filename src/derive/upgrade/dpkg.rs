//! Changes of the library that only dpkg's journal tells: real, but without an author.

use std::collections::BTreeSet;

use jiff::civil::DateTime;

use crate::derive::upgrade::change::{Draft, MOST, Scope, upstream};
use crate::derive::upgrade::history::shown;
use crate::derive::upgrade::{Actor, actor, run, updater};
use crate::evidence::Evidence;
use crate::probe::ProbeId;
use crate::probe::dpkg_log::{DpkgAction, DpkgEvent, DpkgLog};

/// Library events that no stanza of apt's journal accounts for.
pub(super) fn unexplained(evidence: &Evidence, scope: &Scope) -> Vec<Draft> {
    let Some(log) = evidence.dpkg_log.known() else { return Vec::new() };
    let library = |event: &&DpkgEvent| {
        let version = event.new.as_deref().or(event.old.as_deref()).unwrap_or_default();
        scope.is_library(&event.name, &event.arch, version)
    };
    let all: Vec<&DpkgEvent> = log.events.iter().filter(library).collect();
    let events = all.get(all.len().saturating_sub(MOST)..).unwrap_or_default();
    let upgraded = upgraded(log);
    let unexplained = events.iter().filter(|event| !is_in_history(evidence, event));
    unexplained.filter_map(|event| draft(evidence, &upgraded, event, events)).collect()
}

fn draft(evidence: &Evidence, upgraded: &[&DpkgEvent], event: &DpkgEvent, events: &[&DpkgEvent]) -> Option<Draft> {
    let near = |other: &&&DpkgEvent| other.name != event.name && run::is_within(event.at, other.at, run::PAUSE);
    let (from, to) = match event.action {
        DpkgAction::Upgrade => (event.old.clone(), event.new.clone()),
        DpkgAction::Install => {
            let gone = events.iter().filter(near).find(|other| other.action == DpkgAction::Remove);
            (event.old.clone().or_else(|| gone.and_then(|other| other.old.clone())), event.new.clone())
        }
        DpkgAction::Remove => {
            let replaced = events.iter().filter(near).any(|other| other.action != DpkgAction::Remove);
            if replaced {
                return None;
            }
            (event.old.clone(), None)
        }
    };
    let by_updater = updater::names(evidence, &event.name, event.at);
    Some(Draft {
        at: event.at,
        by: if by_updater { Actor::UnattendedUpgrades } else { Actor::Unknown },
        command: None,
        requested_by: None,
        from: from.as_deref().map(upstream),
        to: to.as_deref().map(upstream),
        again: false,
        packages: upgraded_around(upgraded, event.at),
        error: false,
        finished: true,
        confirmed: true,
        record: record(event, by_updater),
        probe: ProbeId::DpkgLog,
    })
}

/// A transaction of apt's journal that names the package and spans the time accounts for the event.
fn is_in_history(evidence: &Evidence, event: &DpkgEvent) -> bool {
    let stanzas = evidence.apt_history.known().map(|history| history.stanzas.as_slice()).unwrap_or_default();
    stanzas.iter().filter(|stanza| !actor::is_dry_run(stanza.commandline.as_deref())).any(|stanza| {
        run::span(stanza).contains(&event.at)
            && stanza.items.iter().any(|item| {
                item.name == event.name
                    && (event.action == DpkgAction::Remove || item.new.is_none() || item.new == event.new)
            })
    })
}

/// Upgrades of driver packages, in order of their stamps.
fn upgraded(log: &DpkgLog) -> Vec<&DpkgEvent> {
    let upgrades = log.events.iter().filter(|event| event.action == DpkgAction::Upgrade);
    let driver = |event: &&DpkgEvent| run::is_driver_package(&event.name, event.new.as_deref().unwrap_or_default());
    let mut upgraded: Vec<&DpkgEvent> = upgrades.filter(driver).collect();
    upgraded.sort_by_key(|event| event.at);
    upgraded
}

/// Driver packages upgraded in the run around a time: events of which none is more than a pause from the next.
fn upgraded_around(upgraded: &[&DpkgEvent], at: DateTime) -> usize {
    let mut names = BTreeSet::new();
    let mut reach = at;
    for event in upgraded.iter().filter(|event| event.at >= at) {
        if !run::is_within(reach, event.at, run::PAUSE) {
            break;
        }
        reach = event.at;
        names.insert((&event.name, &event.arch));
    }
    reach = at;
    for event in upgraded.iter().rev().filter(|event| event.at <= at) {
        if !run::is_within(event.at, reach, run::PAUSE) {
            break;
        }
        reach = event.at;
        names.insert((&event.name, &event.arch));
    }
    names.len()
}

fn record(event: &DpkgEvent, by_updater: bool) -> String {
    let action = match event.action {
        DpkgAction::Install => "install",
        DpkgAction::Upgrade => "upgrade",
        DpkgAction::Remove => "remove",
    };
    let or_none = |version: &Option<String>| version.clone().unwrap_or_else(|| "<none>".to_owned());
    let (old, new) = (or_none(&event.old), or_none(&event.new));
    let author = if by_updater { " (a run of unattended-upgrades names it)" } else { "" };
    format!("{} {action} {}:{} {old} {new}{author}", shown(event.at), event.name, event.arch)
}
