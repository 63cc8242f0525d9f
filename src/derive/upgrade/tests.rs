use super::*;
use crate::derive::fixture::{Fixture, NEW, OLD, at, event, item, loaded, local, stanza, upgrade_of_all};
use crate::probe::apt_history::{Action, Item, Stanza};
use crate::probe::dpkg_log::DpkgAction;
use crate::probe::system::{PackageManager, Platform};
use crate::probe::updater_log::{UpdaterLog, UpdaterRun};
use crate::reading::{Reading, Reason};

pub(super) const UPDATER: &str = "/usr/bin/unattended-upgrade";
pub(super) const LIBRARY: &str = "libnvidia-compute-535";

pub(super) fn story(fixture: &Fixture) -> UpgradeStory {
    fixture.derived().0.upgrade
}

/// The cause, and the load-bearing facts that are missing.
pub(super) fn outcome(fixture: &Fixture) -> (Option<Cause>, Vec<String>) {
    let (derived, needed, _) = fixture.derived();
    let missing = needed.into_iter().map(|fact| format!("{}: {}", fact.what, fact.why.reason));
    // Protection is judged elsewhere; what it misses here is not this test's business.
    let ours = ["module", "library", "boot", "apt-history", "dpkg-log", "updater-log", "updater", "pci", "system"];
    let ours = missing.filter(|text| ours.iter().any(|probe| text.starts_with(&format!("{probe}:"))));
    (derived.upgrade.cause, ours.collect())
}

pub(super) fn differing(stanzas: Vec<Stanza>) -> Fixture {
    Fixture::half_upgraded().stanzas(stanzas)
}

pub(super) fn library_only(start: &str, command: &str, old: &str, new: &str) -> Stanza {
    stanza(start, command, vec![item(Action::Upgrade, LIBRARY, Some(old), Some(new))])
}

#[test]
fn upgraded_after_boot_by_the_updater() {
    let story = story(&Fixture::half_upgraded());
    assert_eq!(story.cause, Some(Cause::UpgradedAfterBoot));
    let last = story.last().unwrap();
    assert_eq!(last.at, at("2026-11-28T06:12:04Z"));
    assert_eq!(
        (last.by, last.packages, last.downgrade, last.after_boot),
        (Actor::UnattendedUpgrades, 15, false, Some(true))
    );
    assert_eq!((last.from.as_deref(), last.to.as_deref()), (Some(OLD), Some(NEW)));
    assert_eq!(story.broken.as_ref(), Some(last));
}

#[test]
fn one_night_in_small_steps_is_one_run() {
    let up = |names: &[&str]| {
        names.iter().map(|name| item(Action::Upgrade, name, Some(OLD), Some(NEW))).collect::<Vec<Item>>()
    };
    let fixture = differing(vec![
        stanza("2026-11-28T06:10:00", UPDATER, up(&["libnvidia-common-535", "nvidia-settings"])),
        stanza("2026-11-28T06:20:00", UPDATER, up(&[LIBRARY, "nvidia-utils-535"])),
        stanza("2026-11-28T06:50:00", UPDATER, up(&["nvidia-driver-535", "nvidia-utils-535"])),
        stanza("2026-11-29T06:50:00", UPDATER, up(&["nvidia-dkms-535"])),
    ]);
    let story = story(&fixture);
    // nvidia-settings has a version of its own; nvidia-utils counts once; the next night is another run.
    assert_eq!(story.last().map(|last| (last.packages, last.at)), Some((4, at("2026-11-28T06:20:00Z"))));
}

#[test]
fn dry_runs_never_count() {
    let dry = upgrade_of_all("2026-11-28T06:12:04", "/usr/bin/unattended-upgrade --dry-run -d", OLD, NEW);
    assert_eq!(outcome(&differing(vec![dry.clone()])), (Some(Cause::NoRecord), vec![]));
    let silent = Fixture::healthy().stanzas(vec![dry]);
    assert_eq!(story(&silent).changes, vec![]);
}

#[test]
fn a_stanza_that_dpkg_does_not_confirm_is_not_real() {
    // A trial run whose option was not recorded; the real change came by dpkg alone a day later.
    let fixture = differing(vec![upgrade_of_all("2026-11-28T06:12:04", UPDATER, OLD, NEW)]).events(vec![event(
        "2026-11-29T10:00:00",
        DpkgAction::Upgrade,
        LIBRARY,
        Some(OLD),
        Some(NEW),
    )]);
    let story = story(&fixture);
    let seen: Vec<_> = story.changes.iter().map(|change| (change.by, change.probe, change.local.as_str())).collect();
    assert_eq!(seen, vec![(Actor::Unknown, ProbeId::DpkgLog, "2026-11-29 10:00:00")]);
    assert_eq!(story.cause, Some(Cause::UpgradedAfterBoot));
}

