//! The incident's fleet: two cured nodes, one of another family that nobody configured, one that broke three days ago.

use crate::fleet::{Part, lab};
use crate::ground::clock::{days_ago, rfc3339};
use crate::host::disk::Disk;
use crate::host::machine::{Flavor, Machine};
use crate::host::recipe::{NEW, OLD, OTHER, blacklisted, security, updater_night, with_driver};

/// The minute of the night's run.
const MINUTE: i64 = 17 * 60;

/// When the fourth node's driver was replaced.
pub fn night() -> i64 {
    days_ago(3) + MINUTE
}

/// The fourth node's disk: a real updater run replaced the driver's 15 packages three days ago.
pub fn broken() -> Disk {
    updater_night(&with_driver(OLD), night(), &[security(&[NEW])])
}

/// The first two nodes' disk: the same night nine days earlier, then the blacklist.
fn cured() -> Disk {
    blacklisted(&updater_night(&with_driver(OLD), days_ago(12) + MINUTE, &[security(&[NEW])]), days_ago(11))
}

pub fn part() -> Part {
    Part::default()
        .host(Machine::new("gpu-1", cured()).closed(NEW.version).booted(days_ago(10)), "incident")
        .host(Machine::new("gpu-2", cured()).closed(NEW.version).booted(days_ago(10) + 600), "incident")
        .host(Machine::new("gpu-3", with_driver(OTHER)).loaded(OTHER.version, Flavor::Open), "incident")
        .host(Machine::new("gpu-4", broken()).closed(OLD.version), "incident")
}

#[test]
fn cured_nodes_are_ok() {
    let Some(lab) = lab() else { return };
    for name in ["gpu-1", "gpu-2"] {
        let host = lab.report(name);
        host.expect("ok", &[]);
        assert_eq!(host.fact("loaded_version"), NEW.version, "{name}");
        assert_eq!(host.fact("library_version"), NEW.version, "{name}");
        assert_eq!(host.fact("protection"), "full", "{name}");
        assert_eq!(host.fact("auto_upgrade"), "on", "{name}");
        assert_eq!(host.fact("last_driver_upgrade.by"), "unattended-upgrades", "{name}");
    }
}

#[test]
fn a_node_nobody_configured_is_a_warning() {
    let Some(lab) = lab() else { return };
    let host = lab.report("gpu-3");
    host.expect("warning", &["unconfigured"]);
    assert_eq!(host.fact("module_flavor"), "open");
    assert_eq!(host.fact("loaded_version"), OTHER.version);
    assert_eq!(host.fact("protection"), "none");
}

#[test]
fn the_fourth_node_is_half_upgraded_with_the_whole_story() {
    let Some(lab) = lab() else { return };
    let host = lab.report("gpu-4");
    host.expect("critical", &["half-upgraded", "unconfigured"]);
    host.expect_detail("half-upgraded", "by", "unattended-upgrades");
    host.expect_detail("half-upgraded", "from", OLD.version);
    host.expect_detail("half-upgraded", "to", NEW.version);
    host.expect_detail("half-upgraded", "packages", 15);
    let since = host.finding("half-upgraded")["details"]["broken_since"].as_str().unwrap_or_default().to_owned();
    // The tools took a few seconds; the minute is theirs.
    assert_eq!(&since[..16], &rfc3339(night())[..16], "broken since the night's run");
    assert_eq!(host.fact("loaded_version"), OLD.version);
    assert_eq!(host.fact("library_version"), NEW.version);
    assert_eq!(host.fact("last_driver_upgrade.packages"), 15);
    assert_eq!(host.fact("last_driver_upgrade.command"), "/usr/bin/unattended-upgrade -v");
    assert_eq!(host.fact("next_boot.module_version"), NEW.version, "dkms built it: a reboot will cure");
}

#[test]
fn the_tools_really_wrote_that_story() {
    let Some(lab) = lab() else { return };
    let said = lab.running("gpu-4").inside(
        "grep -c '^Commandline: /usr/bin/unattended-upgrade' /var/log/apt/history.log
         grep -A1 'Packages that will be upgraded' /var/log/unattended-upgrades/unattended-upgrades.log | head -1 |
             sed 's/.*upgraded: //' | wc -w
         dpkg-query -W -f '${Version}\\n' libnvidia-compute-535-server
         dkms status
         stat -c '%a %U:%G' /var/log/unattended-upgrades",
    );
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(
        lines,
        [
            "2", // the upgrade, and the removal of the old firmware
            "15",
            "535.183.01-0ubuntu0.22.04.1",
            "nvidia-srv/535.183.01, 5.15.0-105-generic, x86_64: installed",
            "750 root:adm",
        ]
    );
}

#[test]
fn the_incident_fleet_alone_exits_1_and_names_the_odd_branch() {
    let Some(lab) = lab() else { return };
    let outcome = lab.gpusweep(&["sweep", "--limit", "incident"]);
    assert_eq!(outcome.code, 1, "{}", outcome.err);
    let verdicts: Vec<String> =
        ["gpu-1", "gpu-2", "gpu-3", "gpu-4"].iter().map(|name| outcome.host(name).verdict().to_owned()).collect();
    assert_eq!(verdicts, ["ok", "ok", "warning", "critical"]);
    let drift = outcome.fleet("driver-drift");
    assert_eq!(drift.len(), 1, "{drift:#?}");
    assert_eq!((&drift[0]["severity"], &drift[0]["hosts"]), (&"info".into(), &serde_json::json!(["gpu-3"])));
    assert_eq!(outcome.json["summary"]["hosts"], 4);
    // The same state again: the same verdicts.
    let again = lab.gpusweep(&["sweep", "--limit", "incident"]);
    assert_eq!(outcome.json["summary"], again.json["summary"]);
}

#[test]
fn audit_of_the_fourth_node_shows_the_clues() {
    let Some(lab) = lab() else { return };
    let target = format!("ops@{}", lab.running("gpu-4").address);
    let at = |name: &str| lab.folder().join(name).display().to_string();
    let key = crate::ground::machine::cache().join("id_lab").display().to_string();
    let known = at("known_hosts");
    let outcome =
        lab.plain(&["audit", &target, "--known-hosts", &known, "--key", &key, "-F", "none", "--no-store"], "");
    assert_eq!(outcome.code, 1, "{}", outcome.err);
    for clue in [OLD.version, NEW.version, "unattended-upgrade", "half-upgraded", "reboot"] {
        assert!(outcome.out.contains(clue), "no `{clue}` in:\n{}", outcome.out);
    }
}
