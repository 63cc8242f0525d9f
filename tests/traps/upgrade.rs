//! Who changed the library, when, and whether that explains the mismatch.

use crate::Case;

const OLD: &str = "535.171.04-0ubuntu0.22.04.1";
const NEW: &str = "535.183.01-0ubuntu0.22.04.1";
/// 535.183.01 on disk, 535.171.04 loaded, booted 2026-11-12 01:00 UTC, read 2026-12-01.
fn broken() -> Case {
    Case::half_upgraded()
        .section("updater-log", "log /var/log/unattended-upgrades/unattended-upgrades.log", "")
        .without("updater-log", "log")
        .probe_ends("updater-log", "denied 4")
}

fn stanza(start: &str, command: &str, list: &str) -> String {
    let command = if command.is_empty() { String::new() } else { format!("Commandline: {command}\n") };
    format!("Start-Date: {start}\n{command}{list}\nEnd-Date: {start}\n")
}

fn lib(verb: &str, old: &str, new: &str) -> String {
    format!("{verb}: libnvidia-compute-535-server:amd64 ({old}, {new})")
}

const FIRST: &str = "Start-Date: 2026-09-07  01:00:01\nCommandline: apt install curl\nInstall: curl:amd64 (7.88)\nEnd-Date: 2026-09-07  01:00:01\n";

#[test]
fn authors() {
    for (command, by) in [
        ("/usr/bin/unattended-upgrade", "unattended-upgrades"),
        ("/usr/bin/python3 /usr/bin/unattended-upgrade --no-minimal-upgrade-steps", "unattended-upgrades"),
        ("apt upgrade", "manual"),
        ("apt-get -y upgrade", "other"),
        ("aptdaemon role='role-commit-packages' sender=':1.147'", "manual"),
        ("packagekit role='update-packages'", "other"),
        ("", "unknown"),
    ] {
        let text = FIRST.to_owned() + &stanza("2026-11-28  01:17:00", command, &lib("Upgrade", OLD, NEW));
        broken().history(&text).sees(&[
            ("verdict", "critical"),
            ("checks", "half-upgraded critical, unconfigured warning"),
            ("half-upgraded/by", by),
            ("half-upgraded/from", "535.171.04"),
            ("half-upgraded/to", "535.183.01"),
            ("half-upgraded/packages", "1"),
            ("half-upgraded/broken_since", "2026-11-28T01:17:00Z"),
            ("half-upgraded/reboot_cures", "true"),
            ("unverified", ""),
            ("facts/last_driver_upgrade/by", by),
        ]);
    }
}

#[test]
fn a_night_of_small_steps_counts_once() {
    let text = FIRST.to_owned()
        + &stanza(
            "2026-11-28  06:10:00",
            "/usr/bin/unattended-upgrade",
            &format!("Upgrade: libnvidia-common-535-server:amd64 ({OLD}, {NEW})"),
        )
        + &stanza("2026-11-28  06:12:00", "/usr/bin/unattended-upgrade", "Upgrade: tzdata:amd64 (1, 2)")
        + &stanza(
            "2026-11-28  06:14:00",
            "/usr/bin/unattended-upgrade",
            &format!(
                "Install: nvidia-firmware-535-server-535.183.01:amd64 ({NEW}, automatic)\nUpgrade: libnvidia-compute-535-server:amd64 ({OLD}, {NEW}), nvidia-utils-535-server:amd64 ({OLD}, {NEW}), libnvidia-compute-535-server:i386 ({OLD}, {NEW})"
            ),
        )
        + &stanza(
            "2026-11-28  06:15:00",
            "/usr/bin/unattended-upgrade",
            &format!("Remove: nvidia-firmware-535-server-535.171.04:amd64 ({OLD})"),
        );
    broken().history(&text).sees(&[
        ("half-upgraded/packages", "4"),
        ("half-upgraded/at", "2026-11-28T06:14:00Z"),
        ("half-upgraded/broken_since", "2026-11-28T06:14:00Z"),
    ]);
}