#[test]
fn a_trial_run_on_a_healthy_host_leaves_no_change() {
    let fixture = Fixture::healthy().stanzas(vec![upgrade_of_all("2026-11-28T06:12:04", UPDATER, OLD, NEW)]);
    assert_eq!(story(&fixture).changes, vec![]);
    assert_eq!(story(&fixture.events(vec![])).changes, vec![]);
}

#[test]
fn a_journal_of_dpkg_from_another_disk_contradicts_nothing() {
    let fixture = Fixture::half_upgraded().events(vec![]);
    assert_eq!(outcome(&fixture), (Some(Cause::UpgradedAfterBoot), vec![]));
}

#[test]
fn dpkg_confirms_within_the_transaction() {
    let fixture = Fixture::half_upgraded().events(vec![event(
        "2026-11-28T06:12:20",
        DpkgAction::Upgrade,
        LIBRARY,
        Some(OLD),
        Some(NEW),
    )]);
    let story = story(&fixture);
    assert_eq!(story.changes.len(), 1);
    assert_eq!(story.changes[0].by, Actor::UnattendedUpgrades);
}

#[test]
fn history_closed_dpkg_tells_that_and_the_updater_log_tells_who() {
    let run =
        UpdaterRun { started: local("2026-11-28T06:10:00"), packages: vec![LIBRARY.into()], ..UpdaterRun::default() };
    let fixture = Fixture::half_upgraded()
        .events(vec![
            event("2026-11-28T06:12:20", DpkgAction::Upgrade, LIBRARY, Some(OLD), Some(NEW)),
            event("2026-11-28T06:12:40", DpkgAction::Upgrade, "nvidia-utils-535", Some(OLD), Some(NEW)),
        ])
        .with(|evidence| {
            evidence.apt_history = Reading::unread(Reason::PermissionDenied, "history.log: Permission denied");
            evidence.updater_log = Reading::Known(UpdaterLog { runs: vec![run], ..UpdaterLog::default() });
        });
    let story = story(&fixture);
    assert_eq!(story.cause, Some(Cause::UpgradedAfterBoot));
    let last = story.last().unwrap();
    assert_eq!((last.by, last.packages, last.probe), (Actor::UnattendedUpgrades, 2, ProbeId::DpkgLog));
    // Closed though it is, the history is not needed any more.
    assert_eq!(outcome(&fixture).1, Vec::<String>::new());
    let alone = fixture.with(|evidence| evidence.updater_log = Reading::Absent);
    assert_eq!(alone.derived().0.upgrade.last().map(|last| last.by), Some(Actor::Unknown));
}

#[test]
fn only_the_updater_log_is_open() {
    let run = |dry_run| UpdaterRun {
        started: local("2026-11-28T06:10:00"),
        packages: vec!["nvidia-utils-535".into(), LIBRARY.into()],
        dry_run,
        ..UpdaterRun::default()
    };
    let fixture = |dry_run| {
        Fixture::half_upgraded().with(|evidence| {
            evidence.apt_history = Reading::unread(Reason::PermissionDenied, "closed");
            evidence.dpkg_log = Reading::unread(Reason::PermissionDenied, "closed");
            evidence.updater_log = Reading::Known(UpdaterLog { runs: vec![run(dry_run)], ..UpdaterLog::default() });
        })
    };
    let open = story(&fixture(false));
    let last = open.last().unwrap();
    assert_eq!((open.cause, last.by, last.packages), (Some(Cause::UpgradedAfterBoot), Actor::UnattendedUpgrades, 2));
    assert_eq!((last.from.as_deref(), last.to.as_deref()), (Some(OLD), Some(NEW)));
    let closed = vec!["apt-history: permission-denied".to_owned(), "dpkg-log: permission-denied".to_owned()];
    assert_eq!(outcome(&fixture(true)), (Some(Cause::Unread), closed));
}

#[test]
fn the_updater_log_may_be_closed() {
    let fixture = Fixture::half_upgraded()
        .with(|evidence| evidence.updater_log = Reading::unread(Reason::PermissionDenied, "0750 root:adm"));
    assert_eq!(outcome(&fixture), (Some(Cause::UpgradedAfterBoot), vec![]));
}

#[test]
fn journals_are_not_load_bearing_while_the_sides_agree() {
    let fixture = Fixture::healthy().with(|evidence| {
        evidence.apt_history = Reading::unread(Reason::PermissionDenied, "closed");
        evidence.dpkg_log = Reading::unread(Reason::PermissionDenied, "closed");
        evidence.boot = Reading::unread(Reason::Truncated, "no btime");
    });
    assert_eq!(outcome(&fixture), (None, vec![]));
}

