//! Why loaded and library differ.

use crate::check::Look;
use crate::derive::driver::{Driver, Relation, Role};
use crate::derive::upgrade::zone::Zone;
use crate::derive::upgrade::{Cause, DriverChange, actor, run};
use crate::probe::ProbeId;
use crate::probe::apt_history::Item;
use crate::probe::system::{PackageManager, Platform};
use crate::reading::{Reason, Unread};

/// The cause, and the change since which GPU work has been broken.
pub(super) fn tell(
    look: &Look<'_>,
    driver: &Driver,
    changes: &[DriverChange],
    running: bool,
) -> (Option<Cause>, Option<DriverChange>) {
    note_hints(look);
    if !driver.relation.differs() {
        return (None, None);
    }
    let system = look.evidence.system.known();
    if system.is_some_and(|system| matches!(system.platform, Platform::Container(_))) {
        return (Some(Cause::ContainerGuest), None);
    }
    let explaining = changes.last().filter(|last| last.to.as_ref() == driver.library.known());
    let Some(last) = explaining else {
        if was_cut(look) {
            return if running { (None, None) } else { (Some(Cause::Interrupted), None) };
        }

        return (Some(without_record(look, driver, changes)), None);
    };
    let broken = first_break(driver, changes).cloned();
    if !last.finished {
        // Still at work: what it will leave behind is not yet to be judged.
        return if running { (None, broken) } else { (Some(Cause::Interrupted), broken) };
    }
    let cause = match last.after_boot {
        Some(true) if last.downgrade && driver.relation == Relation::ModuleNewer => Cause::Downgraded,
        Some(true) => Cause::UpgradedAfterBoot,
        Some(false) => Cause::SurvivedReboot,
        None => {
            if !boot_is_known(look) {
                return (Some(Cause::Unread), None);
            }
            let detail = format!("whether the change of {} came before or after the boot cannot be told", last.local);
            look.miss(last.probe, Unread::new(Reason::AmbiguousTime, detail));
            return (None, None);
        }
    };
    (Some(cause), if cause == Cause::SurvivedReboot { None } else { broken })
}

/// The boot decides; a host that names none is as unread as one that was not read.
fn boot_is_known(look: &Look<'_>) -> bool {
    if look.evidence.boot.is_absent() {
        look.miss(ProbeId::Boot, Unread::new(Reason::Unparseable, "the host names no boot time"));
    }
    look.need(ProbeId::Boot, &look.evidence.boot).known().is_some()
}

/// The last transaction of all touches the driver and has no end.
fn was_cut(look: &Look<'_>) -> bool {
    let stanzas = look.evidence.apt_history.known().map(|history| history.stanzas.as_slice()).unwrap_or_default();
    let touches = |item: &Item| {
        run::is_driver_package(&item.name, item.new.as_deref().or(item.old.as_deref()).unwrap_or_default())
    };
    let real = stanzas.iter().rfind(|stanza| !actor::is_dry_run(stanza.commandline.as_deref()));
    real.is_some_and(|last| last.end.is_none() && last.items.iter().any(touches))
}

fn note_hints(look: &Look<'_>) {
    let evidence = look.evidence;
    look.hint(ProbeId::AptHistory, &evidence.apt_history);
    look.hint(ProbeId::DpkgLog, &evidence.dpkg_log);
    look.hint(ProbeId::UpdaterLog, &evidence.updater_log);
    look.hint(ProbeId::Boot, &evidence.boot);
    look.hint(ProbeId::Clock, &evidence.clock);
}

/// The change that made the two differ for the last time, among those since the boot.
fn first_break<'a>(driver: &Driver, changes: &'a [DriverChange]) -> Option<&'a DriverChange> {
    let loaded = driver.loaded.known()?;
    let mut broken = None;
    for change in changes.iter().filter(|change| change.after_boot != Some(false)) {
        match &change.to {
            Some(to) if to == loaded => broken = None,
            _ if broken.is_none() => broken = Some(change),
            _ => {}
        }
    }
    broken
}

/// No journal explains the library on disk: is that because there is no record, or because it could not be read?
fn without_record(look: &Look<'_>, driver: &Driver, changes: &[DriverChange]) -> Cause {
    let evidence = look.evidence;
    let manager = evidence.system.known().map(|system| system.package_manager);
    if manager == Some(PackageManager::Rpm) {
        let detail = "the journals of rpm hosts are not read yet";
        look.miss(ProbeId::AptHistory, Unread::new(Reason::NotSupported, detail));
        return Cause::Unread;
    }
    let packages_read = evidence.packages.known().is_some();
    let unowned = packages_read && !driver.packages.iter().any(|package| package.role == Role::Library);
    // A library that no package owns was written by something that keeps no journal here.
    if unowned || manager == Some(PackageManager::Other) {
        return Cause::NoRecord;
    }
    // dpkg's journal knows every unpacking; apt's knows nearly all. Either one that is whole since the boot will do.
    if !boot_is_known(look) {
        return Cause::Unread;
    }
    let Some(boot) = evidence.boot.known() else { return Cause::Unread };
    let zone = Zone::of(&evidence.clock);
    let since_boot = |oldest: Option<jiff::civil::DateTime>| {
        oldest.and_then(|oldest| zone.moment(oldest)).is_some_and(|moment| moment.latest <= boot.booted_at)
    };
    let explained_before = !changes.is_empty();
    let dpkg = evidence.dpkg_log.known();
    let apt = evidence.apt_history.known();
    let dpkg_whole =
        dpkg.is_some_and(|log| log.unread_files.is_empty() && (explained_before || since_boot(log.reaches_back_to)));
    let apt_whole =
        apt.is_some_and(|log| log.unread_files.is_empty() && (explained_before || since_boot(log.reaches_back_to)));
    if dpkg_whole || (apt_whole && evidence.dpkg_log.why_unread().is_none()) {
        return Cause::NoRecord;
    }
    let mut said = false;
    for (probe, why) in
        [(ProbeId::AptHistory, evidence.apt_history.why_unread()), (ProbeId::DpkgLog, evidence.dpkg_log.why_unread())]
    {
        if let Some(why) = why {
            look.miss(probe, why.clone());
            said = true;
        }
    }
    for (probe, files) in
        [(ProbeId::AptHistory, apt.map(|log| &log.unread_files)), (ProbeId::DpkgLog, dpkg.map(|log| &log.unread_files))]
    {
        if let Some(file) = files.and_then(|files| files.first()) {
            look.miss(probe, Unread::new(Reason::PermissionDenied, format!("`{file}` could not be read")));
            said = true;
        }
    }
    if !said {
        let reaches = apt.and_then(|log| log.reaches_back_to).or(dpkg.and_then(|log| log.reaches_back_to));
        let detail = match reaches {
            Some(oldest) => {
                format!("the host booted before the oldest journal entry of {}", super::history::shown(oldest))
            }
            None => "no journal of apt or dpkg is left on this host".to_owned(),
        };
        look.miss(ProbeId::AptHistory, Unread::new(Reason::Retention, detail));
    }
    Cause::Unread
}