#[test]
fn dry_runs_are_nothing() {
    let text = FIRST.to_owned()
        + &stanza("2026-11-28  01:17:00", "/usr/bin/unattended-upgrade --dry-run", &lib("Upgrade", OLD, NEW));
    broken().history(&text).sees(&[
        ("checks", "driver-mismatch critical, unconfigured warning"),
        ("driver-mismatch/cause", "no-record"),
        ("facts/last_driver_upgrade", "null"),
    ]);
    // A dry run on a healthy host is no incident and no upgrade.
    let text = FIRST.to_owned()
        + &stanza(
            "2026-11-28  01:17:00",
            "/usr/bin/unattended-upgrade --dry-run -d",
            &lib("Upgrade", NEW, "535.216.01-0ubuntu0.22.04.1"),
        );
    Case::healthy().history(&text).sees(&[("verdict", "ok"), ("checks", ""), ("facts/last_driver_upgrade", "null")]);
}

#[test]
fn other_packages_are_no_upgrade() {
    let toolkit = FIRST.to_owned()
        + &stanza(
            "2026-11-28  01:17:00",
            "/usr/bin/unattended-upgrade",
            "Upgrade: nvidia-container-toolkit:amd64 (1.17.0-1, 1.18.1-1), libnvidia-container1:amd64 (1.17.0-1, 1.18.1-1)",
        );
    Case::healthy().history(&toolkit).sees(&[("verdict", "ok"), ("checks", ""), ("facts/last_driver_upgrade", "null")]);
    broken().history(&toolkit).sees(&[("driver-mismatch/cause", "no-record")]);
}

#[test]
fn errors_and_cut_ends() {
    let failed = FIRST.to_owned()
        + &format!(
            "Start-Date: 2026-11-28  01:17:00\nCommandline: /usr/bin/unattended-upgrade\n{}\nError: Sub-process /usr/bin/dpkg returned an error code (1)\nEnd-Date: 2026-11-28  01:18:00\n",
            lib("Upgrade", OLD, NEW)
        );
    broken().history(&failed).sees(&[
        ("checks", "half-upgraded critical, unconfigured warning"),
        ("half-upgraded/by", "unattended-upgrades"),
    ]);
    let cut = FIRST.to_owned()
        + &format!("Start-Date: 2026-11-28  01:17:00\nCommandline: apt upgrade\n{}\n", lib("Upgrade", OLD, NEW));
    broken().history(&cut).sees(&[
        ("checks", "driver-mismatch critical, unconfigured warning"),
        ("driver-mismatch/cause", "interrupted"),
        ("driver-mismatch/by", "manual"),
        ("driver-mismatch/broken_since", "2026-11-28T01:17:00Z"),
    ]);
    // Still at work.
    broken()
        .history(&cut)
        .section("updater", "processes", "apt-get here apt-get upgrade")
        .sees(&[("verdict", "unverified"), ("unverified", "updater upgrade-running")]);
    // Something came after it: only the last stanza can be cut.
    let later = cut + "\n" + &stanza("2026-11-29  01:00:00", "apt install jq", "Install: jq:amd64 (1.6)");
    broken().history(&later).sees(&[("checks", "half-upgraded critical, unconfigured warning")]);
}

#[test]
fn several_writers_after_boot() {
    let text = FIRST.to_owned()
        + &stanza(
            "2026-11-20  06:10:00",
            "/usr/bin/unattended-upgrade",
            &lib("Upgrade", OLD, "535.179-0ubuntu0.22.04.1"),
        )
        + &stanza("2026-11-28  09:00:00", "apt upgrade", &lib("Upgrade", "535.179-0ubuntu0.22.04.1", NEW));
    broken().history(&text).sees(&[
        ("half-upgraded/by", "manual"),
        ("half-upgraded/from", "535.179"),
        ("half-upgraded/broken_since", "2026-11-20T06:10:00Z"),
        ("half-upgraded/broken_by", "unattended-upgrades"),
        ("half-upgraded/changes/0/by", "unattended-upgrades"),
        ("half-upgraded/changes/1/by", "manual"),
    ]);
}

