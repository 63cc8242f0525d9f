//! Before or after the boot: zones, repeated hours, stepped clocks.

use super::tests::{LIBRARY, UPDATER, differing, library_only, outcome, story};
use super::*;
use crate::derive::fixture::{Fixture, NEW, OLD, RUNNING, at, event, kernel, local};
use crate::probe::dpkg_log::DpkgAction;
use crate::probe::kernels::ModuleFile;
use crate::reading::{Reading, Reason};

#[test]
fn stamps_are_in_the_host_s_zone() {
    // 06:12 in Seoul is 21:12 UTC of the day before; the boot lies between the two readings.
    let fixture = |zone: Option<&str>| {
        Fixture::half_upgraded().with(|evidence| {
            if let Reading::Known(clock) = &mut evidence.clock {
                clock.zone = zone.map(str::to_owned);
                clock.utc_offset = 9 * 3600;
            }
            if let Reading::Known(boot) = &mut evidence.boot {
                boot.booted_at = at("2026-11-28T00:00:00Z");
            }
        })
    };
    for zone in [Some("Asia/Seoul"), None, Some("Nowhere/Known")] {
        let story = story(&fixture(zone).modules(OLD));
        assert_eq!(story.last().unwrap().at, at("2026-11-27T21:12:04Z"), "{zone:?}");
        assert_eq!(story.cause, Some(Cause::SurvivedReboot), "{zone:?}");
    }
}

/// New York, 1 November 2026: 01:00 to 02:00 comes twice. The upgrade is stamped 01:30, the boot was at 06:00 UTC.
fn repeated_hour() -> Fixture {
    differing(vec![library_only("2026-11-01T01:30:00", UPDATER, OLD, NEW)]).with(|evidence| {
        if let Reading::Known(clock) = &mut evidence.clock {
            clock.zone = Some("America/New_York".into());
            clock.utc_offset = -5 * 3600;
        }
        if let Reading::Known(boot) = &mut evidence.boot {
            boot.booted_at = at("2026-11-01T06:00:00Z");
        }
    })
}

#[test]
fn an_order_inside_the_repeated_hour_is_ambiguous() {
    let fixture = repeated_hour().modules(OLD);
    assert_eq!(outcome(&fixture), (None, vec!["apt-history: ambiguous-time".to_owned()]));
    let findings = fixture.check("driver-mismatch");
    assert_eq!(findings[0].details["cause"], "unread");
    // Outside it, the clocks do tell.
    let before = repeated_hour().with(|evidence| {
        if let Reading::Known(boot) = &mut evidence.boot {
            boot.booted_at = at("2026-11-01T05:00:00Z");
        }
    });
    assert_eq!(outcome(&before), (Some(Cause::UpgradedAfterBoot), vec![]));
}

#[test]
fn module_files_settle_an_ambiguous_order() {
    // The running kernel's file has the library's version, and what is loaded is what the change replaced.
    let fixture = repeated_hour().modules(NEW);
    assert_eq!(outcome(&fixture), (Some(Cause::UpgradedAfterBoot), vec![]));
    assert_eq!(story(&fixture).last().unwrap().at, at("2026-11-01T06:30:00Z"));
}

#[test]
fn a_clock_stepped_after_boot_is_not_believed() {
    // Rule 16: the journal was stamped 2020, before the loaded module was even built.
    let stamped =
        |module: &str| differing(vec![library_only("2020-01-01T00:05:00", UPDATER, OLD, NEW)]).modules(module);
    assert_eq!(outcome(&stamped(NEW)), (Some(Cause::UpgradedAfterBoot), vec![]));
    assert_eq!(outcome(&stamped(OLD)), (None, vec!["apt-history: ambiguous-time".to_owned()]));
    let finding = &stamped(NEW).check("half-upgraded")[0];
    assert_eq!(
        (&finding.details["broken_since"], &finding.details["reboot_cures"]),
        (&serde_json::Value::Null, &true.into())
    );
}

#[test]
fn stamps_from_the_future_and_backward_jumps_are_not_believed() {
    let future = differing(vec![library_only("2027-05-01T00:00:00", UPDATER, OLD, NEW)]).modules(OLD);
    assert_eq!(outcome(&future), (None, vec!["apt-history: ambiguous-time".to_owned()]));
    let jump = differing(vec![
        library_only("2026-11-09T00:00:00", UPDATER, "535.161.08", OLD),
        library_only("2026-10-01T00:00:00", UPDATER, OLD, NEW),
    ])
    .modules(OLD);
    assert_eq!(outcome(&jump), (None, vec!["apt-history: ambiguous-time".to_owned()]));
}

#[test]
fn no_boot_time_is_needed_when_module_files_settle_it() {
    let no_boot =
        |fixture: Fixture| fixture.with(|evidence| evidence.boot = Reading::unread(Reason::Truncated, "no btime"));
    assert_eq!(outcome(&no_boot(Fixture::half_upgraded())), (Some(Cause::UpgradedAfterBoot), vec![]));
    let open = no_boot(Fixture::half_upgraded().modules(OLD));
    assert_eq!(outcome(&open), (Some(Cause::Unread), vec!["boot: truncated".to_owned()]));
}

#[test]
fn a_removed_module_file_settles_nothing() {
    let fixture = repeated_hour().kernels(vec![kernel(RUNNING, None)]);
    assert_eq!(outcome(&fixture).0, None);
    let unread = repeated_hour().with(|evidence| {
        if let Reading::Known(kernels) = &mut evidence.kernels {
            kernels.installed[0].module = Reading::<ModuleFile>::unread(Reason::PermissionDenied, "modinfo");
        }
    });
    assert_eq!(outcome(&unread).0, None);
}

#[test]
fn a_night_in_which_the_clock_was_set_back_is_still_confirmed() {
    // 01:50 daylight time to 01:10 standard time: the stanza ends before it begins, dpkg's stamp lies between.
    let mut night = library_only("2026-11-01T01:50:00", UPDATER, OLD, NEW);
    night.end = Some(local("2026-11-01T01:10:00"));
    let fixture = differing(vec![night])
        .events(vec![event("2026-11-01T01:05:00", DpkgAction::Upgrade, LIBRARY, Some(OLD), Some(NEW))])
        .with(|evidence| {
            if let Reading::Known(clock) = &mut evidence.clock {
                clock.zone = Some("America/New_York".into());
            }
            if let Reading::Known(boot) = &mut evidence.boot {
                boot.booted_at = at("2026-10-20T00:00:00Z");
            }
        });
    let story = story(&fixture);
    assert_eq!(story.changes.iter().map(|change| change.by).collect::<Vec<_>>(), [Actor::UnattendedUpgrades]);
    assert_eq!(story.cause, Some(Cause::UpgradedAfterBoot));
}
