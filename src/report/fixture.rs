//! One fixed fleet that every format is tested with: each verdict, a waiver, drift, unread facts, hostile text.

use jiff::Timestamp;
use serde_json::{Map, json};

use crate::check::Severity;
use crate::reading::Reason;
use crate::report::model::*;

/// The moment the sweep ended, and "now" of the tests.
pub fn now() -> Timestamp {
    "2026-12-01T06:00:00Z".parse().unwrap()
}

fn hours_ago(hours: i64) -> Timestamp {
    Timestamp::from_second(now().as_second() - hours * 3600).unwrap()
}

/// A fine host.
pub fn ok(name: &str) -> Host {
    let packages = [("libnvidia-compute-535", "blocked"), ("nvidia-dkms-535", "blocked")];
    Host {
        host: name.into(),
        address: format!("{name}.example:22"),
        groups: vec!["gpu".into()],
        verdict: Verdict::Ok,
        not_applicable_because: None,
        findings: vec![],
        unverified: vec![],
        unverified_waived: None,
        unread: vec![],
        facts: Facts {
            loaded_version: Some("535.230.02".into()),
            module_flavor: Some("proprietary".into()),
            library_version: Some("535.230.02".into()),
            library_source: Some("file".into()),
            driver_packages: packages.map(|(name, state)| package(name, "535.230.02-0ubuntu0.22.04.1", state)).to_vec(),
            kernel: Some("5.15.0-130-generic".into()),
            booted_at: Some(hours_ago(50)),
            last_driver_upgrade: Some(DriverUpgrade {
                at: hours_ago(75),
                by: "unattended-upgrades".into(),
                command: Some("/usr/bin/unattended-upgrade".into()),
                from: Some("535.183.01".into()),
                to: Some("535.230.02".into()),
                packages: 15,
            }),
            auto_upgrade: "on".into(),
            protection: "full".into(),
            protected_by: vec!["blacklist".into()],
            uncovered: vec![],
            blacklist: vec!["nvidia".into(), "libnvidia".into()],
            next_boot: Some(NextBoot {
                kernel: Some("5.15.0-130-generic".into()),
                module_version: Some("535.230.02".into()),
                source: "dkms".into(),
                certain: true,
                agrees: Some(true),
            }),
            nvidia_smi: Some(NvidiaSmi { state: "ok".into(), driver_version: Some("535.230.02".into()) }),
            gpus: Some(8),
            os: Some("Ubuntu 22.04.5 LTS".into()),
            clock_offset_s: Some(0),
        },
        expectation: None,
        baseline_key: None,
        timing: Timing { connect_ms: Some(41), total_ms: 730 },
    }
}

fn package(name: &str, version: &str, state: &str) -> DriverPackage {
    let by = if state == "blocked" { vec!["blacklist".into()] } else { vec![] };
    DriverPackage {
        name: name.into(),
        version: version.into(),
        state: "ii".into(),
        held: false,
        protection: Some(PackageProtection { state: state.into(), by }),
    }
}

/// A host that could not be read at all.
pub fn unreachable(name: &str, reason: Reason, detail: &str) -> Host {
    Host {
        verdict: Verdict::Unverified,
        unverified: vec![Unread { what: "host".into(), reason, detail: detail.into() }],
        facts: Facts { auto_upgrade: "unknown".into(), protection: "unknown".into(), ..Facts::default() },
        timing: Timing { connect_ms: None, total_ms: 5000 },
        ..ok(name)
    }
}

fn finding(check: &str, severity: Severity, message: &str, evidence: &[(&str, &str)], fix: &str) -> Finding {
    Finding {
        check: check.into(),
        severity,
        message: message.into(),
        evidence: evidence
            .iter()
            .map(|(probe, text)| Evidence { probe: (*probe).into(), text: (*text).into() })
            .collect(),
        fix: fix.into(),
        details: Map::new(),
        waived: None,
    }
}

