use super::*;
use crate::derive::fixture::{Fixture, NEW, OLD, library_file, loaded, package};
use crate::probe::library::Libraries;
use crate::probe::module::Modules;
use crate::probe::packages::Packages;
use crate::probe::pci::{Gpu, Pci};
use crate::probe::system::{PackageManager, Platform};
use crate::reading::Reason;

fn judged(fixture: &Fixture) -> (Driver, Vec<String>) {
    let mut driver = None;
    let missing = fixture.missing(|look| driver = Some(derive(look)));
    (driver.unwrap(), missing)
}

fn applicability(fixture: &Fixture) -> Applicability {
    judged(fixture).0.applicability
}

fn reason(fixture: &Fixture) -> String {
    match applicability(fixture) {
        Applicability::NotApplicable(why) => why,
        other => format!("{other:?}"),
    }
}

fn bus(drivers: &[Option<&str>]) -> Reading<Pci> {
    let gpu = |driver: &Option<&str>| Gpu { driver: driver.map(str::to_owned), ..Gpu::default() };
    Reading::Known(Pci { gpus: drivers.iter().map(gpu).collect(), nvswitches: 0 })
}

fn no_library(fixture: Fixture) -> Fixture {
    fixture.with(|evidence| {
        evidence.library = Reading::Known(Libraries { host: Reading::Absent, container: Reading::Absent });
    })
}

fn no_packages(fixture: Fixture) -> Fixture {
    fixture.with(|evidence| evidence.packages = Reading::Known(Packages::default()))
}

fn unnamed(why: Reason) -> Reading<Libraries> {
    let mut file = library_file(OLD);
    file.version = Reading::unread(why, "the link's target names no version");
    Reading::Known(Libraries { host: Reading::Known(file), container: Reading::Absent })
}

#[test]
fn equal_different_and_in_between_are_told_by_strings() {
    for (module, library, want) in [
        (OLD, OLD, Relation::Equal),
        (OLD, NEW, Relation::LibraryNewer),
        (NEW, OLD, Relation::ModuleNewer),
        ("440.64", "440.64.00", Relation::LibraryNewer),
        ("550.54.15", "550.120", Relation::LibraryNewer),
    ] {
        let fixture = Fixture::healthy().library(library).loaded(Some(loaded(module)));
        assert_eq!(judged(&fixture).0.relation, want, "{module} {library}");
    }
}

#[test]
fn a_development_build_is_loaded_and_unknown() {
    let mut module = loaded(OLD);
    module.version = Reading::unread(Reason::Unparseable, "TempVersion");
    let (driver, missing) = judged(&Fixture::healthy().loaded(Some(module)));
    assert_eq!((driver.applicability, driver.relation), (Applicability::Applies, Relation::Unknown));
    assert_eq!(missing, ["module: unparseable"]);
}

#[test]
fn the_file_comes_before_the_package() {
    // Rule 1, and a package database that disagrees or is closed is not asked.
    let fixture = Fixture::healthy().library(NEW).with(|evidence| {
        evidence.library =
            Reading::Known(Libraries { host: Reading::Known(library_file(OLD)), container: Reading::Absent });
    });
    let (driver, missing) = judged(&fixture);
    assert_eq!((driver.library, driver.library_source), (Reading::Known(OLD.to_owned()), LibrarySource::File));
    assert_eq!(missing, Vec::<String>::new());
    let closed =
        Fixture::healthy().with(|evidence| evidence.packages = Reading::unread(Reason::PermissionDenied, "closed"));
    assert_eq!(judged(&closed).1, Vec::<String>::new());
}

#[test]
fn the_package_answers_when_the_file_does_not() {
    for library in [Reading::unread(Reason::TimedOut, "slow"), unnamed(Reason::Unparseable)] {
        let (driver, missing) = judged(&Fixture::healthy().with(|evidence| evidence.library = library));
        assert_eq!((driver.library, driver.library_source), (Reading::Known(OLD.to_owned()), LibrarySource::Package));
        assert_eq!(missing, Vec::<String>::new());
    }
}

#[test]
fn a_target_without_a_version_and_no_package_is_unread() {
    let fixture = no_packages(Fixture::healthy()).with(|evidence| evidence.library = unnamed(Reason::Unparseable));
    let (driver, missing) = judged(&fixture);
    assert_eq!(driver.relation, Relation::Unknown);
    assert_eq!(missing, ["library: unparseable"]);
}

