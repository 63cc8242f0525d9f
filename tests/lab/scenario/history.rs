//! Who changed the driver and when, told by logs that real tools wrote.

use crate::deb::archive::Archive;
use crate::deb::package::Package;
use crate::deb::ubuntu::Driver;
use crate::fleet::{Part, lab};
use crate::ground::clock::{DAY, days_ago, rfc3339};
use crate::host::disk::{Disk, KERNEL};
use crate::host::machine::Machine;
use crate::host::recipe::{
    NEW, OLD, blacklisted, install, security, security_and, ubuntu, updater_night, with_driver, with_file,
};
use crate::scenario::incident::{broken, night};

/// The container toolkit: looks like the driver by name, is not.
fn toolkit(version: &str) -> Vec<Package> {
    ["nvidia-container-toolkit", "nvidia-container-toolkit-base", "libnvidia-container1", "libnvidia-container-tools"]
        .iter()
        .map(|name| Package::new(*name, version).source("nvidia-container-toolkit"))
        .collect()
}

/// The night's archive with a driver whose kernel-common package fails to configure.
fn failing() -> Archive {
    let mut archive = security(&[NEW]);
    for package in &mut archive.packages {
        if package.name == "nvidia-kernel-common-535-server" {
            package.scripts.push(("postinst", "#!/bin/sh\necho 'update-initramfs: failed' >&2\nexit 1\n".into()));
        }
    }
    archive
}

/// A host's own time zone, set before anything was logged.
fn zone(name: &str, upgraded_at: i64) -> Disk {
    let set = with_driver(OLD).run(
        days_ago(58),
        &[],
        format!("ln -sf /usr/share/zoneinfo/{name} /etc/localtime; echo {name} >/etc/timezone\n"),
    );
    updater_night(&set, upgraded_at, &[security(&[NEW])])
}

/// The last time New York's clocks were set back, in seconds since the epoch.
fn set_back() -> i64 {
    let zone = jiff::tz::TimeZone::get("America/New_York").expect("a bundled zone");
    let before = jiff::Timestamp::from_second(days_ago(1)).expect("in range");
    let change = zone.preceding(before).find(|change| !change.dst().is_dst()).expect("it happens every year");
    change.timestamp().as_second()
}

/// A New York node, upgraded twenty minutes after its clocks were set back: by the log's own hour, before a boot of ten
/// minutes before the change.
fn ambiguous(packages: &str, list: &str) -> Disk {
    let change = set_back();
    let zone = "ln -sf /usr/share/zoneinfo/America/New_York /etc/localtime\necho America/New_York >/etc/timezone\n";
    let node = ubuntu().run(change - 25 * DAY, &[], zone).run(
        change - 20 * DAY,
        &[security(&[OLD])],
        install(&format!("linux-image-{KERNEL} linux-headers-{KERNEL} {packages}")),
    );
    let listed = with_file(&node, change - 19 * DAY, "/etc/apt/apt.conf.d/51-no-nvidia", list);
    updater_night(&listed, change + 1200, &[security(&[NEW])])
}

/// A compute node's packages, which no metapackage ties together.
const COMPUTE: &str = "libnvidia-compute-535-server nvidia-utils-535-server nvidia-dkms-535-server";

/// The updater is killed while a package is configured: the last stanza never ends. The script runs in a process
/// namespace of its own.
fn killed() -> Disk {
    let mut archive = security(&[NEW]);
    for package in &mut archive.packages {
        if package.name == "nvidia-utils-535-server" {
            package.scripts.push(("preinst", "#!/bin/sh\npkill -9 unattended-upgr; pkill -9 dpkg; exit 1\n".into()));
        }
    }
    with_driver(OLD).run(
        night(),
        &[archive],
        "unattended-upgrade -v >/var/tmp/log 2>&1 || true\nrm /var/tmp/log\nsleep 1\n",
    )
}

/// The night's run in another language.
fn language(code: &str) -> Disk {
    with_driver(OLD).run(
        night(),
        &[security(&[NEW])],
        format!("LANGUAGE={code} unattended-upgrade -v >/var/tmp/log 2>&1\nrm /var/tmp/log\n"),
    )
}