/// The host of the incident: upgraded after boot.
pub fn half_upgraded(name: &str) -> Host {
    let mut host = ok(name);
    host.verdict = Verdict::Critical;
    host.facts.loaded_version = Some("535.183.01".into());
    host.facts.booted_at = Some(hours_ago(19 * 24));
    host.facts.protection = "none".into();
    host.facts.protected_by = vec![];
    host.facts.blacklist = vec![];
    host.facts.uncovered = vec!["libnvidia-compute-535".into(), "nvidia-dkms-535".into()];
    host.facts.driver_packages.iter_mut().for_each(|package| {
        package.protection = Some(PackageProtection { state: "exposed".into(), by: vec![] });
    });
    host.facts.nvidia_smi = Some(NvidiaSmi { state: "mismatch".into(), driver_version: None });
    let mut main = finding(
        "half-upgraded",
        Severity::Critical,
        "loaded module 535.183.01, library 535.230.02 on disk (the library is newer): unattended-upgrades upgraded 15 \
         driver packages from 535.183.01 to 535.230.02 on 2026-11-28 03:00 UTC, after the boot of 2026-11-12 06:00 UTC; \
         new GPU work has failed for 3 d; a reboot will cure it: kernel 5.15.0-130-generic has module 535.230.02, the \
         library's version",
        &[
            ("module", "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 19:39:15 UTC 2024"),
            ("library", "/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1 -> libnvidia-ml.so.535.230.02"),
            ("apt-history", "Commandline: /usr/bin/unattended-upgrade (2026-11-28 03:00 UTC, 15 driver packages)"),
            ("boot", "btime 1762927200 (2026-11-12 06:00 UTC)"),
            ("nvidia-smi", "Failed to initialize NVML: Driver/library version mismatch"),
        ],
        "The node needs a reboot, and when is a person's decision: other services may share it.\nSee what still uses the \
         GPUs:\n    sudo fuser -v /dev/nvidia*\nOn a Kubernetes node, moving its pods away first may look like this:\n    \
         kubectl drain NODE --ignore-daemonsets --delete-emptydir-data\nThen:\n    sudo systemctl reboot\n",
    );
    main.details =
        Map::from_iter([("by".to_owned(), json!("unattended-upgrades")), ("packages".to_owned(), json!(15))]);
    host.findings = vec![main, unconfigured()];
    host
}

fn unconfigured() -> Finding {
    finding(
        "unconfigured",
        Severity::Warning,
        "automatic upgrades run and nothing keeps them off the driver",
        &[("updater", "apt-daily-upgrade.timer is enabled, APT::Periodic::Unattended-Upgrade is 1")],
        "Block the driver packages in a file of your own:\n    echo 'Unattended-Upgrade::Package-Blacklist { \"nvidia\"; \
         \"libnvidia\"; };' | sudo tee /etc/apt/apt.conf.d/99nvidia-blacklist",
    )
}