#[test]
fn branch_switch_is_an_upgrade() {
    let text = FIRST.to_owned()
        + &stanza(
            "2026-11-28  09:00:00",
            "apt install nvidia-driver-550-server",
            "Install: libnvidia-compute-550-server:amd64 (550.90.07-0ubuntu0.22.04.1, automatic), nvidia-driver-550-server:amd64 (550.90.07-0ubuntu0.22.04.1)\nRemove: libnvidia-compute-535-server:amd64 (535.171.04-0ubuntu0.22.04.1)",
        );
    broken()
        .library("550.90.07")
        .packages(&[("ii", "libnvidia-compute-550-server", "550.90.07-0ubuntu0.22.04.1", "")])
        .module_file("5.15.0-105-generic", "updates/dkms/nvidia.ko", "550.90.07")
        .history(&text)
        .sees(&[
            ("checks", "half-upgraded critical, unconfigured warning"),
            ("half-upgraded/from", "535.171.04"),
            ("half-upgraded/to", "550.90.07"),
            ("half-upgraded/by", "manual"),
        ]);
    // 590 loses its suffix.
    let text = FIRST.to_owned()
        + &stanza(
            "2026-11-28  09:00:00",
            "apt full-upgrade",
            "Install: libnvidia-compute:amd64 (590.44.01-1ubuntu1, automatic)\nRemove: libnvidia-compute-580:amd64 (580.95.05-0ubuntu1)",
        );
    broken()
        .loaded("580.95.05")
        .library("590.44.01")
        .packages(&[("ii", "libnvidia-compute", "590.44.01-1ubuntu1", "")])
        .module_file("5.15.0-105-generic", "updates/dkms/nvidia.ko", "590.44.01")
        .history(&text)
        .sees(&[("half-upgraded/from", "580.95.05"), ("half-upgraded/to", "590.44.01")]);
}

#[test]
fn downgrade_after_boot() {
    let text = FIRST.to_owned()
        + &stanza(
            "2026-11-28  09:00:00",
            "apt install libnvidia-compute-535-server=535.171.04-0ubuntu0.22.04.1",
            &lib("Downgrade", NEW, OLD),
        );
    broken()
        .loaded("535.183.01")
        .library("535.171.04")
        .module_file("5.15.0-105-generic", "updates/dkms/nvidia.ko", "535.171.04")
        .history(&text)
        .sees(&[
            ("checks", "driver-mismatch critical, unconfigured warning"),
            ("driver-mismatch/cause", "downgraded"),
            ("driver-mismatch/by", "manual"),
            ("driver-mismatch/newer", "module"),
            ("driver-mismatch/reboot_cures", "true"),
        ]);
}

#[test]
fn survived_a_reboot() {
    let text =
        FIRST.to_owned() + &stanza("2026-11-01  06:10:00", "/usr/bin/unattended-upgrade", &lib("Upgrade", OLD, NEW));
    broken().history(&text).sees(&[
        ("driver-mismatch/cause", "survived-reboot"),
        ("driver-mismatch/by", "unattended-upgrades"),
        ("driver-mismatch/broken_since", "2026-11-12T01:00:00Z"),
        ("driver-mismatch/reboot_cures", "null"),
    ]);
    // DKMS was not rebuilt: a reboot will not cure.
    broken().history(&text).module_file("5.15.0-105-generic", "updates/dkms/nvidia.ko", "535.171.04").sees(&[
        ("verdict", "critical"),
        ("driver-mismatch/cause", "survived-reboot"),
        ("driver-mismatch/reboot_cures", "false"),
    ]);
}

#[test]
fn reloaded_by_hand_is_fine() {
    let text =
        FIRST.to_owned() + &stanza("2026-11-28  01:17:00", "/usr/bin/unattended-upgrade", &lib("Upgrade", OLD, NEW));
    Case::healthy()
        .times("2026-11-12T01:00:00Z", "2026-12-01T02:22:00Z", "Etc/UTC", "+0000")
        .history(&text)
        .sees(&[("verdict", "ok"), ("checks", "")]);
}