#[test]
fn an_error_does_not_undo_what_was_unpacked() {
    let mut failed = upgrade_of_all("2026-11-28T06:12:04", UPDATER, OLD, NEW);
    failed.error = Some("Sub-process /usr/bin/dpkg returned an error code (1)".into());
    assert_eq!(outcome(&differing(vec![failed.clone()])), (Some(Cause::UpgradedAfterBoot), vec![]));
    // The error came before the library's turn: the disk still has the old one.
    assert_eq!(story(&Fixture::healthy().stanzas(vec![failed])).changes, vec![]);
}

#[test]
fn the_last_real_writer_is_the_cause_and_the_first_break_the_beginning() {
    // Rule 3: the updater went from A to B, a person from B to C.
    let between = "535.175.02";
    let mut by_hand = library_only("2026-11-29T10:00:00", "apt --fix-broken install", between, NEW);
    by_hand.requested_by = Some("mara (1000)".into());
    let fixture = differing(vec![library_only("2026-11-28T06:12:04", UPDATER, OLD, between), by_hand]);
    let story = story(&fixture);
    assert_eq!(story.cause, Some(Cause::UpgradedAfterBoot));
    assert_eq!(story.changes.len(), 2);
    assert_eq!(story.last().map(|last| last.by), Some(Actor::Manual));
    let broken = story.broken.unwrap();
    assert_eq!((broken.by, broken.at), (Actor::UnattendedUpgrades, at("2026-11-28T06:12:04Z")));
}

#[test]
fn a_change_that_was_taken_back_does_not_begin_the_break() {
    let fixture = differing(vec![
        library_only("2026-11-20T06:00:00", UPDATER, OLD, NEW),
        stanza("2026-11-21T06:00:00", "apt install x", vec![item(Action::Downgrade, LIBRARY, Some(NEW), Some(OLD))]),
        library_only("2026-11-28T06:00:00", UPDATER, OLD, NEW),
    ]);
    assert_eq!(story(&fixture).broken.map(|broken| broken.at), Some(at("2026-11-28T06:00:00Z")));
}

#[test]
fn a_branch_switch_is_an_upgrade() {
    // Rule 2: no Upgrade item at all; the removal may stand in another step of the same run.
    let new = "550.90.07";
    let install = item(Action::Install, "libnvidia-compute-550", None, Some(new));
    let remove = item(Action::Remove, LIBRARY, Some(OLD), None);
    let one =
        vec![stanza("2026-11-28T06:12:04", "apt install nvidia-driver-550", vec![install.clone(), remove.clone()])];
    let two = vec![
        stanza("2026-11-28T06:12:04", UPDATER, vec![remove]),
        stanza("2026-11-28T06:14:04", UPDATER, vec![install.clone()]),
    ];
    let alone = vec![stanza("2026-11-28T06:12:04", UPDATER, vec![install])];
    for stanzas in [one, two, alone] {
        let story = story(&Fixture::half_upgraded().library(new).stanzas(stanzas));
        assert_eq!(story.cause, Some(Cause::UpgradedAfterBoot));
        let last = story.last().unwrap();
        assert_eq!((last.from.as_deref(), last.to.as_deref(), last.downgrade), (Some(OLD), Some(new), false));
    }
}

#[test]
fn losing_the_branch_in_the_name_is_an_upgrade() {
    let new = "590.44.01";
    let items = vec![
        item(Action::Install, "libnvidia-compute", None, Some(new)),
        item(Action::Remove, "libnvidia-compute-580", Some("580.95.05"), None),
    ];
    let fixture = Fixture::half_upgraded().library(new).loaded(Some(loaded("580.95.05"))).stanzas(vec![stanza(
        "2026-11-28T06:12:04",
        UPDATER,
        items,
    )]);
    let story = story(&fixture);
    assert_eq!(story.cause, Some(Cause::UpgradedAfterBoot));
    assert_eq!(story.last().and_then(|last| last.from.clone()).as_deref(), Some("580.95.05"));
}

#[test]
fn downgraded_after_boot() {
    let older = "535.154.05";
    let back =
        stanza("2026-11-28T06:12:04", "apt install x", vec![item(Action::Downgrade, LIBRARY, Some(OLD), Some(older))]);
    let fixture = Fixture::half_upgraded().library(older).stanzas(vec![back]);
    assert_eq!(outcome(&fixture), (Some(Cause::Downgraded), vec![]));
    assert!(story(&fixture).last().unwrap().downgrade);
    // dpkg writes a downgrade as `upgrade`.
    let by_dpkg = Fixture::half_upgraded().library(older).stanzas(vec![]).events(vec![event(
        "2026-11-28T06:12:04",
        DpkgAction::Upgrade,
        LIBRARY,
        Some(OLD),
        Some(older),
    )]);
    assert_eq!(outcome(&by_dpkg), (Some(Cause::Downgraded), vec![]));
}

