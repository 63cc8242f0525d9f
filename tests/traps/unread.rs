//! What could not be read: load-bearing, or only listed.

use crate::Case;

const LOG: &str = "updater-log permission-denied";

#[test]
fn grub_environment_closed() {
    Case::healthy()
        .section("kernels", "grub-default", "GRUB_DEFAULT=saved")
        .more("kernels", "grubenv /boot/grub2/grubenv", "")
        .ends("kernels", "grubenv", "denied 1")
        .sees(&[("verdict", "ok"), ("facts/next_boot/certain", "false")]);
}

#[test]
fn boot_folder_closed() {
    Case::healthy().section("kernels", "images", "").ends("kernels", "images", "denied 1").sees(&[
        ("verdict", "ok"),
        ("facts/next_boot/kernel", "null"),
        ("unread", &format!("kernels permission-denied, {LOG}")),
    ]);
}

#[test]
fn held_packages_need_no_configuration_and_it_is_still_listed() {
    let denied = "W: Unable to read /etc/apt/apt.conf.d/52nvidia - open (13: Permission denied)";
    Case::healthy().blacklist(&[]).hold("").section("apt-config", "messages", denied).sees(&[
        ("verdict", "ok"),
        ("unverified", ""),
        ("facts/auto_upgrade", "unknown"),
        ("unread", &format!("{LOG}, apt-config permission-denied")),
    ]);
}

#[test]
fn probes_that_failed_on_an_agreeing_host() {
    for (probe, what) in [
        ("kernels", "kernels"),
        ("dkms", ""),
        ("nvidia-smi", "nvidia-smi"),
        ("persistenced", "persistenced"),
        ("pci", "pci"),
        ("boot", "boot"),
        ("clock", "clock"),
    ] {
        let host = Case::healthy().probe_ends(probe, "timed-out 124").judged();
        let unread: Vec<String> = host.unread.iter().map(|fact| fact.what.clone()).collect();
        assert!(host.unverified.is_empty(), "{probe}: {:?}", host.unverified);
        assert!(what.is_empty() || unread.iter().any(|fact| fact == what), "{probe}: {unread:?}");
        assert_eq!(serde_json::to_value(host.verdict).unwrap(), "ok", "{probe}");
    }
    for probe in ["module", "library", "apt-config", "updater"] {
        let host = Case::healthy().blacklist(&[]).probe_ends(probe, "timed-out 124");
        let host = if probe == "library" { host.probe_ends("packages", "timed-out 124") } else { host };
        let host = host.judged();
        assert_eq!(serde_json::to_value(host.verdict).unwrap(), "unverified", "{probe}: {:?}", host.findings);
    }
    // The packages: what protects them cannot be told.
    Case::healthy().probe_ends("packages", "timed-out 124").sees(&[
        ("verdict", "unverified"),
        ("unverified", "packages timed-out"),
        ("facts/protection", "unknown"),
    ]);
    Case::healthy().probe_ends("system", "timed-out 124").sees(&[("facts/protection", "full")]);
}

#[test]
fn a_driver_root_that_is_closed() {
    Case::healthy()
        .packages(&[])
        .no_library()
        .more("library", "container /run/nvidia/driver", "")
        .ends("library", "container", "denied 1")
        .sees(&[
            ("verdict", "unverified"),
            ("unverified", "library permission-denied"),
            ("facts/library_version", "null"),
        ]);
    // Nothing but a module: no library anywhere.
    Case::healthy()
        .packages(&[])
        .no_library()
        .sees(&[("verdict", "unverified"), ("unverified", "library not-supported")]);
}

#[test]
fn schedulers_that_could_not_be_read_are_listed() {
    // A user's crontab is closed on every host; a closed file in /etc is worth listing. Neither is a doubt about the driver.
    Case::healthy().section("updater", "schedulers-denied", " /etc/cron.d/patch /var/spool/cron/crontabs/*").sees(&[
        ("verdict", "ok"),
        ("unverified", ""),
        ("unread", "updater-log permission-denied, updater permission-denied"),
    ]);
}
