//! The facts that decide false alarms and false ok, as tests.

use super::sample::{Host, NEW, OLD, source};
use super::{AutoUpgrade, Guard, Level, Protected};
use crate::derive::driver::{Applicability, LibrarySource};
use crate::probe::system::{PackageManager, System};
use crate::probe::updater::{Unit, Updater};
use crate::reading::{Reading, Reason};

const FIVE: &[&str] = &[
    "libnvidia-compute-535",
    "libnvidia-gl-535",
    "nvidia-driver-535",
    "nvidia-utils-535",
    "xserver-xorg-video-nvidia-535",
];
const SEED: &[&str] = &["nvidia-", "libnvidia-", "xserver-xorg-video-nvidia"];

fn level(host: &Host) -> Option<Level> {
    host.judge().0.level
}

fn reasons(host: &Host) -> Vec<(&'static str, Reason)> {
    host.judge().1.into_iter().map(|fact| (fact.what, fact.why.reason)).collect()
}

#[test]
fn nothing_configured_is_none_and_the_seed_list_is_full() {
    let mut host = Host::ubuntu(FIVE);
    let (protection, missing) = host.judge();
    assert_eq!((protection.auto_upgrade, protection.level), (AutoUpgrade::On, Some(Level::None)));
    assert_eq!(host.in_state(Protected::Exposed), FIVE);
    assert_eq!(missing, []);
    let (protection, missing) = host.blacklist(SEED).judge();
    assert_eq!((protection.level, protection.by), (Some(Level::Full), vec![Guard::Blacklist]));
    assert_eq!(missing, []);
    assert!(protection.packages.iter().all(|package| package.state == Protected::Blocked));
}

/// The coverage table of the facts: which installed names each list keeps.
#[test]
fn the_coverage_table() {
    let rows: &[(&[&str], [bool; 7])] = &[
        (
            &["nvidia-driver-535", "nvidia-dkms-535", "nvidia-kernel-common-535"],
            [true, false, false, true, true, false, false],
        ),
        (
            &["libnvidia-compute-535", "libnvidia-gl-535", "libnvidia-ml1", "libnvidia-nscq-535"],
            [false, true, false, false, true, false, false],
        ),
        (&["xserver-xorg-video-nvidia-535"], [false, false, true, false, true, false, false]),
        (
            &["linux-modules-nvidia-535-5.15.0-112-generic", "linux-objects-nvidia-535-5.15.0-112-generic"],
            [false, false, false, false, true, true, false],
        ),
        (
            &["cuda-drivers", "cuda-drivers-550", "cuda-drivers-fabricmanager-535"],
            [false, false, false, false, false, false, true],
        ),
        (&["libcuda1", "libnvcuvid1", "libnvoptix1", "libcudadebugger1"], [false; 7]),
        (
            &["libegl-nvidia0", "libglx-nvidia0", "libgl1-nvidia-glvnd-glx", "firmware-nvidia-gsp"],
            [false, false, false, false, true, false, false],
        ),
    ];
    let lists = ["nvidia-", "libnvidia-", "xserver-xorg-video-nvidia", "nvidia*", ".*nvidia.*", "linux-", "cuda-"];
    for (names, covered) in rows {
        for (list, expected) in lists.iter().zip(covered) {
            let mut host = Host::ubuntu(names);
            host.blacklist(&[list]);
            let blocked = host.in_state(Protected::Blocked);
            assert_eq!(blocked, if *expected { names.to_vec() } else { Vec::new() }, "`{list}` over {names:?}");
        }
    }
}

#[test]
fn lists_seen_in_the_wild() {
    let installed = &[
        "libnvidia-compute-535",
        "nvidia-utils-535",
        "xserver-xorg-video-nvidia-535",
        "linux-modules-nvidia-535-generic",
        "cuda-drivers",
        "libcuda1",
    ];
    let open = |patterns: &[&str]| {
        let mut host = Host::ubuntu(installed);
        host.blacklist(patterns);
        (host.judge().0.auto_upgrade, host.in_state(Protected::Exposed))
    };
    let on = AutoUpgrade::On;
    let (state, _) = open(&["linux-*", "*nvidia*", "amdgpu*"]);
    assert_eq!(state, AutoUpgrade::Broken);
    assert_eq!(open(&["^(lib)?nvidia-", "nvidia-", "libnvidia-", "..."]), (on, vec![]));
    assert_eq!(open(&["nvidia-*."]).1.len(), 5, "only nvidia-utils is kept, the library is not");
    assert_eq!(
        open(&["nvidia-", "libnvidia-", "nvidia-fabricmanager", "nvidia-persistenced"]).1,
        ["xserver-xorg-video-nvidia-535", "linux-modules-nvidia-535-generic", "cuda-drivers", "libcuda1"]
    );
    assert_eq!(
        open(&["nvidia-.*", "libnvidia-.*", "cuda-.*", "xserver-xorg-video-nvidia-.*"]).1,
        ["linux-modules-nvidia-535-generic", "libcuda1"]
    );
    assert_eq!(open(&["linux-"]).1.len(), 5, "exactly the wrong half");
    assert_eq!(open(&["libnvidia- xserver-xorg-video-nvidia"]).1.len(), 6, "one pattern with a blank");
    assert_eq!(open(&["'nvidia-'", "“libnvidia-”"]).1.len(), 6, "quotes that are part of the pattern");
    assert_eq!(open(&[""]), (on, vec![]));
}