#[test]
fn survived_a_reboot() {
    let fixture = differing(vec![upgrade_of_all("2026-11-10T06:12:04", UPDATER, OLD, NEW)]).modules(OLD);
    assert_eq!(outcome(&fixture), (Some(Cause::SurvivedReboot), vec![]));
    assert_eq!(story(&fixture).broken, None);
    // Also with the library's module file on disk: an old initramfs can win.
    let initramfs = differing(vec![upgrade_of_all("2026-11-10T06:12:04", UPDATER, OLD, NEW)]);
    assert_eq!(outcome(&initramfs), (Some(Cause::SurvivedReboot), vec![]));
}

#[test]
fn interrupted_when_the_last_stanza_has_no_end() {
    let mut cut = upgrade_of_all("2026-11-28T06:12:04", UPDATER, OLD, NEW);
    cut.end = None;
    assert_eq!(outcome(&differing(vec![cut.clone()])), (Some(Cause::Interrupted), vec![]));
    // Something ran after it, so it was finished by somebody.
    let later = stanza(
        "2026-11-29T06:00:00",
        "apt upgrade",
        vec![item(Action::Upgrade, "nvidia-utils-535", Some(OLD), Some(NEW))],
    );
    assert_eq!(outcome(&differing(vec![cut.clone(), later])), (Some(Cause::UpgradedAfterBoot), vec![]));
    // Rule 8: apt is at it right now.
    let running = differing(vec![cut]).with(|evidence| {
        if let Reading::Known(updater) = &mut evidence.updater {
            updater.running = vec!["apt-get".into()];
        }
    });
    assert_eq!(outcome(&running), (None, vec!["updater: upgrade-running".to_owned()]));
    assert_eq!(running.check("driver-mismatch"), vec![]);
}

#[test]
fn upgrade_running_is_said_even_when_the_sides_agree() {
    let fixture = Fixture::healthy().with(|evidence| {
        if let Reading::Known(updater) = &mut evidence.updater {
            updater.running = vec!["dpkg".into()];
        }
    });
    assert_eq!(outcome(&fixture), (None, vec!["updater: upgrade-running".to_owned()]));
    assert!(story(&fixture).running);
}

#[test]
fn whole_journals_without_a_change_are_no_record() {
    assert_eq!(outcome(&differing(vec![])), (Some(Cause::NoRecord), vec![]));
    // dpkg's alone will do.
    let dpkg = differing(vec![]).events(vec![]).with(|evidence| {
        evidence.apt_history = Reading::unread(Reason::PermissionDenied, "closed");
    });
    assert_eq!(outcome(&dpkg), (Some(Cause::NoRecord), vec![]));
}

#[test]
fn a_library_that_the_last_record_does_not_name_is_no_record() {
    let fixture = differing(vec![library_only("2026-11-28T06:12:04", UPDATER, OLD, "535.175.02")]);
    assert_eq!(outcome(&fixture), (Some(Cause::NoRecord), vec![]));
}

#[test]
fn journals_younger_than_the_boot_are_retention() {
    let fixture = differing(vec![]).with(|evidence| {
        if let Reading::Known(history) = &mut evidence.apt_history {
            history.reaches_back_to = Some(local("2026-11-20T00:00:00"));
        }
    });
    assert_eq!(outcome(&fixture), (Some(Cause::Unread), vec!["apt-history: retention".to_owned()]));
    let gone = differing(vec![]).with(|evidence| evidence.apt_history = Reading::Absent);
    assert_eq!(outcome(&gone), (Some(Cause::Unread), vec!["apt-history: retention".to_owned()]));
}

#[test]
fn a_closed_rotated_journal_is_unread() {
    let fixture = differing(vec![]).with(|evidence| {
        if let Reading::Known(history) = &mut evidence.apt_history {
            history.unread_files = vec!["/var/log/apt/history.log.1.gz".into()];
        }
    });
    assert_eq!(outcome(&fixture), (Some(Cause::Unread), vec!["apt-history: permission-denied".to_owned()]));
}

