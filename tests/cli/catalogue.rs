//! The catalogue of checks, on paper and on the screen.

use std::collections::BTreeSet;

use crate::gpusweep;

#[test]
fn the_printed_catalogue_has_not_drifted() {
    let ran = gpusweep(&["checks", "--markdown"]);
    let written = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/playbooks/CHECKS.md")).unwrap();
    assert_eq!(ran.code, 0);
    assert_eq!(written, ran.out, "run: cargo run -- checks --markdown > playbooks/CHECKS.md");
}

#[test]
fn every_check_is_explained_with_all_its_parts() {
    let mut ids = BTreeSet::new();
    for check in gpusweep::check::ALL {
        let ran = gpusweep(&["explain", check.id]);
        assert_eq!(ran.code, 0, "{}", check.id);
        for part in ["What it checks", "Why it matters", "Evidence", "Fix", "What it does not see"] {
            assert!(ran.out.to_lowercase().contains(&part.to_lowercase()), "{} lacks `{part}`", check.id);
        }
        assert!(ids.insert(check.id), "{} stands twice", check.id);
    }
    let sorted: Vec<_> = ids.into_iter().collect();
    let listed: Vec<_> = gpusweep::check::ALL.iter().map(|check| check.id).collect();
    assert_eq!(listed, sorted);
}

#[test]
fn the_contract_s_checks_are_all_there() {
    let contract = [
        "auto-reboot",
        "blacklist-ineffective",
        "clock-skew",
        "driver-container-conflict",
        "driver-drift",
        "driver-mismatch",
        "driver-update-due",
        "fabricmanager-mismatch",
        "half-upgraded",
        "kernel-drift",
        "kernel-not-held-with-driver",
        "kernel-unpinned-for-driver-container",
        "mixed-driver-versions",
        "module-not-loaded",
        "no-driver",
        "nothing-eligible",
        "nvidia-smi-fails",
        "package-half-configured",
        "persistenced-down",
        "policy-drift",
        "protection-gap",
        "reboot-loses-driver",
        "reboot-pending",
        "unconfigured",
        "unpackaged-driver",
        "updater-broken",
    ];
    let listed: Vec<_> = gpusweep::check::ALL.iter().map(|check| check.id).collect();
    assert_eq!(listed, contract);
}

#[test]
fn a_pasted_error_finds_its_check() {
    for (text, check) in [
        ("open /run/nvidia-persistenced/socket: no such file or directory", "half-upgraded"),
        ("Failed to initialize NVML: Driver/library version mismatch", "half-upgraded"),
        (
            "nvidia-container-cli: initialization error: nvml error: driver/library version mismatch: unknown.",
            "half-upgraded",
        ),
        ("NVRM: API mismatch: the client has the version 535.183.01, but", "half-upgraded"),
    ] {
        let ran = gpusweep(&["explain", text]);
        assert_eq!(ran.code, 0, "{text}: {}", ran.err);
        assert!(ran.out.contains(check), "{text}: {}", ran.out);
    }
    let ran = gpusweep(&["explain", "half-upgradde"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("did you mean `half-upgraded`?"), "{}", ran.err);
}

#[test]
fn the_fleet_snippet_is_apt_configuration() {
    let ran = gpusweep(&["explain", "unconfigured", "--snippet"]);
    assert_eq!(ran.code, 0);
    for pattern in ["\"nvidia-\";", "\"libnvidia-\";", "\"xserver-xorg-video-nvidia\";"] {
        assert!(ran.out.contains(pattern), "{}", ran.out);
    }
}