fn downgraded() -> Disk {
    let line = format!(
        "apt-get install -y -qq --allow-downgrades $(dpkg-query -W -f '${{Package}}={} ' '*nvidia*-535-server') >/var/tmp/log\n\
         rm /var/tmp/log\n",
        OLD.full()
    );
    blacklisted(&with_driver(NEW), days_ago(50)).run(days_ago(2), &[security(&[OLD, NEW])], line)
}

/// Rotated twice by the real logrotate, with unrelated work between: the night is only in compressed files.
fn rotated() -> Disk {
    let once = "logrotate -f -s /var/lib/logrotate/own /etc/logrotate.d/apt\n\
                logrotate -f -s /var/lib/logrotate/own /etc/logrotate.d/dpkg\n";
    let first = broken().run(days_ago(2), &[], once);
    let toolkit = first.run(
        days_ago(2) + 3600,
        &[security_and(&[NEW], toolkit("1.14.6-1"))],
        install("nvidia-container-toolkit"),
    );
    toolkit.run(days_ago(1), &[], once)
}

/// A person upgraded again after the updater had.
fn manual_then_more() -> Disk {
    let third = Driver::new("535-server", "535.216.01");
    broken().run(days_ago(1), &[security(&[third])], "apt upgrade -y >/var/tmp/log 2>&1\nrm /var/tmp/log\n")
}

pub fn part() -> Part {
    let manual =
        with_driver(OLD).run(days_ago(2), &[security(&[NEW])], "apt upgrade -y >/var/tmp/log 2>&1\nrm /var/tmp/log\n");
    let toolkit_upgraded = blacklisted(&with_driver(NEW), days_ago(50))
        .run(days_ago(40), &[security_and(&[NEW], toolkit("1.14.6-1"))], install("nvidia-container-toolkit"))
        .run(
            days_ago(2),
            &[security_and(&[NEW], toolkit("1.15.0-1"))],
            "apt-get -y upgrade >/var/tmp/log\nrm /var/tmp/log\n",
        );
    let failed = with_driver(OLD).run(
        night(),
        &[failing()],
        "if unattended-upgrade -v >/var/tmp/log 2>&1; then exit 1; fi\nrm /var/tmp/log\n",
    );
    let dry = with_driver(OLD).run(
        night(),
        &[security(&[NEW])],
        "unattended-upgrade -v --dry-run >/var/tmp/log 2>&1\nrm /var/tmp/log\n",
    );
    let big = broken().run(
        night() + 3600,
        &[],
        r#"python3 - <<'PY'
import gzip
item = "libfiller%d:amd64 (1.0-%d, 1.0-%d)"
old = ""
for n in range(13000):
    old += "\nStart-Date: 2026-01-%02d  0%d:00:00\nCommandline: apt-get install filler\nUpgrade: " % (n % 28 + 1, n % 10)
    old += ", ".join(item % (k, n, n + 1) for k in range(20)) + "\nEnd-Date: 2026-01-%02d  0%d:00:09\n" % (n % 28 + 1, n % 10)
path = "/var/log/apt/history.log"
now = open(path).read()
open(path, "w").write(old + now)
PY
test "$(stat -c %s /var/log/apt/history.log)" -gt 10000000
"#,
    );
    Part::default()
        .host(Machine::new("rebooted", broken()).closed(NEW.version).booted(days_ago(2)), "history")
        .host(Machine::new("manual", manual).closed(OLD.version), "history")
        .host(Machine::new("rotated", rotated()).closed(OLD.version), "history")
        .host(Machine::new("reloaded", broken()).closed(NEW.version), "history")
        .host(Machine::new("survived", broken()).closed(OLD.version).booted(days_ago(2)), "history")
        .host(Machine::new("downgraded", downgraded()).closed(NEW.version), "history")
        .host(Machine::new("toolkit", toolkit_upgraded).closed(NEW.version), "history")
        .host(Machine::new("failed-postinst", failed).closed(OLD.version), "history")
        .host(Machine::new("dry-run", dry).closed(OLD.version), "history")
        .host(Machine::new("two-writers", manual_then_more()).closed(OLD.version), "history")
        .host(Machine::new("german", language("de")).closed(OLD.version), "history")
        .host(Machine::new("japanese", language("ja")).closed(OLD.version), "history")
        .host(
            Machine::new("ambiguous", ambiguous("nvidia-driver-535-server", "// nothing\n"))
                .closed(OLD.version)
                .booted(set_back() - 600),
            "history",
        )
        .host(
            Machine::new(
                "ambiguous-lost",
                ambiguous(COMPUTE, "Unattended-Upgrade::Package-Blacklist { \"nvidia-\"; };\n"),
            )
            .closed(OLD.version)
            .booted(set_back() - 600),
            "history",
        )
        .host(Machine::new("killed", killed()).closed(OLD.version), "history")
        .host(Machine::new("big-log", big).closed(OLD.version), "history")
        // Read as UTC, Seoul's stamps would be nine hours late, New York's five early: the order would turn round.
        .host(
            Machine::new("seoul", zone("Asia/Seoul", night())).closed(OLD.version).booted(night() + 3 * 3600),
            "history",
        )
        .host(
            Machine::new("new-york", zone("America/New_York", night())).closed(OLD.version).booted(night() - 3 * 3600),
            "history",
        )
}

