//! Host checks over whole evidence: what each finds, and what it must leave alone.

use crate::check::{NowSource, Severity};
use crate::derive::fixture::{
    Fixture, NEW, OLD, REVISION, RUNNING, at, item, kernel, loaded, package, smi, stanza, upgrade_of_all,
};
use crate::probe::apt_history::Action;
use crate::probe::fabricmanager::FabricManager;
use crate::probe::library::Libraries;
use crate::probe::modprobe::Modprobe;
use crate::probe::module::Modules;
use crate::probe::nvidia_smi::SmiState;
use crate::probe::packages::Packages;
use crate::probe::pci::Gpu;
use crate::probe::persistenced::Persistenced;
use crate::probe::reboot_required::RebootRequired;
use crate::probe::system::{PackageManager, Platform};
use crate::probe::updater::Unit;
use crate::reading::{Reading, Reason};

/// Severities of what a check finds.
fn found(fixture: &Fixture, id: &str) -> Vec<Severity> {
    let findings = fixture.check(id);
    for finding in &findings {
        assert!(!finding.evidence.is_empty() && !finding.message.is_empty() && !finding.fix.is_empty(), "{id}");
    }
    findings.into_iter().map(|finding| finding.severity).collect()
}

fn unit(enabled: &str, active: &str) -> Unit {
    Unit { load: "loaded".into(), active: active.into(), enabled: enabled.into() }
}

fn gpu_bound_to(fixture: Fixture, driver: Option<&str>) -> Fixture {
    fixture.with(|evidence| {
        if let Reading::Known(pci) = &mut evidence.pci {
            pci.gpus = vec![Gpu { driver: driver.map(str::to_owned), ..Gpu::default() }];
        }
    })
}

fn with_row(fixture: Fixture, name: &str, version: &str, letters: &str, source: &str) -> Fixture {
    let mut row = package(name, version, letters);
    row.source = source.to_owned();
    fixture.with(|evidence| {
        if let Reading::Known(packages) = &mut evidence.packages {
            packages.rows.push(row);
        }
    })
}

fn nothing_installed(fixture: Fixture) -> Fixture {
    fixture.with(|evidence| {
        evidence.packages = Reading::Known(Packages::default());
        evidence.library = Reading::Known(Libraries { host: Reading::Absent, container: Reading::Absent });
    })
}

#[test]
fn a_healthy_host_has_no_finding_of_these() {
    let ids = [
        "clock-skew",
        "driver-container-conflict",
        "driver-mismatch",
        "fabricmanager-mismatch",
        "half-upgraded",
        "mixed-driver-versions",
        "module-not-loaded",
        "no-driver",
        "nvidia-smi-fails",
        "package-half-configured",
        "persistenced-down",
        "reboot-loses-driver",
        "reboot-pending",
        "unpackaged-driver",
    ];
    for id in ids {
        assert_eq!(Fixture::healthy().check(id), vec![], "{id}");
    }
}

#[test]
fn mismatch_causes_in_words() {
    let message = |fixture: Fixture| fixture.check("driver-mismatch")[0].message.clone();
    let survived = Fixture::half_upgraded()
        .stanzas(vec![upgrade_of_all("2026-11-10T06:12:04", "apt upgrade", OLD, NEW)])
        .modules(OLD);
    let text = message(survived.clone());
    assert!(text.contains("and the boot of 2026-11-12 09:00 UTC came after it"), "{text}");
    assert!(text.contains(&format!("the module of the running kernel {RUNNING} is still {OLD}")), "{text}");
    let details = &survived.check("driver-mismatch")[0].details;
    assert_eq!((&details["broken_since"], &details["newer"]), (&"2026-11-12T09:00:00Z".into(), &"library".into()));
    let other_kernel = survived.kernels(vec![kernel(RUNNING, Some(OLD)), kernel("5.15.0-113-generic", Some(NEW))]);
    assert!(message(other_kernel).contains("and kernel 5.15.0-113-generic has the library's version"));
    let unread = Fixture::half_upgraded()
        .with(|evidence| evidence.apt_history = Reading::unread(Reason::PermissionDenied, "closed"));
    assert!(message(unread).contains("what changed it could not be read"));
    assert!(message(Fixture::half_upgraded().stanzas(vec![])).contains("no journal on this host records"));
    let older = "535.154.05";
    let items = vec![item(Action::Downgrade, "libnvidia-compute-535", Some(OLD), Some(older))];
    let downgraded =
        Fixture::half_upgraded().library(older).stanzas(vec![stanza("2026-11-28T06:12:04", "apt install x", items)]);
    let text = message(downgraded);
    assert!(text.contains("(the module is newer)") && text.contains("downgraded the driver from"), "{text}");
}