#[test]
fn dpkg_alone_knows_no_author_unless_the_updater_names_it() {
    let closed = || broken().section("apt-history", "log", "").ends("apt-history", "log", "denied 1");
    let line = format!("2026-11-28 01:17:01 upgrade libnvidia-compute-535-server:amd64 {OLD} {NEW}");
    let log = format!("2026-09-07 01:00:01 install curl:amd64 <none> 7.88\n{line}");
    closed().dpkg_log(&log).sees(&[
        ("checks", "half-upgraded critical, unconfigured warning"),
        ("half-upgraded/by", "unknown"),
        ("half-upgraded/packages", "1"),
        ("unverified", ""),
    ]);
    let updater = "#first 2026-11-28 01:16:00\n#run\n2026-11-28 01:16:00,100 INFO Starting unattended upgrades script\n2026-11-28 01:16:00,101 INFO Allowed origins are: o=Ubuntu,a=jammy-security\n2026-11-28 01:16:00,101 INFO Initial blacklist: \n2026-11-28 01:16:30,000 INFO Packages that will be upgraded: libnvidia-compute-535-server\n2026-11-28 01:16:30,000 INFO Writing dpkg log to /var/log/unattended-upgrades/unattended-upgrades-dpkg.log\n2026-11-28 01:18:30,000 INFO All upgrades installed";
    closed()
        .dpkg_log(&log)
        .section("updater-log", "log /var/log/unattended-upgrades/unattended-upgrades.log", updater)
        .sees(&[("half-upgraded/by", "unattended-upgrades")]);
}

#[test]
fn nothing_readable_or_not_far_enough() {
    broken()
        .section("apt-history", "log", "")
        .ends("apt-history", "log", "denied 1")
        .without("dpkg-log", "log")
        .more("dpkg-log", "log /var/log/dpkg.log", "")
        .ends("dpkg-log", "log", "denied 1")
        .sees(&[
            ("verdict", "critical"),
            ("driver-mismatch/cause", "unread"),
            ("unverified", "apt-history permission-denied, dpkg-log permission-denied"),
        ]);
    // Retention: the logs begin after the boot.
    let text = stanza("2026-11-20  06:10:00", "apt install jq", "Install: jq:amd64 (1.6)");
    broken().history(&text).sees(&[("driver-mismatch/cause", "unread"), ("unverified", "apt-history retention")]);
    // The same on a healthy host is nothing.
    Case::healthy().probe_ends("apt-history", "denied 4").probe_ends("dpkg-log", "denied 4").probe_ends("boot", "failed 1").sees(&[
        ("verdict", "ok"),
        ("checks", ""),
        ("unverified", ""),
        ("unread", "apt-history permission-denied, dpkg-log permission-denied, updater-log permission-denied, boot truncated"),
    ]);
}

#[test]
fn zones_of_the_host() {
    let at = |start: &str| FIRST.to_owned() + &stanza(start, "/usr/bin/unattended-upgrade", &lib("Upgrade", OLD, NEW));
    // Seoul: 06:17 local is 21:17 UTC the day before; the boot stands between the two readings.
    broken()
        .times("2026-11-27T22:00:00Z", "2026-12-01T02:22:00Z", "Asia/Seoul", "+0900")
        .history(&at("2026-11-28  06:17:00"))
        .sees(&[("driver-mismatch/cause", "survived-reboot")]);
    broken()
        .times("2026-11-27T20:00:00Z", "2026-12-01T02:22:00Z", "Asia/Seoul", "+0900")
        .history(&at("2026-11-28  06:17:00"))
        .sees(&[("half-upgraded/at", "2026-11-27T21:17:00Z")]);
    // New York, 1 November: 01:30 was twice. The module files settle it.
    let new_york = || {
        broken()
            .times("2026-11-01T06:00:00Z", "2026-12-01T02:22:00Z", "America/New_York", "-0500")
            .history(&at("2026-11-01  01:30:00"))
    };
    new_york().sees(&[("checks", "half-upgraded critical, unconfigured warning")]);
    new_york()
        .module_file("5.15.0-105-generic", "updates/dkms/nvidia.ko", "535.171.04")
        .sees(&[("verdict", "critical"), ("unverified", "apt-history ambiguous-time")]);
}

#[test]
fn clock_stepped_after_boot() {
    let text =
        FIRST.to_owned() + &stanza("2020-01-01  00:05:00", "/usr/bin/unattended-upgrade", &lib("Upgrade", OLD, NEW));
    broken().history(&text).sees(&[
        ("checks", "half-upgraded critical, unconfigured warning"),
        ("half-upgraded/reboot_cures", "true"),
        ("half-upgraded/broken_since", "null"),
    ]);
}

