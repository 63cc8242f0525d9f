//! Changes of the library in apt's journal.

use jiff::civil::DateTime;

use crate::derive::upgrade::change::{Draft, MOST, Scope, upstream};
use crate::derive::upgrade::{actor, run};
use crate::evidence::Evidence;
use crate::probe::ProbeId;
use crate::probe::apt_history::{Action, Item, Stanza};
use crate::probe::dpkg_log::{DpkgAction, DpkgLog};

/// Real changes: no trial runs, nothing that dpkg's own journal contradicts.
pub(super) fn changes(evidence: &Evidence, scope: &Scope) -> Vec<Draft> {
    let Some(history) = evidence.apt_history.known() else { return Vec::new() };
    let real: Vec<&Stanza> =
        history.stanzas.iter().filter(|stanza| !actor::is_dry_run(stanza.commandline.as_deref())).collect();
    let last = real.last().copied();
    let mut drafts = Vec::new();
    for stanzas in run::group(&real).iter().rev() {
        let whole = Run::of(stanzas, scope);
        for stanza in stanzas.iter().rev() {
            if drafts.len() >= MOST {
                break;
            }
            let is_last = last.is_some_and(|last| std::ptr::eq(last, *stanza));
            drafts.extend(draft(evidence.dpkg_log.known(), scope, &whole, stanza, is_last));
        }
    }
    drafts.reverse();
    drafts
}

/// What has to be known of a whole run to read one of its stanzas.
struct Run<'a> {
    /// Library packages it removed.
    gone: Vec<&'a Item>,
    /// It wrote a library package.
    writes: bool,
    /// Driver packages in its Upgrade lists.
    packages: usize,
}

impl<'a> Run<'a> {
    fn of(stanzas: &[&'a Stanza], scope: &Scope) -> Self {
        let items = stanzas.iter().flat_map(|stanza| &stanza.items).filter(|item| is_library(item, scope));
        let (gone, written): (Vec<&Item>, Vec<&Item>) = items.partition(|item| is_removal(item));
        let packages = if gone.is_empty() && written.is_empty() { 0 } else { run::upgraded_packages(stanzas) };
        Self { gone, writes: !written.is_empty(), packages }
    }
}

fn is_library(item: &Item, scope: &Scope) -> bool {
    scope.is_library(&item.name, &item.arch, item.new.as_deref().or(item.old.as_deref()).unwrap_or_default())
}

fn is_removal(item: &Item) -> bool {
    matches!(item.action, Action::Remove | Action::Purge)
}

fn draft(log: Option<&DpkgLog>, scope: &Scope, run: &Run<'_>, stanza: &Stanza, is_last: bool) -> Option<Draft> {
    let change = library_change(stanza, run, scope)?;
    let witness = witness(stanza, change.item, log);
    if witness == Witness::Against && !is_only_explanation(&change, log, scope) {
        return None;
    }
    Some(Draft {
        at: stanza.start,
        by: actor::of(stanza.commandline.as_deref(), stanza.requested_by.as_deref()),
        command: stanza.commandline.clone(),
        requested_by: stanza.requested_by.clone(),
        packages: run.packages,
        again: false,
        error: stanza.error.is_some(),
        finished: stanza.end.is_some() || !is_last,
        confirmed: witness == Witness::For,
        record: record(stanza, change.item),
        from: change.from,
        to: change.to,
        probe: ProbeId::AptHistory,
    })
}

struct Change<'a> {
    item: &'a Item,
    from: Option<String>,
    to: Option<String>,
}

/// What a stanza did to the library. A branch switch is an Install of one library package beside the Remove of another.
fn library_change<'a>(stanza: &'a Stanza, run: &Run<'_>, scope: &Scope) -> Option<Change<'a>> {
    let (removed, written): (Vec<&Item>, Vec<&Item>) =
        stanza.items.iter().filter(|item| is_library(item, scope)).partition(|item| is_removal(item));
    // In a transaction that was cut short the last item may lack its new version; the disk then tells it.
    let written = || written.iter().filter(|item| item.new.is_some() || stanza.end.is_none());
    let on_disk = |item: &&&Item| item.new.as_deref().map(upstream) == scope.library;
    if let Some(item) = written().find(on_disk).or_else(|| written().next()) {
        let old = match item.action {
            Action::Reinstall => item.new.as_deref(),
            _ => item.old.as_deref(),
        };
        let gone = run.gone.iter().find(|other| other.name != item.name && other.old.is_some());
        let from = old.or_else(|| gone.and_then(|other| other.old.as_deref())).map(upstream);
        let to = item.new.as_deref().map(upstream).or_else(|| scope.library.clone());
        return Some(Change { item, from, to });
    }
    let item = removed.into_iter().find(|item| item.old.is_some())?;
    (!run.writes).then(|| Change { item, from: item.old.as_deref().map(upstream), to: None })
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
    let span = run::span(stanza);
    let same = |event: &crate::probe::dpkg_log::DpkgEvent| match is_removal(item) {
        true => event.action == DpkgAction::Remove,
        false => item.new.is_none() || event.new == item.new,
    };
    let seen = log.events.iter().any(|event| event.name == item.name && span.contains(&event.at) && same(event));
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