#[test]
fn consequences_are_named_inside_and_are_no_alarms() {
    // Rule 19.
    let fixture = with_row(
        Fixture::half_upgraded(),
        "nvidia-fabricmanager-535",
        &format!("{NEW}{REVISION}"),
        "ii",
        "fabric-manager-535",
    )
    .with(|evidence| {
        evidence.persistenced = Reading::Known(Persistenced { unit: unit("static", "failed"), socket: false });
        evidence.fabricmanager = Reading::Known(FabricManager { unit: unit("enabled", "failed") });
    });
    let consequences = fixture.check("half-upgraded")[0].details["consequences"].as_array().unwrap().len();
    assert_eq!(consequences, 3);
    for id in ["nvidia-smi-fails", "persistenced-down", "fabricmanager-mismatch", "driver-mismatch"] {
        assert_eq!(fixture.check(id), vec![], "{id}");
    }
}

#[test]
fn module_not_loaded_says_why() {
    // Rule 14.
    let bare = || gpu_bound_to(Fixture::healthy().loaded(None), None);
    let first_install = || {
        bare().stanzas(vec![stanza(
            "2026-11-28T06:12:04",
            "apt install nvidia-driver-535",
            vec![item(Action::Install, "libnvidia-compute-535", None, Some(OLD))],
        )])
    };
    let nouveau = || {
        gpu_bound_to(first_install(), Some("nouveau")).with(|evidence| {
            evidence.module = Reading::Known(Modules { nvidia: Reading::Absent, nouveau: true, satellites: vec![] });
        })
    };
    let blocked = |line: &str| {
        let line = ("/etc/modprobe.d/off.conf".to_owned(), line.to_owned());
        bare().with(|evidence| {
            evidence.modprobe = Reading::Known(Modprobe { nvidia_blocked: vec![line], ..Modprobe::default() });
        })
    };
    let signature = bare().with(|evidence| {
        if let Reading::Known(log) = &mut evidence.kernel_log {
            log.signature_refused = Some("nvidia: module verification failed".into());
        }
    });
    for (fixture, severity, cause) in [
        (bare(), Severity::Critical, "unknown"),
        (first_install(), Severity::Critical, "installed-after-boot"),
        (nouveau(), Severity::Critical, "nouveau"),
        (blocked("blacklist nvidia"), Severity::Warning, "on-purpose"),
        (blocked("install nvidia modprobe -i nvidia-current"), Severity::Critical, "unknown"),
        (signature, Severity::Critical, "signature-refused"),
        (bare().kernels(vec![kernel(RUNNING, None)]), Severity::Critical, "no-module-file"),
    ] {
        assert_eq!(found(&fixture, "module-not-loaded"), [severity], "{cause}");
        assert_eq!(fixture.check("module-not-loaded")[0].details["cause"], cause);
        assert_eq!(fixture.check("no-driver"), vec![], "{cause}");
    }
    assert!(nouveau().check("module-not-loaded")[0].fix.contains("systemctl reboot"));
    let said = &nouveau().check("module-not-loaded")[0].message;
    assert!(
        said.contains("nouveau holds the card; the driver was installed after boot (2026-11-28 06:12 UTC"),
        "{said}"
    );
    assert!(first_install().check("module-not-loaded")[0].fix.contains("sudo modprobe nvidia"));
}