#[test]
fn a_foreign_architecture_is_seen_under_its_own_name_and_tied_to_its_twin() {
    let mut host = Host::ubuntu(&["libnvidia-compute-535", "libnvidia-compute-535:i386", "libnvidia-gl-535:i386"]);
    host.blacklist(&["libnvidia-compute-535$"]);
    assert_eq!(host.in_state(Protected::Blocked), ["libnvidia-compute-535"]);
    assert_eq!(host.in_state(Protected::Tied), ["libnvidia-compute-535:i386"]);
    assert_eq!(host.in_state(Protected::Exposed), ["libnvidia-gl-535:i386"]);
}

#[test]
fn a_broken_updater_protects_nothing_and_needs_no_sources() {
    let mut host = Host::ubuntu(FIVE);
    host.evidence.apt_policy = Reading::unread(Reason::TimedOut, "x");
    let (protection, missing) = host.blacklist(&["*nvidia*"]).judge();
    assert_eq!((protection.auto_upgrade, protection.level), (AutoUpgrade::Broken, Some(Level::None)));
    assert_eq!(protection.blacklist[0].invalid.as_deref(), Some("nothing to repeat"));
    assert_eq!(missing, []);
    let mut host = Host::ubuntu(FIVE);
    host.config().broken = Some("E: Syntax error /etc/apt/apt.conf.d/50x:2: Extra junk at end of file".into());
    assert_eq!(host.judge().0.auto_upgrade, AutoUpgrade::Broken);
    let mut host = Host::ubuntu(FIVE);
    host.set("Unattended-Upgrade::Origins-Pattern::", "Ubuntu");
    assert_eq!(host.judge().0.auto_upgrade, AutoUpgrade::Broken);
}

#[test]
fn capitals_kill_the_updater_since_2_0_and_match_nothing_before() {
    let mut host = Host::ubuntu(FIVE);
    host.blacklist(&["NVIDIA-"]);
    assert_eq!(host.judge().0.auto_upgrade, AutoUpgrade::Broken);
    host.updater_version("1.1ubuntu1.18.04.14");
    assert_eq!(host.judge().0.auto_upgrade, AutoUpgrade::On);
    assert_eq!(level(&host), Some(Level::None));
    let mut host = Host::ubuntu(FIVE);
    host.blacklist(&["AMDGPU"]);
    assert_eq!(host.judge().0.auto_upgrade, AutoUpgrade::On, "it catches no package here");
    let mut host = Host::ubuntu(FIVE);
    host.blacklist(&["(N)VIDIA-"]);
    assert_eq!(host.judge().0.auto_upgrade, AutoUpgrade::On, "not handed to apt as a pin");
}

#[test]
fn a_whitelist_binds_when_strict_or_before_2_0() {
    let mut host = Host::ubuntu(FIVE);
    host.set("Unattended-Upgrade::Package-Whitelist::", "openssl");
    assert_eq!(level(&host), Some(Level::None));
    host.updater_version("1.11");
    assert_eq!((level(&host), host.judge().0.by), (Some(Level::Full), vec![Guard::Whitelist]));
    host.updater_version("2.8ubuntu1").set("Unattended-Upgrade::Package-Whitelist-Strict", "true");
    assert_eq!((level(&host), host.judge().0.by), (Some(Level::Full), vec![Guard::Whitelist]));
    let mut host = Host::ubuntu(FIVE);
    host.set("Unattended-Upgrade::Package-Whitelist-Strict", "true");
    assert_eq!(host.judge().0.auto_upgrade, AutoUpgrade::Broken);
}

#[test]
fn holds_on_all_packages_need_nothing_else_read() {
    let mut host = Host::ubuntu(FIVE);
    host.hold(FIVE);
    host.evidence.apt_config = Reading::unread(Reason::TimedOut, "x");
    host.evidence.apt_policy = Reading::unread(Reason::TimedOut, "x");
    let (protection, missing) = host.judge();
    assert_eq!((protection.level, protection.by), (Some(Level::Full), vec![Guard::Hold]));
    assert_eq!(missing, []);
}

