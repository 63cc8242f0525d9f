//! Journals in every language, and what they cannot prove.

use crate::Case;

fn closed() -> Case {
    Case::half_upgraded()
        .section("apt-history", "log", "")
        .ends("apt-history", "log", "denied 1")
        .section("dpkg-log", "log", "")
        .ends("dpkg-log", "log", "denied 1")
}

fn run(started: &str, blacklist: &str, list: &str, dpkg: &str, tail: &str) -> String {
    format!(
        "#first 2026-09-01 06:00:00\n#run\n2026-11-28 06:10:01,100 INFO {started}\n2026-11-28 06:10:01,101 INFO Allowed origins are: o=Ubuntu,a=jammy-security\n\
         2026-11-28 06:10:01,102 INFO {blacklist}\n2026-11-28 06:10:29,000 INFO {list}\n2026-11-28 06:10:29,001 INFO {dpkg} /var/log/unattended-upgrades/unattended-upgrades-dpkg.log\n{tail}"
    )
}

const LOG: &str = "log /var/log/unattended-upgrades/unattended-upgrades.log";
const NAMES: &str = "libnvidia-compute-535-server nvidia-utils-535-server tzdata";

#[test]
fn the_updaters_log_as_a_last_resort_in_any_language() {
    for (blacklist, list, dpkg) in [
        ("Initial blacklist: ", "Packages that will be upgraded: ", "Writing dpkg log to"),
        ("Anfangsnegativliste: ", "Pakete, welche aktualisiert werden: ", "dpkg-Protokoll wird geschrieben nach"),
        ("Initial blacklist: ", "Paquets mis à niveau\u{a0}: ", "Écriture du journal de dpkg dans"),
        ("Initial blacklist: ", "アップグレード予定のパッケージ: ", "Writing dpkg log to"),
    ] {
        let text = run("Starting unattended upgrades script", blacklist, &format!("{list}{NAMES}"), dpkg, "");
        closed().section("updater-log", LOG, &text).sees(&[
            ("verdict", "critical"),
            ("checks", "half-upgraded critical, unconfigured warning"),
            ("half-upgraded/by", "unattended-upgrades"),
            ("half-upgraded/packages", "2"),
            ("half-upgraded/to", "535.183.01"),
        ]);
    }
}

#[test]
fn kept_back_blacklisted_and_dry_runs_are_no_upgrade() {
    let kept = "#first 2026-09-01 06:00:00\n#run\n2026-11-28 06:42:36,633 INFO Package libnvidia-compute-535-server is kept back because a related package is kept back or due to local apt_preferences(5).\n2026-11-28 06:42:36,634 INFO Package nvidia-utils-535-server is blacklisted.\n2026-11-28 06:42:36,635 INFO package nvidia-driver-535-server not upgraded";
    let dry = run(
        "Starting unattended upgrades script",
        "Initial blacklist: ",
        &format!("Packages that will be upgraded: {NAMES}"),
        "Writing dpkg log to",
        "",
    )
    .replace(
        "INFO Packages",
        "INFO Option --dry-run given, *not* performing real actions\n2026-11-28 06:10:29,000 INFO Packages",
    );
    for text in [kept.to_owned(), dry] {
        closed().section("updater-log", LOG, &text).sees(&[
            ("checks", "driver-mismatch critical, unconfigured warning"),
            ("driver-mismatch/cause", "unread"),
            ("facts/last_driver_upgrade", "null"),
        ]);
        Case::healthy().section("updater-log", LOG, &text).sees(&[("verdict", "ok"), ("checks", "")]);
    }
}

#[test]
fn a_failed_run_that_unpacked_the_library() {
    let v = "535.183.01-0ubuntu0.22.04.1";
    Case::half_upgraded()
        .packages(&[("iF", "libnvidia-compute-535-server", v, ""), ("iU", "nvidia-utils-535-server", v, "")])
        .sees(&[
            ("verdict", "critical"),
            ("checks", "half-upgraded critical, package-half-configured critical, unconfigured warning"),
        ]);
}

#[test]
fn rotated_files() {
    let old = "#first 2026-10-02  01:00:00\nStart-Date: 2026-11-28  01:17:00\nCommandline: /usr/bin/unattended-upgrade\nUpgrade: libnvidia-compute-535-server:amd64 (535.171.04-0ubuntu0.22.04.1, 535.183.01-0ubuntu0.22.04.1)\nEnd-Date: 2026-11-28  01:17:02";
    let new = "#first 2026-12-01  00:10:00\nStart-Date: 2026-12-01  00:10:00\nCommandline: apt install jq\nInstall: jq:amd64 (1.6)\nEnd-Date: 2026-12-01  00:10:01";
    Case::half_upgraded()
        .section("apt-history", "log", new)
        .more("apt-history", "log /var/log/apt/history.log.1.gz", old)
        .probe_ends("dpkg-log", "absent 3")
        .sees(&[
            ("checks", "half-upgraded critical, unconfigured warning"),
            ("half-upgraded/by", "unattended-upgrades"),
        ]);
    // The older file is closed: what is left records nothing, and does not reach the boot.
    Case::half_upgraded()
        .section("apt-history", "log", new)
        .more("apt-history", "log /var/log/apt/history.log.1.gz", "")
        .ends("apt-history", "log /var/log/apt/history.log.1.gz", "denied 1")
        .probe_ends("dpkg-log", "absent 3")
        .sees(&[("driver-mismatch/cause", "unread"), ("unverified", "apt-history permission-denied")]);
}

#[test]
fn a_dkms_build_or_kernel_alone_is_no_driver_upgrade() {
    let text = "Start-Date: 2026-09-07  01:00:01\nCommandline: apt install curl\nInstall: curl:amd64 (7.88)\nEnd-Date: 2026-09-07  01:00:01\n\
                Start-Date: 2026-11-28  06:10:00\nCommandline: /usr/bin/unattended-upgrade\nInstall: linux-modules-nvidia-535-server-5.15.0-112-generic:amd64 (5.15.0-112.122, automatic)\nUpgrade: linux-modules-nvidia-535-server-generic:amd64 (5.15.0-105.115, 5.15.0-112.122), nvidia-settings:amd64 (510.47.03-0ubuntu1, 535.183.01-0ubuntu1)\nEnd-Date: 2026-11-28  06:10:10\n";
    Case::healthy().history(text).sees(&[("verdict", "ok"), ("facts/last_driver_upgrade", "null")]);
    Case::half_upgraded().history(text).sees(&[("driver-mismatch/cause", "no-record")]);
}