#[test]
fn a_gpu_without_any_driver() {
    // Rule 13.
    let fixture = gpu_bound_to(nothing_installed(Fixture::healthy().loaded(None)), None);
    assert_eq!(found(&fixture, "no-driver"), [Severity::Warning]);
    assert_eq!(fixture.check("module-not-loaded"), vec![]);
    let tools = with_row(fixture.clone(), "nvidia-container-toolkit", "1.17.0-1", "ii", "");
    assert_eq!(found(&tools, "no-driver"), [Severity::Warning]);
    let removed = with_row(fixture.clone(), "libnvidia-compute-535", &format!("{OLD}{REVISION}"), "rc", "");
    assert_eq!(found(&removed, "no-driver"), [Severity::Warning]);
    let closed = fixture.with(|evidence| evidence.packages = Reading::unread(Reason::PermissionDenied, "closed"));
    assert_eq!(closed.check("no-driver"), vec![]);
    assert_eq!(found(&gpu_bound_to(closed, Some("vfio-pci")), "no-driver"), []);
}

#[test]
fn a_declared_driver_and_a_vanished_gpu() {
    let gone = |platform: Platform, smi_sees: usize| {
        Fixture::healthy()
            .with(|evidence| {
                evidence.pci = Reading::Known(crate::probe::pci::Pci::default());
                if let Reading::Known(system) = &mut evidence.system {
                    system.platform = platform;
                }
                if let Reading::Known(smi) = &mut evidence.nvidia_smi {
                    smi.gpus = smi_sees;
                }
            })
            .given(|context| context.expect_driver = Some(OLD.into()))
    };
    assert_eq!(found(&gone(Platform::Machine, 0), "module-not-loaded"), [Severity::Critical]);
    assert_eq!(found(&gone(Platform::Machine, 1), "module-not-loaded"), []);
    assert_eq!(found(&gone(Platform::Container("lxc".into()), 0), "module-not-loaded"), []);
}

#[test]
fn nvidia_smi_is_a_witness() {
    // Rule 17.
    let says = |state: SmiState, exit: i32| Fixture::healthy().with(|evidence| evidence.nvidia_smi = smi(state, exit));
    let as_user = |fixture: Fixture| {
        fixture.with(|evidence| {
            if let Reading::Known(system) = &mut evidence.system {
                system.uid = 1000;
            }
        })
    };
    use Severity::{Critical, Warning};
    for (fixture, want) in [
        (says(SmiState::NoPermission, 4), vec![]),
        (says(SmiState::NoLibrary, 12), vec![]),
        (says(SmiState::NotInstalled, 127), vec![]),
        (says(SmiState::NotStarted, 0), vec![]),
        (says(SmiState::NoDevices, 6), vec![Critical]),
        (as_user(says(SmiState::NoDevices, 6)), vec![]),
        (gpu_bound_to(says(SmiState::NoDevices, 6), None), vec![]),
        (says(SmiState::Hung, 124), vec![Warning]),
        (says(SmiState::NoDriver, 9), vec![Critical]),
        (says(SmiState::GpuLost, 15), vec![Critical]),
        (says(SmiState::MixedUserspace, 255), vec![Critical]),
        (says(SmiState::Mismatch(Some("535.171".into())), 18), vec![Critical]),
        (says(SmiState::Other, 255), vec![Critical]),
    ] {
        let state = format!("{:?}", fixture.evidence.nvidia_smi);
        assert_eq!(found(&fixture, "nvidia-smi-fails"), want, "{state}");
    }
}

#[test]
fn fabric_manager_is_critical_only_where_it_is_used() {
    // Rule 18.
    let manager = |version: &str| {
        with_row(
            Fixture::healthy(),
            "nvidia-fabricmanager-535",
            &format!("{version}{REVISION}"),
            "ii",
            "fabric-manager-535",
        )
    };
    let used = |fixture: Fixture, enabled: &str, active: &str| {
        let unit = unit(enabled, active);
        fixture.with(|evidence| evidence.fabricmanager = Reading::Known(FabricManager { unit }))
    };
    let switches = manager(NEW).with(|evidence| {
        if let Reading::Known(pci) = &mut evidence.pci {
            pci.nvswitches = 4;
        }
    });
    let transitional = manager(NEW).with(|evidence| {
        if let Reading::Known(packages) = &mut evidence.packages {
            packages.rows.iter_mut().for_each(|row| row.transitional = row.name.starts_with("nvidia-fabric"));
        }
    });
    for (fixture, want) in [
        (manager(OLD), vec![]),
        (manager(NEW), vec![Severity::Info]),
        (used(manager(NEW), "disabled", "inactive"), vec![Severity::Info]),
        (used(manager(NEW), "enabled", "failed"), vec![Severity::Critical]),
        (used(manager(NEW), "disabled", "active"), vec![Severity::Critical]),
        (switches, vec![Severity::Critical]),
        (used(transitional, "enabled", "active"), vec![]),
    ] {
        assert_eq!(found(&fixture, "fabricmanager-mismatch"), want);
    }
}