#[test]
fn a_held_metapackage_alone_is_a_gap() {
    let mut host = Host::ubuntu(FIVE);
    let depends = format!("libnvidia-gl-535 (= {OLD}), libnvidia-compute-535 (= {OLD}), nvidia-utils-535");
    host.hold(&["nvidia-driver-535"]).relate("nvidia-driver-535", &depends, "");
    assert_eq!(level(&host), Some(Level::Partial));
    assert_eq!(host.in_state(Protected::Tied), ["libnvidia-compute-535", "libnvidia-gl-535"]);
    assert_eq!(host.in_state(Protected::Exposed), ["nvidia-utils-535", "xserver-xorg-video-nvidia-535"]);
}

#[test]
fn debian_libcuda1_is_tied_to_nvidia_alternative() {
    let mut host = Host::ubuntu(&["libcuda1", "nvidia-alternative"]);
    host.blacklist(&["nvidia-"]).relate("libcuda1", &format!("nvidia-alternative (= {OLD})"), "");
    assert_eq!(host.in_state(Protected::Tied), ["libcuda1"]);
    assert_eq!(level(&host), Some(Level::Partial));
}

#[test]
fn firmware_with_the_version_in_its_name_is_never_replaced() {
    let firmware = "nvidia-firmware-535-535.183.01";
    let mut host = Host::ubuntu(&["libnvidia-compute-535", firmware]);
    host.blacklist(&["libnvidia-"]);
    assert_eq!(level(&host), Some(Level::Full));
    assert_eq!(host.judge().0.packages.len(), 1);
    host.blacklist(&["nvidia-"]);
    assert_eq!(host.in_state(Protected::Blocked), ["libnvidia-compute-535", firmware]);
    let mut host = Host::ubuntu(&["libnvidia-compute-535", firmware]);
    host.hold(&[firmware]);
    assert_eq!(level(&host), Some(Level::None), "a held firmware alone keeps nothing");
}

#[test]
fn switches_that_turn_the_updater_off() {
    type Change = fn(&mut Host);
    let cases: &[(&str, Change, AutoUpgrade, Guard)] = &[
        (
            "periodic 0 in a later file",
            |h| {
                h.set("APT::Periodic::Unattended-Upgrade", "0");
            },
            AutoUpgrade::Off,
            Guard::PeriodicOff,
        ),
        (
            "enable 0",
            |h| {
                h.set("APT::Periodic::Enable", "0");
            },
            AutoUpgrade::Off,
            Guard::PeriodicOff,
        ),
        (
            "timer masked",
            |h| {
                h.updater().timer = unit("masked", "masked", "inactive");
            },
            AutoUpgrade::Off,
            Guard::TimerOff,
        ),
        (
            "timer disabled",
            |h| {
                h.updater().timer = unit("loaded", "disabled", "inactive");
            },
            AutoUpgrade::Off,
            Guard::TimerOff,
        ),
        (
            "service masked",
            |h| {
                h.updater().service = unit("masked", "masked", "inactive");
            },
            AutoUpgrade::Off,
            Guard::TimerOff,
        ),
        (
            "no runner",
            |h| {
                h.updater().timer = None;
            },
            AutoUpgrade::Off,
            Guard::TimerOff,
        ),
        (
            "removed, not purged",
            |h| {
                h.updater().program = false;
                for row in &mut h.packages().rows {
                    if row.name == "unattended-upgrades" {
                        row.status.state = 'c';
                        row.status.want = 'r';
                    }
                }
            },
            AutoUpgrade::Absent,
            Guard::NotInstalled,
        ),
    ];
    for (what, change, state, guard) in cases {
        let mut host = Host::ubuntu(FIVE);
        change(&mut host);
        let (protection, missing) = host.judge();
        assert_eq!(
            (protection.auto_upgrade, protection.level, protection.by),
            (*state, Some(Level::Full), vec![*guard]),
            "{what}"
        );
        assert_eq!(missing, [], "{what}");
    }
}

fn unit(load: &str, enabled: &str, active: &str) -> Option<Unit> {
    Some(Unit { load: load.into(), active: active.into(), enabled: enabled.into() })
}