#[test]
fn removed_packages_and_foreign_twins_do_not_answer_for_the_library() {
    let full = |version: &str| format!("{version}-0ubuntu0.22.04.1");
    let mut twin = package("libnvidia-compute-535", &full(NEW), "ii");
    (twin.arch, twin.native) = ("i386".into(), false);
    let rows = vec![
        package("libnvidia-compute-550", &full("550.90.07"), "rc"),
        package("libnvidia-compute-535", &full(OLD), "hi"),
        twin,
    ];
    let fixture = no_library(Fixture::healthy()).with(|evidence| evidence.packages = Reading::Known(Packages { rows }));
    let (driver, _) = judged(&fixture);
    assert_eq!((driver.library, driver.library_source), (Reading::Known(OLD.to_owned()), LibrarySource::Package));
    let listed: Vec<_> = driver.packages.iter().map(|p| (p.name.as_str(), p.state.as_str(), p.held)).collect();
    assert_eq!(listed, [("libnvidia-compute-535", "hi", true), ("libnvidia-compute-535:i386", "ii", false)]);
}

#[test]
fn two_library_packages_of_two_versions_decide_nothing() {
    let rows = vec![
        package("libnvidia-ml1", "535.183.01-1~deb12u1", "ii"),
        package("libnvidia-tesla-470-ml1", "470.256.02-1~deb12u1", "ii"),
    ];
    let fixture = no_library(Fixture::healthy()).with(|evidence| evidence.packages = Reading::Known(Packages { rows }));
    let (driver, missing) = judged(&fixture);
    assert_eq!(driver.relation, Relation::Unknown);
    assert_eq!(missing, ["library: unparseable"]);
}

#[test]
fn states_on_disk_by_letters() {
    for (letters, on_disk) in [
        ("ii", true),
        ("hi", true),
        ("iU", true),
        ("iF", true),
        ("iH", true),
        ("iW", true),
        ("it", true),
        ("ri", true),
        ("rc", false),
        ("un", false),
        ("pn", false),
    ] {
        let rows = vec![package("nvidia-utils-535", "535.171.04-0ubuntu1", letters)];
        let fixture = Fixture::healthy().with(|evidence| evidence.packages = Reading::Known(Packages { rows }));
        assert_eq!(!judged(&fixture).0.packages.is_empty(), on_disk, "{letters}");
    }
}

#[test]
fn prebuilt_modules_carry_no_driver_version() {
    let rows = vec![package("linux-modules-nvidia-535-generic", "5.15.0-112.122", "ii")];
    let fixture = Fixture::healthy().with(|evidence| evidence.packages = Reading::Known(Packages { rows }));
    let (driver, _) = judged(&fixture);
    assert_eq!((driver.packages[0].role, driver.packages[0].driver_version.clone()), (Role::KernelModule, None));
}

#[test]
fn rpm_hosts_are_judged_on_versions() {
    let mut row = package("nvidia-driver-NVML", "3:535.171.04-1.el9", "");
    row.status = crate::probe::packages::Status::default();
    let fixture = Fixture::healthy().with(|evidence| {
        if let Reading::Known(system) = &mut evidence.system {
            system.package_manager = PackageManager::Rpm;
        }
        evidence.packages = Reading::Known(Packages { rows: vec![row] });
        evidence.library = Reading::unread(Reason::TimedOut, "slow");
    });
    let (driver, missing) = judged(&fixture);
    assert_eq!((driver.applicability, driver.relation), (Applicability::Applies, Relation::Equal));
    assert_eq!((driver.packages[0].state.as_str(), missing), ("", vec![]));
}

#[test]
fn driver_container_is_looked_at_when_the_host_has_no_library() {
    // Rule 10.
    let inside = |version: &str, host: Reading<_>| {
        let mut file = library_file(version);
        file.target = format!("/run/nvidia/driver{}", file.target);
        Reading::Known(Libraries { host, container: Reading::Known(file) })
    };
    let alone = no_packages(Fixture::healthy()).with(|evidence| evidence.library = inside(OLD, Reading::Absent));
    let (driver, missing) = judged(&alone);
    assert_eq!((driver.relation, driver.library_source), (Relation::Equal, LibrarySource::Container));
    assert_eq!(missing, Vec::<String>::new());
    let stale = no_packages(Fixture::healthy()).with(|evidence| evidence.library = inside(NEW, Reading::Absent));
    assert_eq!(judged(&stale).0.relation, Relation::LibraryNewer);
    // Host packages beside it: what is loaded says which of the two is in use.
    let both = Fixture::healthy().with(|evidence| evidence.library = inside(OLD, Reading::Known(library_file(NEW))));
    assert_eq!(judged(&both).0.library_source, LibrarySource::Container);
    assert_eq!(both.check("driver-container-conflict").len(), 1);
    // A root that links to the host's own files is no container.
    let linked = Fixture::healthy().with(|evidence| {
        let host = Reading::Known(library_file(OLD));
        evidence.library = Reading::Known(Libraries { host: host.clone(), container: host });
    });
    assert_eq!(judged(&linked).0.library_source, LibrarySource::File);
    assert_eq!(linked.check("driver-container-conflict"), vec![]);
}