fn half_upgraded(name: &str, by: &str, from: &str, to: &str) {
    let Some(lab) = lab() else { return };
    let host = lab.report(name);
    host.expect("critical", &["half-upgraded", "unconfigured"]);
    host.expect_detail("half-upgraded", "by", by);
    host.expect_detail("half-upgraded", "from", from);
    host.expect_detail("half-upgraded", "to", to);
}

#[test]
fn upgraded_then_rebooted_is_only_unconfigured() {
    let Some(lab) = lab() else { return };
    let host = lab.report("rebooted");
    host.expect("warning", &["unconfigured"]);
    assert_eq!(host.fact("last_driver_upgrade.packages"), 15);
}

#[test]
fn a_module_reloaded_by_hand_is_only_unconfigured() {
    let Some(lab) = lab() else { return };
    lab.report("reloaded").expect("warning", &["unconfigured"]);
}

#[test]
fn a_manual_upgrade_is_named_by_its_command() {
    half_upgraded("manual", "manual", OLD.version, NEW.version);
    let Some(lab) = lab() else { return };
    assert_eq!(lab.report("manual").fact("last_driver_upgrade.command"), "apt upgrade -y");
    assert_eq!(lab.report("manual").fact("last_driver_upgrade.packages"), 15);
}

#[test]
fn evidence_in_rotated_and_compressed_logs_is_found() {
    let Some(lab) = lab() else { return };
    let files =
        lab.running("rotated").inside("cd /var/log; ls apt/history* dpkg.log*; zgrep -c 535.183 apt/history.log.2.gz");
    assert_eq!(
        files.lines().collect::<Vec<_>>(),
        ["apt/history.log.1.gz", "apt/history.log.2.gz", "dpkg.log", "dpkg.log.1", "dpkg.log.2.gz", "2"]
    );
    half_upgraded("rotated", "unattended-upgrades", OLD.version, NEW.version);
    lab.report("rotated").expect_detail("half-upgraded", "packages", 15);
}

#[test]
fn a_mismatch_after_a_reboot_is_not_half_upgraded() {
    let Some(lab) = lab() else { return };
    for name in ["survived", "seoul"] {
        lab.report(name).expect("critical", &["driver-mismatch", "unconfigured"]);
        lab.report(name).expect_detail("driver-mismatch", "cause", "survived-reboot");
    }
}

#[test]
fn the_hosts_own_zone_decides_the_order() {
    half_upgraded("new-york", "unattended-upgrades", OLD.version, NEW.version);
}

#[test]
fn a_downgrade_without_reboot_is_said_to_be_one() {
    let Some(lab) = lab() else { return };
    lab.report("downgraded").expect("critical", &["driver-mismatch"]);
    lab.report("downgraded").expect_detail("driver-mismatch", "cause", "downgraded");
}