#[test]
fn switches_that_do_not_turn_it_off() {
    type Change = fn(&mut Host);
    let cases: &[(&str, Change)] = &[
        ("unattended-upgrades.service disabled", |h| {
            h.updater().shutdown_service = unit("loaded", "disabled", "inactive");
        }),
        ("a full-width zero", |h| {
            h.set("APT::Periodic::Unattended-Upgrade", "\u{ff10}");
        }),
        ("a word", |h| {
            h.set("APT::Periodic::Unattended-Upgrade", "no");
        }),
        ("always", |h| {
            h.set("APT::Periodic::Unattended-Upgrade", "always");
        }),
        ("12h", |h| {
            h.set("APT::Periodic::Unattended-Upgrade", "12h");
        }),
        ("package lists off", |h| {
            h.set("APT::Periodic::Update-Package-Lists", "0");
        }),
        ("disabled but still active", |h| {
            h.updater().timer = unit("loaded", "disabled", "active");
        }),
        ("cron without systemd", |h| {
            h.updater().timer = None;
            h.updater().cron_daily = true;
        }),
        ("own cron line", |h| {
            h.set("APT::Periodic::Unattended-Upgrade", "0");
            h.updater().other_schedulers.push(("/etc/cron.d/uu".into(), "5 4 * * * root unattended-upgrade".into()));
        }),
    ];
    for (what, change) in cases {
        let mut host = Host::ubuntu(FIVE);
        change(&mut host);
        let (protection, missing) = host.judge();
        assert_eq!((protection.auto_upgrade, protection.level), (AutoUpgrade::On, Some(Level::None)), "{what}");
        assert_eq!(missing, [], "{what}");
        assert_eq!(level(host.blacklist(SEED)), Some(Level::Full), "{what}");
    }
}

#[test]
fn rule_4_a_blacklist_does_not_bind_another_scheduler_but_a_hold_does() {
    let mut host = Host::ubuntu(FIVE);
    host.blacklist(SEED).set("APT::Periodic::Unattended-Upgrade", "0");
    host.updater().other_schedulers.push(("/etc/cron.d/patch".into(), "0 4 * * 0 root apt-get -y upgrade".into()));
    let (protection, _) = host.judge();
    assert_eq!((protection.auto_upgrade, protection.level), (AutoUpgrade::On, Some(Level::None)));
    assert!(protection.auto_upgrade_why.contains("/etc/cron.d/patch"));
    assert_eq!(level(host.hold(FIVE)), Some(Level::Full));
    let mut host = Host::ubuntu(FIVE);
    host.updater().other_schedulers.push(("/etc/cron.d/patch".into(), "0 4 * * 0 root apt-get -y upgrade".into()));
    assert_eq!(level(host.pin("*nvidia*", "version 535.183.01-*", 1001)), Some(Level::Full));
}

#[test]
fn rule_5_without_package_lists_origins_are_unknown() {
    let mut host = Host::ubuntu(FIVE);
    host.policy().lists_present = false;
    assert_eq!(level(&host), None);
    assert_eq!(reasons(&host), [("apt-policy", Reason::NoAptLists)]);
    assert_eq!(level(host.blacklist(SEED)), Some(Level::Full));
    assert_eq!(reasons(&host), []);
}

#[test]
fn rule_6_exposed_means_any_allowed_origin_carries_the_name() {
    let mut host = Host::ubuntu(&["libnvidia-compute-535"]);
    host.offer("libnvidia-compute-535", "jammy-security", "535.171.04-0ubuntu0.22.04.1");
    assert_eq!(level(&host), Some(Level::None), "an older build there is exposed tomorrow");
    host.offer("libnvidia-compute-535", "jammy-updates", NEW);
    assert_eq!((level(&host), host.judge().0.by), (Some(Level::Full), vec![Guard::OriginNotAllowed]));
    for (key, value) in
        [("Update-Days::", "Mon"), ("OnlyOnACPower", "true"), ("Skip-Updates-On-Metered-Connections", "true")]
    {
        let mut host = Host::ubuntu(&["libnvidia-compute-535"]);
        host.set(&format!("Unattended-Upgrade::{key}"), value);
        assert_eq!(level(&host), Some(Level::None), "{key} delays, never protects");
    }
    let mut host = Host::ubuntu(FIVE);
    assert_eq!(level(host.pin("*nvidia*", "version 535.*", 1001)), Some(Level::None));
    let mut host = Host::ubuntu(FIVE);
    assert_eq!(level(host.pin("*nvidia*", "version 535.183.01-*", 1001)), Some(Level::Full));
    assert_eq!(host.judge().0.by, [Guard::Pin]);
}