#[test]
fn half_configured_packages_by_letters() {
    for (letters, want) in [("iU", 1), ("iF", 1), ("iH", 1), ("hF", 1), ("iiR", 1), ("iW", 0), ("it", 0), ("ii", 0)] {
        let fixture =
            with_row(Fixture::healthy(), "nvidia-imex-535", &format!("{OLD}{REVISION}"), letters, "nvidia-imex-535");
        assert_eq!(found(&fixture, "package-half-configured").len(), want, "{letters}");
        let running = fixture.with(|evidence| {
            if let Reading::Known(updater) = &mut evidence.updater {
                updater.running = vec!["dpkg".into()];
            }
        });
        assert_eq!(running.check("package-half-configured"), vec![], "{letters}");
    }
    let toolkit = with_row(Fixture::healthy(), "nvidia-container-toolkit", "1.17.0-1", "iF", "");
    assert_eq!(toolkit.check("package-half-configured"), vec![]);
}

#[test]
fn mixed_versions_of_one_source_only() {
    // Rule 20.
    let source = "nvidia-graphics-drivers-535";
    let full = format!("{NEW}{REVISION}");
    let with = |name: &str, version: &str, source: &str| with_row(Fixture::healthy(), name, version, "ii", source);
    assert_eq!(found(&with("nvidia-headless-535", &full, source), "mixed-driver-versions"), [Severity::Warning]);
    for (name, version, source) in [
        ("nvidia-settings", "510.47.03-0ubuntu4", "nvidia-settings"),
        ("nvidia-modprobe", "550.54.15-0ubuntu1", "nvidia-modprobe"),
        ("nvidia-firmware-535-535.183.01", full.as_str(), source),
        ("linux-modules-nvidia-535-generic", "5.15.0-113.123", "linux-restricted-modules"),
        ("libnvidia-compute-550", "550.90.07-0ubuntu1", "nvidia-graphics-drivers-550"),
        ("cuda-compat-12-4", "550.54.15-1", "cuda-compat-12-4"),
    ] {
        assert_eq!(with(name, version, source).check("mixed-driver-versions"), vec![], "{name}");
    }
    let mut twin = package("libnvidia-compute-535", &full, "ii");
    (twin.arch, twin.native) = ("i386".into(), false);
    let mut transitional = package("nvidia-driver-530", &full, "ii");
    transitional.transitional = true;
    let fixture = Fixture::healthy().with(|evidence| {
        if let Reading::Known(packages) = &mut evidence.packages {
            packages.rows.extend([twin, transitional]);
        }
    });
    assert_eq!(fixture.check("mixed-driver-versions"), vec![]);
}

#[test]
fn persistenced_by_unit_and_socket() {
    let daemon = |unit: Unit, socket| {
        Fixture::healthy().with(|evidence| evidence.persistenced = Reading::Known(Persistenced { unit, socket }))
    };
    for (unit, socket, want) in [
        (unit("enabled", "active"), true, 0),
        (unit("static", "inactive"), false, 0),
        (unit("disabled", "inactive"), false, 0),
        (unit("enabled", "inactive"), false, 1),
        (unit("static", "failed"), false, 1),
        (unit("enabled", "active"), false, 1),
        (Unit { load: "not-found".into(), ..Unit::default() }, false, 0),
        (unit("enabled", ""), false, 0),
    ] {
        let text = format!("{unit:?} {socket}");
        assert_eq!(found(&daemon(unit, socket), "persistenced-down").len(), want, "{text}");
    }
}

