//! Changes of the library in apt's journal.

use jiff::SignedDuration;
use jiff::civil::DateTime;

use crate::derive::upgrade::change::{Draft, Scope, upstream};
use crate::derive::upgrade::{actor, run};
use crate::evidence::Evidence;
use crate::probe::ProbeId;
use crate::probe::apt_history::{Action, Item, Stanza};
use crate::probe::dpkg_log::{DpkgAction, DpkgLog};

/// The longest a single transaction may take; only used when it has no End-Date.
const LONGEST: SignedDuration = SignedDuration::from_hours(6);
/// How far dpkg's stamps may stand outside apt's.
const SLACK: SignedDuration = SignedDuration::from_mins(5);

/// Real changes: no trial runs, nothing that dpkg's own journal contradicts.
pub(super) fn changes(evidence: &Evidence, scope: &Scope) -> Vec<Draft> {
    let Some(history) = evidence.apt_history.known() else { return Vec::new() };
    let real: Vec<&Stanza> =
        history.stanzas.iter().filter(|stanza| !actor::is_dry_run(stanza.commandline.as_deref())).collect();
    let log = evidence.dpkg_log.known();
    let mut drafts = Vec::new();
    for (index, stanza) in real.iter().enumerate() {
        let run = run::around(&real, index);
        let Some(change) = library_change(stanza, &run, scope) else { continue };
        let witness = witness(stanza, change.item, log);
        if witness == Witness::Against && !is_only_explanation(&change, log, scope) {
            continue;
        }
        drafts.push(Draft {
            at: stanza.start,
            by: actor::of(stanza.commandline.as_deref(), stanza.requested_by.as_deref()),
            command: stanza.commandline.clone(),
            requested_by: stanza.requested_by.clone(),
            from: change.from.clone(),
            to: change.to.clone(),
            packages: run::upgraded_packages(&run),
            error: stanza.error.is_some(),
            finished: stanza.end.is_some() || index + 1 < real.len(),
            confirmed: witness == Witness::For,
            record: record(stanza, change.item),
            probe: ProbeId::AptHistory,
        });
    }
    drafts
}

struct Change<'a> {
    item: &'a Item,
    from: Option<String>,
    to: Option<String>,
}

/// What a stanza did to the library. A branch switch is an Install of one library package beside the Remove of another.
fn library_change<'a>(stanza: &'a Stanza, run: &[&'a Stanza], scope: &Scope) -> Option<Change<'a>> {
    let is_library = |item: &&Item| {
        scope.is_library(&item.name, &item.arch, item.new.as_deref().or(item.old.as_deref()).unwrap_or_default())
    };
    // In a transaction that was cut short the last item may lack its new version; the disk then tells it.
    let writes = |item: &&Item| {
        !matches!(item.action, Action::Remove | Action::Purge) && (item.new.is_some() || stanza.end.is_none())
    };
    let written: Vec<&Item> = stanza.items.iter().filter(is_library).filter(writes).collect();
    let on_disk = |item: &&&Item| item.new.as_deref().map(upstream) == scope.library;
    if let Some(item) = written.iter().find(on_disk).or_else(|| written.first()) {
        let from = match item.action {
            Action::Reinstall => item.new.as_deref(),
            _ => item.old.as_deref(),
        };
        let gone = run.iter().flat_map(|stanza| &stanza.items).filter(is_library).find(|other| {
            matches!(other.action, Action::Remove | Action::Purge) && other.name != item.name && other.old.is_some()
        });
        let from = from.or_else(|| gone.and_then(|other| other.old.as_deref())).map(upstream);
        let to = item.new.as_deref().map(upstream).or_else(|| scope.library.clone());
        return Some(Change { item, from, to });
    }
    let removed = |item: &&Item| matches!(item.action, Action::Remove | Action::Purge) && item.old.is_some();
    let item = stanza.items.iter().filter(is_library).find(removed)?;
    let replaced = run.iter().flat_map(|stanza| &stanza.items).filter(is_library).any(|other| writes(&other));
    (!replaced).then(|| Change { item, from: item.old.as_deref().map(upstream), to: None })
}

#[derive(PartialEq, Eq)]
enum Witness {
    For,
    Against,
    Silent,
}

/// What dpkg's journal says of an item; silent where it does not reach.
fn witness(stanza: &Stanza, item: &Item, log: Option<&DpkgLog>) -> Witness {
    let Some(log) = log else { return Witness::Silent };
    let last = stanza.end.unwrap_or_else(|| stanza.start.saturating_add(LONGEST));
    let (first, last) = (stanza.start.saturating_sub(SLACK), last.saturating_add(SLACK));
    let removal = matches!(item.action, Action::Remove | Action::Purge);
    let seen = log.events.iter().any(|event| {
        event.name == item.name
            && (first..=last).contains(&event.at)
            && if removal { event.action == DpkgAction::Remove } else { item.new.is_none() || event.new == item.new }
    });
    let reaches = log.unread_files.is_empty() && log.reaches_back_to.is_some_and(|oldest| oldest <= stanza.start);
    match (seen, reaches) {
        (true, _) => Witness::For,
        (false, true) => Witness::Against,
        (false, false) => Witness::Silent,
    }
}

/// A journal of dpkg that knows no way at all by which the version on disk came was not kept on this disk.
fn is_only_explanation(change: &Change<'_>, log: Option<&DpkgLog>, scope: &Scope) -> bool {
    let arrivals = log.iter().flat_map(|log| &log.events).filter(|event| event.action != DpkgAction::Remove);
    let explained = arrivals.filter_map(|event| event.new.as_deref()).any(|new| Some(upstream(new)) == scope.library);
    change.to.is_some() && change.to == scope.library && !explained
}

fn record(stanza: &Stanza, item: &Item) -> String {
    let action = match item.action {
        Action::Install => "Install",
        Action::Reinstall => "Reinstall",
        Action::Upgrade => "Upgrade",
        Action::Downgrade => "Downgrade",
        Action::Remove => "Remove",
        Action::Purge => "Purge",
    };
    let versions: Vec<&str> = item.old.as_deref().into_iter().chain(item.new.as_deref()).collect();
    let mut text = format!("Start-Date: {}", shown(stanza.start));
    if let Some(command) = &stanza.commandline {
        text += &format!("; Commandline: {command}");
    }
    if let Some(by) = &stanza.requested_by {
        text += &format!("; Requested-By: {by}");
    }
    text += &format!("; {action}: {}:{} ({})", item.name, item.arch, versions.join(", "));
    if let Some(error) = &stanza.error {
        text += &format!("; Error: {error}");
    }
    text + &format!(" [{}]", stanza.file)
}

/// A local time as the journals spell it.
pub(super) fn shown(local: DateTime) -> String {
    local.strftime("%Y-%m-%d %H:%M:%S").to_string()
}