#[test]
fn other_systems_have_no_journal_that_is_read() {
    let on = |manager| {
        differing(vec![]).with(|evidence| {
            if let Reading::Known(system) = &mut evidence.system {
                system.package_manager = manager;
            }
            evidence.packages = Reading::Absent;
            evidence.apt_history = Reading::Absent;
        })
    };
    assert_eq!(outcome(&on(PackageManager::Other)), (Some(Cause::NoRecord), vec![]));
    let rpm = (Some(Cause::Unread), vec!["apt-history: not-supported".to_owned()]);
    assert_eq!(outcome(&on(PackageManager::Rpm)), rpm);
}

#[test]
fn a_container_guest_has_its_host_s_module() {
    let fixture = Fixture::half_upgraded().with(|evidence| {
        if let Reading::Known(system) = &mut evidence.system {
            system.platform = Platform::Container("lxc".into());
        }
    });
    assert_eq!(outcome(&fixture), (Some(Cause::ContainerGuest), vec![]));
}

#[test]
fn other_packages_are_not_the_library() {
    let items = vec![
        item(Action::Upgrade, "nvidia-container-toolkit", Some("1.16.0"), Some("1.17.0")),
        item(Action::Upgrade, "libnvidia-common-535", Some(OLD), Some(NEW)),
        item(Action::Upgrade, "linux-modules-nvidia-535-generic", Some("5.15.0-112.122"), Some("5.15.0-113.123")),
    ];
    let fixture = Fixture::healthy().stanzas(vec![stanza("2026-11-28T06:12:04", UPDATER, items)]);
    assert_eq!(story(&fixture).changes, vec![]);
}

#[test]
fn a_foreign_twin_is_not_the_library() {
    let mut twin = item(Action::Upgrade, LIBRARY, Some(OLD), Some(NEW));
    twin.arch = "i386".into();
    let fixture = Fixture::healthy().stanzas(vec![stanza("2026-11-28T06:12:04", UPDATER, vec![twin])]);
    assert_eq!(story(&fixture).changes, vec![]);
}

#[test]
fn a_rebuild_of_the_same_driver_is_no_change() {
    let mut rebuild = library_only("2026-11-28T06:12:04", UPDATER, NEW, NEW);
    rebuild.items[0].new = Some(format!("{NEW}-0ubuntu0.22.04.2"));
    let fixture = differing(vec![library_only("2026-11-10T06:12:04", UPDATER, OLD, NEW), rebuild]).modules(OLD);
    assert_eq!(outcome(&fixture), (Some(Cause::SurvivedReboot), vec![]));
}

#[test]
fn a_module_reloaded_by_hand_is_simply_fine() {
    let fixture = Fixture::half_upgraded().loaded(Some(loaded(NEW)));
    assert_eq!(outcome(&fixture), (None, vec![]));
    assert_eq!(story(&fixture).last().map(|last| last.packages), Some(15));
}

#[test]
fn a_run_that_the_installer_did_has_no_record() {
    // Rule 21: no package owns the library.
    let fixture = Fixture::half_upgraded().with(|evidence| {
        evidence.packages = Reading::Known(crate::probe::packages::Packages::default());
        evidence.apt_history = Reading::Absent;
    });
    assert_eq!(outcome(&fixture), (Some(Cause::NoRecord), vec![]));
}

#[test]
fn a_stanza_cut_in_its_list_is_interrupted() {
    let cut = |items| {
        let mut cut = stanza("2026-11-28T06:12:04", UPDATER, items);
        cut.end = None;
        differing(vec![cut])
    };
    let half_an_item = Item { new: None, ..item(Action::Upgrade, LIBRARY, Some(OLD), Some(NEW)) };
    let fixture = cut(vec![half_an_item]);
    assert_eq!(outcome(&fixture), (Some(Cause::Interrupted), vec![]));
    assert_eq!(story(&fixture).last().and_then(|last| last.to.clone()).as_deref(), Some(NEW));
    let before_the_library = cut(vec![item(Action::Upgrade, "libnvidia-common-535", Some(OLD), Some(NEW))]);
    assert_eq!(outcome(&before_the_library), (Some(Cause::Interrupted), vec![]));
    let another = cut(vec![item(Action::Upgrade, "nvidia-container-toolkit", Some("1.16.0"), Some("1.17.0"))]);
    assert_eq!(outcome(&another), (Some(Cause::NoRecord), vec![]));
}

#[test]
fn a_hostile_journal_is_bounded() {
    let stanza = |n: usize| {
        let (old, new) = if n.is_multiple_of(2) { (OLD, NEW) } else { (NEW, OLD) };
        library_only("2026-11-28T06:12:04", UPDATER, old, new)
    };
    let fixture = differing((0..5_001).map(stanza).collect());
    assert!(story(&fixture).changes.len() <= 500);
}