#[test]
fn clock_skew_warns_when_the_order_decides() {
    let seen_at = |fixture: Fixture, now: &str| fixture.given(|context| context.now = at(now));
    let healthy = || Fixture::healthy();
    assert_eq!(found(&seen_at(healthy(), "2026-12-01T09:02:00Z"), "clock-skew"), []);
    assert_eq!(found(&seen_at(healthy(), "2026-12-01T09:02:01Z"), "clock-skew"), [Severity::Info]);
    assert_eq!(found(&seen_at(healthy(), "2026-12-01T08:00:00Z"), "clock-skew"), [Severity::Info]);
    let half = seen_at(Fixture::half_upgraded(), "2026-12-01T08:00:00Z");
    assert_eq!(found(&half, "clock-skew"), [Severity::Warning]);
    let by_hand = half.given(|context| context.now_source = NowSource::Host);
    assert_eq!(found(&by_hand, "clock-skew"), []);
}

#[test]
fn a_driver_that_no_package_owns() {
    // Rule 21.
    let run_file = Fixture::healthy().with(|evidence| evidence.packages = Reading::Known(Packages::default()));
    assert_eq!(found(&run_file, "unpackaged-driver"), [Severity::Info]);
    let settings = with_row(run_file.clone(), "nvidia-settings", "510.47.03-0ubuntu4", "ii", "");
    assert_eq!(found(&settings, "unpackaged-driver"), [Severity::Info]);
    let nix = run_file.clone().with(|evidence| {
        if let Reading::Known(system) = &mut evidence.system {
            system.package_manager = PackageManager::Other;
        }
    });
    assert_eq!(found(&nix, "unpackaged-driver"), []);
    let closed = run_file.with(|evidence| evidence.packages = Reading::unread(Reason::PermissionDenied, "closed"));
    assert_eq!(found(&closed, "unpackaged-driver"), []);
}

#[test]
fn the_reboot_flag_is_context() {
    let packages = vec!["linux-image-5.15.0-113-generic".to_owned()];
    let fixture =
        Fixture::healthy().with(|evidence| evidence.reboot_required = Reading::Known(RebootRequired { packages }));
    assert_eq!(found(&fixture, "reboot-pending"), [Severity::Info]);
    assert!(fixture.check("reboot-pending")[0].message.starts_with("a reboot is asked for by linux-image-5.15.0-113"));
}

#[test]
fn nothing_is_said_of_hosts_that_do_not_apply() {
    for platform in [Platform::Wsl, Platform::Jetson(String::new())] {
        let fixture = Fixture::half_upgraded().loaded(Some(loaded(OLD))).with(|evidence| {
            if let Reading::Known(system) = &mut evidence.system {
                system.platform = platform;
            }
            evidence.reboot_required = Reading::Known(RebootRequired::default());
        });
        for check in crate::check::ALL {
            if matches!(check.run, crate::check::Run::Host(_)) {
                assert_eq!(fixture.check(check.id), vec![], "{}", check.id);
            }
        }
    }
}

#[test]
fn a_partial_list_that_let_only_the_library_through() {
    // The updater replaced the library, the list kept everything else: no reboot cures that.
    let items = vec![item(Action::Upgrade, "libnvidia-compute-535", Some(OLD), Some(NEW))];
    let fixture = Fixture::half_upgraded()
        .modules(OLD)
        .stanzas(vec![stanza("2026-11-28T06:12:04", "/usr/bin/unattended-upgrade", items)])
        .with(|evidence| {
            if let Reading::Known(packages) = &mut evidence.packages {
                packages.rows.iter_mut().filter(|row| row.name.starts_with("nvidia-")).for_each(|row| {
                    row.version = format!("{OLD}{REVISION}");
                });
            }
        });
    let finding = &fixture.check("half-upgraded")[0];
    assert_eq!((&finding.details["packages"], &finding.details["reboot_cures"]), (&1.into(), &false.into()));
    assert!(finding.fix.contains("sudo apt-get install nvidia-dkms-535 nvidia-kernel-source-535"), "{}", finding.fix);
    assert_eq!(found(&fixture, "reboot-loses-driver"), [Severity::Critical]);
    assert_eq!(found(&fixture, "mixed-driver-versions"), [Severity::Warning]);
}
