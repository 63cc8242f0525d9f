//! What the two findings about a mismatch share: the sides, the story and the details.

use serde_json::{Map, Value, json};

use crate::check::{EvidenceLine, Look, consequence, phrase, reboot};
use crate::derive::Derived;
use crate::derive::driver::{LibrarySource, Relation};
use crate::derive::upgrade::{Actor, Cause, DriverChange};
use crate::probe::ProbeId;

/// At most so many changes are listed as evidence.
const LISTED: usize = 8;

/// `loaded module 535.171.04, library 535.183.01 on disk (the library is newer)`.
pub(crate) fn sides(derived: &Derived) -> String {
    let known = |version: Option<&String>| version.cloned().unwrap_or_default();
    let newer = if derived.driver.relation == Relation::LibraryNewer { "library" } else { "module" };
    format!(
        "loaded module {}, library {} on disk (the {newer} is newer)",
        known(derived.driver.loaded.known()),
        known(derived.driver.library.known())
    )
}

/// `unattended-upgrades changed 15 driver packages from A to B on T`.
pub(crate) fn change(change: &DriverChange) -> String {
    let who = match (change.by, &change.command) {
        (Actor::UnattendedUpgrades, _) => "unattended-upgrades".to_owned(),
        (Actor::Manual, Some(command)) => format!("the manual command `{command}`"),
        (Actor::Other, Some(command)) => format!("`{command}`"),
        (Actor::Manual, None) => "a person".to_owned(),
        _ => "something that left no name".to_owned(),
    };
    let by = change.requested_by.as_ref().map(|by| format!(", requested by {by},")).unwrap_or_default();
    if change.again {
        let to = change.to.as_deref().unwrap_or_default();
        return format!("{who}{by} wrote {to} once more on {}", phrase::time(change.at));
    }
    let verb = if change.downgrade { "downgraded" } else { "upgraded" };
    let what = match change.packages {
        0 => "the driver".to_owned(),
        number => phrase::count(number, "driver package"),
    };
    let from = change.from.as_ref().map(|from| format!(" from {from}")).unwrap_or_default();
    let to = change.to.as_ref().map(|to| format!(" to {to}")).unwrap_or_default();
    format!("{who}{by} {verb} {what}{from}{to} on {}", phrase::time(change.at))
}

/// Since when GPU work has been broken: the change that broke it, unless its stamp is before the boot; the boot itself
/// when that loaded the wrong module.
pub(crate) fn broken_since(look: &Look<'_>, derived: &Derived) -> Option<jiff::Timestamp> {
    let booted_at = look.evidence.boot.known().map(|boot| boot.booted_at);
    if derived.upgrade.cause == Some(Cause::SurvivedReboot) {
        return booted_at;
    }
    let broken = derived.upgrade.broken.as_ref()?;

    booted_at.is_none_or(|booted_at| booted_at < broken.at).then_some(broken.at)
}

/// `; GPU work has been broken for 3 d`.
pub(crate) fn broken_for(look: &Look<'_>, derived: &Derived) -> String {
    let now = look.evidence.host_now().unwrap_or(look.context.now);
    match broken_since(look, derived) {
        Some(since) => format!("; new GPU work has failed for {}", phrase::duration(now.duration_since(since))),
        None => String::new(),
    }
}

/// The evidence both findings rest on.
pub(crate) fn evidence(look: &Look<'_>, derived: &Derived) -> Vec<EvidenceLine> {
    let mut lines = Vec::new();
    if let Some(nvidia) = look.evidence.module.known().and_then(|module| module.nvidia.known()) {
        lines.push(EvidenceLine::new(ProbeId::Module, format!("{}: {}", nvidia.source, nvidia.line)));
    }
    lines.push(library(look, derived));
    let changes = &derived.upgrade.changes;
    for change in changes.iter().skip(changes.len().saturating_sub(LISTED)) {
        lines.push(EvidenceLine::new(change.probe, change.record.clone()));
    }
    if let Some(boot) = look.evidence.boot.known() {
        let mut text = format!("booted {}", phrase::time(boot.booted_at));
        if !boot.uptime_since.is_empty() {
            text += &format!(" (the host says {})", boot.uptime_since);
        }
        if let Some(zone) = look.evidence.clock.known().and_then(|clock| clock.zone.as_deref()) {
            text += &format!("; its local times are in {zone}");
        }
        lines.push(EvidenceLine::new(ProbeId::Boot, text));
    }
    let (_, sentence) = reboot::cure(look, derived);
    if !sentence.is_empty() {
        lines.push(EvidenceLine::new(ProbeId::Kernels, sentence));
    }
    lines.extend(consequence::of_mismatch(look, derived));
    lines
}

fn library(look: &Look<'_>, derived: &Derived) -> EvidenceLine {
    let version = derived.driver.library.known().cloned().unwrap_or_default();
    let libraries = look.evidence.library.known();
    let file = match derived.driver.library_source {
        LibrarySource::File => libraries.and_then(|libraries| libraries.host.known()),
        LibrarySource::Container => libraries.and_then(|libraries| libraries.container.known()),
        LibrarySource::Package => None,
    };
    match file {
        Some(file) => EvidenceLine::new(ProbeId::Library, format!("{} -> {}", file.link, file.target)),
        None => EvidenceLine::new(ProbeId::Packages, format!("the library package has version {version}")),
    }
}

/// The details both findings carry.
pub(crate) fn details(look: &Look<'_>, derived: &Derived) -> Map<String, Value> {
    let driver = &derived.driver;
    let last = derived.upgrade.last();

    let broken = derived.upgrade.broken.as_ref();
    let survived = derived.upgrade.cause == Some(Cause::SurvivedReboot);
    let (cures, _) = reboot::cure(look, derived);
    let consequences: Vec<String> = consequence::of_mismatch(look, derived).into_iter().map(|line| line.text).collect();
    phrase::object(json!({
        "loaded": driver.loaded.known(),
        "library": driver.library.known(),
        "newer": if driver.relation == Relation::LibraryNewer { "library" } else { "module" },
        "by": last.map(|last| last.by.word()),
        "command": last.and_then(|last| last.command.as_ref()),
        "requested_by": last.and_then(|last| last.requested_by.as_ref()),
        "from": last.and_then(|last| last.from.as_ref()),
        "to": last.and_then(|last| last.to.as_ref()),
        "packages": last.map(|last| last.packages),
        "at": last.map(|last| last.at.to_string()),
        "broken_since": broken_since(look, derived).map(|since| since.to_string()),
        "broken_by": broken.or(last.filter(|_| survived)).map(|broken| broken.by.word()),

        "booted_at": look.evidence.boot.known().map(|boot| boot.booted_at.to_string()),
        "reboot_cures": cures,
        "consequences": consequences,
        "changes": after_boot(derived).map(one).collect::<Vec<_>>(),
    }))
}

/// Changes since the boot, oldest first.
pub(crate) fn after_boot(derived: &Derived) -> impl Iterator<Item = &DriverChange> {
    derived.upgrade.changes.iter().filter(|change| change.after_boot == Some(true))
}

fn one(change: &DriverChange) -> Value {
    json!({
        "at": change.at.to_string(),
        "by": change.by.word(),
        "command": change.command,
        "requested_by": change.requested_by,
        "from": change.from,
        "to": change.to,
    })
}