/// The fixed fleet.
pub fn fleet() -> Report {
    let mut odd = ok("gpu-03");
    odd.verdict = Verdict::Warning;
    odd.groups = vec!["gpu".into(), "staging".into()];
    odd.facts.loaded_version = Some("580.95.05".into());
    odd.facts.library_version = Some("580.95.05".into());
    odd.facts.module_flavor = Some("open".into());
    odd.facts.protection = "none".into();
    odd.facts.protected_by = vec![];
    odd.facts.uncovered = vec!["libnvidia-compute-580".into()];
    odd.facts.last_driver_upgrade = None;
    odd.facts.next_boot = None;
    odd.findings = vec![unconfigured()];

    let mut gap = ok("gpu-05");
    gap.verdict = Verdict::Warning;
    gap.facts.loaded_version = Some("535.216.03".into());
    gap.facts.library_version = Some("535.216.03".into());
    gap.facts.protection = "partial".into();
    gap.facts.uncovered = vec!["nvidia-dkms-535".into()];
    gap.facts.last_driver_upgrade.as_mut().unwrap().by = "manual".into();
    gap.findings = vec![finding(
        "protection-gap",
        Severity::Warning,
        "nvidia-dkms-535 may be replaced by automatic upgrades, while libnvidia-compute-535 is blocked",
        &[("apt-config", "Unattended-Upgrade::Package-Blacklist:: \"libnvidia\"")],
        "widen the pattern so that it begins every driver package's name",
    )];
    gap.unread = vec![Unread {
        what: "updater-log".into(),
        reason: Reason::PermissionDenied,
        detail: "/var/log/unattended-upgrades: Permission denied".into(),
    }];

    let mut waived = ok("gpu-08");
    waived.findings = vec![Finding {
        waived: Some(Waived { reason: "frozen for the training run".into(), until: "2026-12-31".into() }),
        ..finding("driver-update-due", Severity::Warning, "a newer build is known", &[("apt-policy", "x")], "upgrade")
    }];
    let mut pending = ok("gpu-02");
    pending.findings = vec![finding(
        "reboot-pending",
        Severity::Info,
        "the distribution asks for a reboot for linux-image-5.15.0-131-generic",
        &[("reboot-required", "/run/reboot-required.pkgs: linux-image-5.15.0-131-generic")],
        "",
    )];
    let mut login = ok("login-1");
    login.verdict = Verdict::NotApplicable;
    login.not_applicable_because = Some("no NVIDIA GPU, module or driver package".into());
    login.facts =
        Facts { auto_upgrade: "on".into(), protection: "not-needed".into(), gpus: Some(0), ..Facts::default() };
    let mut partly = ok("gpu-09");
    partly.verdict = Verdict::Unverified;
    partly.facts.library_version = None;
    partly.facts.library_source = None;
    partly.unverified = vec![Unread {
        what: "library".into(),
        reason: Reason::PermissionDenied,
        detail: "/usr/lib/x86_64-linux-gnu: \u{1b}[31mPermission\u{202e} denied\u{1b}[0m".into(),
    }];

    let hosts = vec![
        ok("gpu-01"),
        pending,
        odd,
        half_upgraded("gpu-04"),
        gap,
        unreachable("gpu-06", Reason::ConnectTimeout, "no answer from 10.0.0.6:22 within 5 s"),
        unreachable("gpu-07", Reason::HostKeyMismatch, "/home/ops/.ssh/known_hosts:12 records another ssh-ed25519 key"),
        waived,
        partly,
        login,
    ];
    let drift = |severity, message: &str, host: &str| FleetFinding {
        check: "driver-drift".into(),
        severity,
        message: message.into(),
        hosts: vec![host.into()],
        details: Map::new(),
        waived: None,
    };
    let findings = vec![
        drift(
            Severity::Warning,
            "driver 535.216.03 is another version of the usual branch (535.230.02 on 4 hosts): gpu-05",
            "gpu-05",
        ),
        drift(
            Severity::Info,
            "driver 580.95.05 is another branch than usual (535.230.02 on 4 hosts): gpu-03",
            "gpu-03",
        ),
    ];
    let by_check =
        [("driver-drift", 2), ("half-upgraded", 1), ("protection-gap", 1), ("reboot-pending", 1), ("unconfigured", 2)];
    Report {
        schema: SCHEMA.into(),
        tool: Tool { name: "gpusweep".into(), version: "0.1.0".into() },
        sweep: Sweep {
            id: "20261201T055955Z-1a2b".into(),
            started: Timestamp::from_second(now().as_second() - 5).unwrap(),
            finished: now(),
            playbook: "driver-audit".into(),
            inventory: vec!["inventory/fleet.yaml".into()],
            limit: None,
            shard: None,
            baseline_by: "sweep".into(),
            complete: true,
        },
        summary: Summary {
            hosts: 10,
            critical: 1,
            unverified: 3,
            warning: 2,
            ok: 3,
            not_applicable: 1,
            waived: 1,
            by_check: by_check.into_iter().map(|(check, n)| (check.to_owned(), json!(n))).collect(),
        },
        hosts,
        fleet: Fleet { findings },
    }
}