#[test]
fn nothing_to_judge_has_its_reason() {
    let platform = |platform: Platform| {
        Fixture::healthy().with(|evidence| {
            if let Reading::Known(system) = &mut evidence.system {
                system.platform = platform;
            }
        })
    };
    let bare = || no_packages(no_library(Fixture::healthy().loaded(None))).with(|evidence| evidence.pci = bus(&[]));
    for (fixture, want) in [
        (platform(Platform::Wsl), "Windows Subsystem for Linux"),
        (platform(Platform::Jetson("R36.4.3".into())), "Jetson (R36.4.3)"),
        (no_library(no_packages(platform(Platform::Container("lxc".into())))), "lxc guest without NVIDIA's library"),
        (bare(), "no NVIDIA GPU, module or driver package"),
        (Fixture::healthy().loaded(None).with(|evidence| evidence.pci = bus(&[])), "login or build node"),
        (bare().with(|evidence| evidence.pci = bus(&[Some("vfio-pci"), Some("vfio-pci")])), "passed through"),
    ] {
        assert!(reason(&fixture).contains(want), "{want}: {}", reason(&fixture));
        assert_eq!(judged(&fixture).1, Vec::<String>::new(), "{want}");
    }
}

#[test]
fn one_gpu_of_its_own_is_enough() {
    let fixture = Fixture::healthy().loaded(None).with(|evidence| evidence.pci = bus(&[Some("vfio-pci"), None]));
    assert_eq!(applicability(&fixture), Applicability::Applies);
}

#[test]
fn a_declared_driver_without_a_gpu_applies() {
    // Rule 13: a GPU that fell off the bus.
    let gone = || {
        no_packages(no_library(Fixture::healthy().loaded(None)))
            .with(|evidence| {
                evidence.pci = bus(&[]);
                evidence.nvidia_smi = Reading::Absent;
            })
            .given(|context| context.expect_driver = Some("535".into()))
    };
    assert_eq!(applicability(&gone()), Applicability::Applies);
    let finding = &gone().check("module-not-loaded")[0];
    assert_eq!(
        (finding.severity, &finding.details["cause"]),
        (crate::check::Severity::Critical, &"gpu-missing".into())
    );
}

#[test]
fn an_unread_bus_matters_only_without_a_module() {
    let blind =
        |fixture: Fixture| fixture.with(|evidence| evidence.pci = Reading::unread(Reason::PermissionDenied, "closed"));
    assert_eq!(judged(&blind(Fixture::healthy())).1, Vec::<String>::new());
    let (driver, missing) = judged(&blind(Fixture::healthy().loaded(None)));
    assert_eq!((driver.applicability, missing), (Applicability::Unknown, vec!["pci: permission-denied".to_owned()]));
}

#[test]
fn an_unread_module_is_unverified() {
    let fixture = Fixture::healthy().with(|evidence| {
        let nvidia = Reading::unread(Reason::PermissionDenied, "closed");
        evidence.module = Reading::Known(Modules { nvidia, nouveau: false, satellites: vec![] });
    });
    let (driver, missing) = judged(&fixture);
    assert_eq!((driver.relation, missing), (Relation::Unknown, vec!["module: permission-denied".to_owned()]));
}

#[test]
fn nothing_was_read_at_all() {
    let why = crate::reading::Unread::new(Reason::Deadline, "cut");
    let mut fixture = Fixture::healthy();
    fixture.evidence = Evidence::unread(&why);
    let (driver, missing) = judged(&fixture);
    assert_eq!(driver.applicability, Applicability::Unknown);
    assert_eq!(missing, ["system: deadline", "pci: deadline", "module: deadline", "library: deadline"]);
}

#[test]
fn a_loaded_module_without_any_library_is_never_ok() {
    let fixture = no_packages(no_library(Fixture::healthy()));
    let (driver, missing) = judged(&fixture);
    assert_eq!((driver.relation, missing), (Relation::NoLibrary, vec!["library: not-supported".to_owned()]));
}

#[test]
fn no_file_and_a_closed_package_database_is_unread() {
    let fixture = no_library(Fixture::healthy()).with(|evidence| {
        evidence.packages = Reading::unread(Reason::PermissionDenied, "closed");
    });
    assert_eq!(judged(&fixture).1, ["packages: permission-denied"]);
}