#[test]
fn rule_6_the_vendor_repository_counts_only_when_allowed() {
    let mut host = Host::ubuntu(&["libnvidia-compute-535"]);
    let mut vendor = source("", "NVIDIA", "developer.download.nvidia.com");
    vendor.priority = 600;
    host.policy().sources.push(vendor);
    host.offer("libnvidia-compute-535", "NVIDIA", "570.172.08-0ubuntu1");
    assert_eq!(level(&host), Some(Level::Full));
    host.set("Unattended-Upgrade::Origins-Pattern::", "origin=NVIDIA");
    assert_eq!(level(&host), Some(Level::None));
}

#[test]
fn rule_7_a_mirror_with_another_origin_makes_nothing_eligible() {
    let mut host = Host::ubuntu(FIVE);
    for source in &mut host.policy().sources {
        source.origin = "Artifactory".into();
    }
    let (protection, _) = host.judge();
    assert!(protection.nothing_eligible);
    assert_eq!((protection.level, protection.by), (Some(Level::Full), vec![Guard::OriginNotAllowed]));
    assert!(!Host::ubuntu(FIVE).judge().0.nothing_eligible);
}

#[test]
fn rule_8_a_running_upgrade_is_unverified() {
    let mut host = Host::ubuntu(FIVE);
    host.blacklist(SEED).updater().running.push("dpkg".into());
    assert_eq!(reasons(&host), [("updater", Reason::UpgradeRunning)]);
}

#[test]
fn rule_10_a_driver_container_needs_no_protection() {
    let mut host = Host::ubuntu(&[]);
    host.driver.library_source = LibrarySource::Container;
    assert_eq!((level(&host), reasons(&host)), (Some(Level::NotNeeded), vec![]));
}

#[test]
fn rule_20_packages_with_their_own_version_make_no_gap() {
    let mut host = Host::ubuntu(&["libnvidia-compute-535", "nvidia-settings", "libxnvctrl0", "nvidia-modprobe"]);
    host.install("dkms", "2.8.7", "", "").install("nvidia-container-toolkit", "1.16", "", "");
    host.blacklist(&["libnvidia-"]);
    let (protection, _) = host.judge();
    assert_eq!((protection.level, protection.packages.len()), (Some(Level::Full), 1));
}

#[test]
fn rule_21_no_package_needs_none_and_rpm_is_judged_by_its_switch() {
    assert_eq!(level(&Host::ubuntu(&[])), Some(Level::NotNeeded));
    let mut host = Host::ubuntu(FIVE);
    host.driver.applicability = Applicability::NotApplicable("no GPU".into());
    host.evidence.packages = Reading::unread(Reason::TimedOut, "x");
    assert_eq!((level(&host), reasons(&host)), (Some(Level::NotNeeded), vec![]));
    let mut host = Host::ubuntu(FIVE);
    host.evidence.system = Reading::Known(System { package_manager: PackageManager::Rpm, ..System::default() });
    host.evidence.updater = Reading::Known(Updater::default());
    assert_eq!((level(&host), host.judge().0.auto_upgrade), (Some(Level::Full), AutoUpgrade::Off));
    host.updater().rpm_automatic.push("dnf-automatic.timer".into());
    assert_eq!((level(&host), reasons(&host)), (None, vec![("updater", Reason::NotSupported)]));
}

#[test]
fn an_unreadable_drop_in_is_unverified_unless_it_cannot_matter() {
    let mut host = Host::ubuntu(FIVE);
    host.blacklist(SEED).config().unreadable.push("/etc/apt/apt.conf.d/52local".into());
    assert_eq!((level(&host), reasons(&host)), (None, vec![("apt-config", Reason::PermissionDenied)]));
    host.hold(FIVE);
    assert_eq!((level(&host), reasons(&host)), (Some(Level::Full), vec![]));
    let mut host = Host::ubuntu(FIVE);
    host.config().unreadable.push("/etc/apt/apt.conf.d/52local".into());
    host.updater().timer = unit("masked", "masked", "inactive");
    assert_eq!((level(&host), reasons(&host)), (Some(Level::Full), vec![]));
}

#[test]
fn preferences_matter_only_to_what_would_else_be_exposed() {
    let mut host = Host::ubuntu(FIVE);
    host.evidence.apt_preferences = Reading::unread(Reason::PermissionDenied, "x");
    assert_eq!((level(&host), reasons(&host)), (None, vec![("apt-preferences", Reason::PermissionDenied)]));
    assert_eq!((level(host.blacklist(SEED)), reasons(&host)), (Some(Level::Full), vec![]));
}

#[test]
fn an_unevaluable_pattern_is_unknown() {
    let mut host = Host::ubuntu(FIVE);
    host.blacklist(&[&format!("x{}", "a".repeat(5000))]);
    assert_eq!((level(&host), reasons(&host)), (None, vec![("apt-config", Reason::NotSupported)]));
}