#[test]
fn the_container_toolkit_is_not_the_driver() {
    let Some(lab) = lab() else { return };
    lab.report("toolkit").expect("ok", &[]);
}

#[test]
fn a_failed_postinst_leaves_packages_half_configured() {
    let Some(lab) = lab() else { return };
    let host = lab.report("failed-postinst");
    let states =
        lab.running("failed-postinst").inside("dpkg-query -W -f '${db:Status-Abbrev}\\n' '*nvidia*' | sort | uniq -c");
    assert!(states.contains("iF") && states.contains("iU"), "{states}");
    host.expect("critical", &["half-upgraded", "package-half-configured", "reboot-loses-driver", "unconfigured"]);
    host.expect_detail("half-upgraded", "by", "unattended-upgrades");
}

#[test]
fn a_dry_run_changes_nothing() {
    let Some(lab) = lab() else { return };
    assert_eq!(
        lab.running("dry-run").inside("grep -c -- --dry-run /var/log/apt/history.log").trim(),
        "1",
        "the dry run stands in history.log as if it were real"
    );
    let host = lab.report("dry-run");
    host.expect("warning", &["unconfigured"]);
    // The last real change stays the installation.
    assert_eq!(host.fact("last_driver_upgrade.to"), OLD.version);
}

#[test]
fn two_writers_after_boot_are_told_apart() {
    let Some(lab) = lab() else { return };
    let host = lab.report("two-writers");
    host.expect("critical", &["half-upgraded", "unconfigured"]);
    host.expect_detail("half-upgraded", "by", "manual");
    host.expect_detail("half-upgraded", "broken_by", "unattended-upgrades");
    host.expect_detail("half-upgraded", "to", "535.216.01");
    assert_eq!(host.fact("library_version"), "535.216.01");
}

#[test]
fn translated_logs_tell_the_same() {
    let Some(lab) = lab() else { return };
    let log = "/var/log/unattended-upgrades/unattended-upgrades.log";
    let german = lab.running("german").inside(&format!("grep -c 'Pakete, welche aktualisiert werden' {log}"));
    assert_eq!(german.trim(), "1");
    let japanese = lab.running("japanese").inside(&format!("grep -c 'アップグレード予定のパッケージ' {log}"));
    assert_eq!(japanese.trim(), "1");
    for name in ["german", "japanese"] {
        half_upgraded(name, "unattended-upgrades", OLD.version, NEW.version);
        lab.report(name).expect_detail("half-upgraded", "packages", 15);
    }
}

#[test]
fn a_ten_megabyte_log_does_not_hide_the_night() {
    half_upgraded("big-log", "unattended-upgrades", OLD.version, NEW.version);
}

#[test]
fn an_order_lost_in_the_clock_change_is_settled_by_another_clue_or_said_to_be_lost() {
    let Some(lab) = lab() else { return };
    // The module of the new version stands ready for the running kernel: had it been there at boot, it would be loaded.
    let host = lab.report("ambiguous");
    host.expect("critical", &["half-upgraded", "unconfigured"]);
    let since = host.finding("half-upgraded")["details"]["broken_since"].as_str().unwrap_or_default().to_owned();
    assert_eq!(&since[..16], &rfc3339(set_back() + 1200)[..16]);
    // Here only the library moved: nothing tells which came first.
    let host = lab.report("ambiguous-lost");
    host.expect("critical", &["driver-mismatch", "mixed-driver-versions", "protection-gap", "reboot-loses-driver"]);
    host.expect_detail("driver-mismatch", "cause", "unread");
    assert!(host.value.to_string().contains("ambiguous-time"), "{:#}", host.value);
}

#[test]
fn a_killed_upgrade_is_interrupted() {
    let Some(lab) = lab() else { return };
    let host = lab.report("killed");
    let alarms = ["driver-mismatch", "mixed-driver-versions", "package-half-configured", "reboot-loses-driver"];
    host.expect("critical", &[&alarms[..], &["unconfigured"]].concat());
    host.expect_detail("driver-mismatch", "cause", "interrupted");
}