#[test]
fn fixed_by_hand_afterwards() {
    let text = FIRST.to_owned()
        + &format!(
            "Start-Date: 2026-11-28  09:41:20\nCommandline: /usr/bin/unattended-upgrade\nUpgrade: libnvidia-compute-535:amd64 (535.171.04-0ubuntu1, {NEW})\nError: Sub-process /usr/bin/dpkg returned an error code (1)\nEnd-Date: 2026-11-28  09:42:00\n"
        )
        + &stanza(
            "2026-11-28  10:22:12",
            "apt --fix-broken install",
            &format!(
                "Install: libnvidia-compute-535-server:amd64 ({NEW}, automatic)\nRemove: libnvidia-compute-535:amd64 ({NEW})"
            ),
        );
    broken().history(&text).sees(&[
        ("checks", "half-upgraded critical, unconfigured warning"),
        ("half-upgraded/cause", "upgraded-after-boot"),
        ("half-upgraded/by", "manual"),
        ("half-upgraded/command", "apt --fix-broken install"),
        ("half-upgraded/from", "535.171.04"),
        ("half-upgraded/to", "535.183.01"),
        ("half-upgraded/at", "2026-11-28T10:22:12Z"),
        ("half-upgraded/changes/0/by", "unattended-upgrades"),
        ("half-upgraded/changes/1/by", "manual"),
        ("half-upgraded/broken_since", "2026-11-28T09:41:20Z"),
        ("half-upgraded/broken_by", "unattended-upgrades"),
    ]);
}

#[test]
fn written_once_more() {
    let again = |when: &str| {
        FIRST.to_owned()
            + &stanza(when, "/usr/bin/unattended-upgrade", &lib("Upgrade", OLD, NEW))
            + &stanza(
                "2026-11-30  10:00:00",
                "apt install --reinstall libnvidia-compute-535-server",
                &format!("Reinstall: libnvidia-compute-535-server:amd64 ({NEW})"),
            )
    };
    broken().history(&again("2026-11-28  01:17:00")).sees(&[
        ("half-upgraded/by", "manual"),
        ("half-upgraded/broken_by", "unattended-upgrades"),
        ("half-upgraded/broken_since", "2026-11-28T01:17:00Z"),
    ]);
    // The boot came between: writing it once more does not explain what the boot loaded.
    broken()
        .history(&again("2026-11-01  01:17:00"))
        .sees(&[("driver-mismatch/cause", "survived-reboot"), ("driver-mismatch/by", "unattended-upgrades")]);
    // A rebuild of the same driver on a healthy host is no upgrade of the driver.
    Case::healthy()
        .history(&again("2026-11-19  01:17:00"))
        .sees(&[("verdict", "ok"), ("facts/last_driver_upgrade/at", "2026-11-19T01:17:00Z")]);
}

#[test]
fn a_command_that_cron_runs_was_typed_by_nobody() {
    let text = FIRST.to_owned() + &stanza("2026-11-28  04:00:00", "apt -y full-upgrade", &lib("Upgrade", OLD, NEW));
    broken().history(&text).sees(&[("half-upgraded/by", "manual")]);
    broken()
        .history(&text)
        .section("updater", "schedulers", "/etc/cron.d/patch\t0 4 * * 0 root apt update && apt  -y full-upgrade")
        .sees(&[("half-upgraded/by", "other"), ("half-upgraded/command", "apt -y full-upgrade")]);
}

#[test]
fn steps_of_one_run_are_one_writer() {
    let text = FIRST.to_owned()
        + &stanza("2026-11-28  06:12:00", "/usr/bin/unattended-upgrade", &lib("Upgrade", OLD, NEW))
        + &stanza(
            "2026-11-28  06:14:00",
            "/usr/bin/unattended-upgrade",
            &format!("Install: libnvidia-compute-530-server:amd64 ({NEW}, automatic)"),
        );
    broken()
        .history(&text)
        .sees(&[("half-upgraded/at", "2026-11-28T06:12:00Z"), ("half-upgraded/changes/1", "(no such key)")]);
}
