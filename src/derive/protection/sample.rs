//! Hosts made by hand for tests of protection and of the checks that rest on it.

use jiff::Timestamp;

use crate::check::{HostContext, Look, NowSource, UnreadFact};
use crate::derive::Derived;
use crate::derive::driver::{Applicability, Driver, DriverPackage, LibrarySource, Relation, Role};
use crate::derive::next_boot::{ModuleSource, NextBoot};
use crate::derive::protection::{PackageProtection, Protected, Protection, derive, graph};
use crate::derive::upgrade::UpgradeStory;
use crate::derive::{package_role, version};
use crate::evidence::Evidence;
use crate::probe::ProbeId;
use crate::probe::apt_config::AptConfig;
use crate::probe::apt_files::{AptFiles, ConfFile};
use crate::probe::apt_policy::{AptPolicy, PolicyPackage, PolicySource, PolicyVersion};
use crate::probe::apt_preferences::{AptPreferences, Pin};
use crate::probe::packages::{Package, Packages, Status};
use crate::probe::system::{PackageManager, System};
use crate::probe::updater::{Unit, Updater};
use crate::reading::{Reading, Reason, Unread};

/// The installed driver.
pub const OLD: &str = "535.183.01-0ubuntu0.22.04.1";
/// The driver on offer.
pub const NEW: &str = "535.230.02-0ubuntu0.22.04.3";

/// A host whose facts can still be changed.
#[derive(Debug, Clone)]
pub struct Host {
    pub evidence: Evidence,
    pub driver: Driver,
}

/// A source of packages.
pub fn source(archive: &str, origin: &str, site: &str) -> PolicySource {
    PolicySource {
        line: format!("http://{site}/ubuntu {archive}/restricted amd64 Packages"),
        priority: 500,
        origin: origin.into(),
        label: origin.into(),
        archive: archive.into(),
        codename: "jammy".into(),
        component: "restricted".into(),
        site: site.into(),
    }
}

fn unit(enabled: &str, active: &str) -> Option<Unit> {
    Some(Unit { load: "loaded".into(), active: active.into(), enabled: enabled.into() })
}

impl Host {
    /// An Ubuntu 22.04 host with unattended-upgrades on, no blacklist, and these driver packages, each on offer from
    /// jammy-security: `name`, `name:i386`.
    pub fn ubuntu(packages: &[&str]) -> Self {
        let mut host = Self::bare();
        host.install("unattended-upgrades", "2.8ubuntu1", "", "");
        for name in packages {
            let (bare, _) = name.split_once(':').unwrap_or((name, ""));
            let version = if bare.starts_with("linux-") { "5.15.0-112.122" } else { OLD };
            host.add(name, version, "", "");
        }
        host
    }

    fn bare() -> Self {
        let mut evidence = Evidence::unread(&Unread::new(Reason::NotTried, "not in this test"));
        evidence.system = Reading::Known(System {
            os_id: "ubuntu".into(),
            os_codename: "jammy".into(),
            package_manager: PackageManager::Dpkg,
            dpkg_arch: "amd64".into(),
            ..System::default()
        });
        evidence.packages = Reading::Known(Packages::default());
        evidence.updater = Reading::Known(Updater {
            program: true,
            timer: unit("enabled", "active"),
            service: unit("static", "inactive"),
            shutdown_service: unit("enabled", "active"),
            ..Updater::default()
        });
        let entries = [
            ("APT::Periodic::Update-Package-Lists", "1"),
            ("APT::Periodic::Unattended-Upgrade", "1"),
            ("Unattended-Upgrade::Allowed-Origins::", "${distro_id}:${distro_codename}"),
            ("Unattended-Upgrade::Allowed-Origins::", "${distro_id}:${distro_codename}-security"),
        ];
        let entries = entries.into_iter().map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
        evidence.apt_config = Reading::Known(AptConfig { entries, ..AptConfig::default() });
        evidence.apt_files = Reading::Known(AptFiles::default());
        evidence.apt_preferences = Reading::Known(AptPreferences::default());
        let security = source("jammy-security", "Ubuntu", "security.ubuntu.com");
        evidence.apt_policy = Reading::Known(AptPolicy {
            sources: vec![security, source("jammy-updates", "Ubuntu", "archive.ubuntu.com")],
            packages: Vec::new(),
            lists_present: true,
            lists_updated: Some(1_795_000_000),
        });
        let driver = Driver {
            applicability: Applicability::Applies,
            loaded: Reading::Known("535.183.01".into()),
            flavor: None,
            library: Reading::Known("535.183.01".into()),
            library_source: LibrarySource::File,
            relation: Relation::Equal,
            packages: Vec::new(),
        };
        Self { evidence, driver }
    }

    /// A driver package that jammy-security offers.
    pub fn add(&mut self, name: &str, version: &str, depends: &str, provides: &str) -> &mut Self {
        self.install(name, version, depends, provides);
        let role = package_role::dpkg(name.split(':').next().unwrap_or(name), version);
        if let Some(role) = role {
            self.driver.packages.push(DriverPackage {
                name: name.into(),
                version: version.into(),
                driver_version: (role != Role::KernelModule).then(|| version::upstream(version).to_owned()),
                role,
                state: "ii".into(),
                held: false,
            });
        }
        self.offer(name, "jammy-security", if version == OLD { NEW } else { version })
    }

    /// A row of the package database.
    pub fn install(&mut self, name: &str, version: &str, depends: &str, provides: &str) -> &mut Self {
        let (bare, arch) = name.split_once(':').unwrap_or((name, "amd64"));
        self.packages().rows.push(Package {
            name: bare.into(),
            arch: arch.into(),
            native: arch == "amd64",
            version: version.into(),
            status: Status { want: 'i', state: 'i', error: false },
            depends: depends.into(),
            provides: provides.into(),
            ..Package::default()
        });
        self
    }

    /// A version of a package in a source, in place of what was on offer.
    pub fn offer(&mut self, name: &str, archive: &str, version: &str) -> &mut Self {
        let installed =
            self.packages().rows.iter().find(|row| graph::full_name(row) == name).map(|row| row.version.clone());
        let lines: Vec<String> = self
            .policy()
            .sources
            .iter()
            .filter(|source| source.archive == archive || source.origin == archive)
            .map(|source| source.line.clone())
            .collect();
        let mut versions = vec![PolicyVersion { version: version.into(), priority: 500, sources: lines }];
        if let Some(installed) = installed.clone().filter(|installed| installed != version) {
            versions.push(PolicyVersion { version: installed, priority: 100, sources: Vec::new() });
        }
        self.policy().packages.retain(|package| package.name != name);
        self.policy().packages.push(PolicyPackage {
            name: name.into(),
            installed,
            candidate: Some(version.into()),
            versions,
        });
        self
    }

    pub fn packages(&mut self) -> &mut Packages {
        match &mut self.evidence.packages {
            Reading::Known(packages) => packages,
            _ => panic!("packages are known"),
        }
    }

    pub fn policy(&mut self) -> &mut AptPolicy {
        match &mut self.evidence.apt_policy {
            Reading::Known(policy) => policy,
            _ => panic!("policy is known"),
        }
    }

    pub fn config(&mut self) -> &mut AptConfig {
        match &mut self.evidence.apt_config {
            Reading::Known(config) => config,
            _ => panic!("configuration is known"),
        }
    }

    pub fn updater(&mut self) -> &mut Updater {
        match &mut self.evidence.updater {
            Reading::Known(updater) => updater,
            _ => panic!("updater is known"),
        }
    }

    pub fn updater_version(&mut self, version: &str) -> &mut Self {
        for row in &mut self.packages().rows {
            if row.name == "unattended-upgrades" {
                row.version = version.into();
            }
        }
        self
    }

    /// Depends and Provides of an installed package.
    pub fn relate(&mut self, name: &str, depends: &str, provides: &str) -> &mut Self {
        for row in self.packages().rows.iter_mut().filter(|row| graph::full_name(row) == name) {
            row.depends = depends.into();
            row.provides = provides.into();
        }
        self
    }

    pub fn hold(&mut self, names: &[&str]) -> &mut Self {
        for row in &mut self.packages().rows {
            if names.contains(&graph::full_name(row).as_str()) {
                row.status.want = 'h';
            }
        }
        for package in self.driver.packages.iter_mut().filter(|package| names.contains(&package.name.as_str())) {
            package.held = true;
            package.state = "hi".into();
        }
        self
    }

    /// A configuration entry, after the others.
    pub fn set(&mut self, key: &str, value: &str) -> &mut Self {
        self.config().entries.push((key.into(), value.into()));
        self
    }

    pub fn blacklist(&mut self, patterns: &[&str]) -> &mut Self {
        for pattern in patterns {
            self.set("Unattended-Upgrade::Package-Blacklist::", pattern);
        }
        self
    }

    pub fn pin(&mut self, packages: &str, pin: &str, priority: i64) -> &mut Self {
        let pin = Pin {
            packages: packages.split(' ').map(str::to_owned).collect(),
            pin: pin.into(),
            priority,
            file: "/etc/apt/preferences.d/nvidia".into(),
        };
        match &mut self.evidence.apt_preferences {
            Reading::Known(preferences) => preferences.pins.push(pin),
            _ => panic!("preferences are known"),
        }
        self
    }

    pub fn file(&mut self, path: &str, text: &str, name_is_read: bool) -> &mut Self {
        match &mut self.evidence.apt_files {
            Reading::Known(files) => {
                files.files.push(ConfFile { path: path.into(), name_is_read, text: Some(text.into()), denied: false });
            }
            _ => panic!("files are known"),
        }
        self
    }

    pub fn context(&self) -> HostContext {
        HostContext {
            host: "gpu-1".into(),
            now: Timestamp::from_second(1_795_300_000).unwrap(),
            now_source: NowSource::Controller,
            expect_driver: None,
            probes: ProbeId::ALL.to_vec(),
        }
    }

    /// Derives; with what was missing.
    pub fn judge(&self) -> (Protection, Vec<UnreadFact>) {
        let context = self.context();
        let look = Look::new(&self.evidence, &context);
        let protection = derive(&look, &self.driver);
        (protection, look.unread().0)
    }

    /// Runs a check's function.
    pub fn check<T>(&self, run: impl FnOnce(&Look<'_>, &Derived) -> T) -> T {
        let context = self.context();
        let look = Look::new(&self.evidence, &context);
        let derived = self.derived();
        run(&look, &derived)
    }

    /// Everything derived, with a next boot that agrees.
    pub fn derived(&self) -> Derived {
        Derived {
            driver: self.driver.clone(),
            upgrade: UpgradeStory::default(),
            protection: self.judge().0,
            next_boot: NextBoot {
                kernel: Some("5.15.0-112-generic".into()),
                certain: true,
                doubt: None,
                module_version: Reading::Known("535.183.01".into()),
                source: ModuleSource::Dkms,
                agrees: Some(true),
                sentence: String::new(),
            },
        }
    }

    /// Names of the packages in a state.
    pub fn in_state(&self, state: Protected) -> Vec<String> {
        let (protection, _) = self.judge();
        let names = |package: &PackageProtection| package.name.clone();
        protection.packages.iter().filter(|package| package.state == state).map(names).collect()
    }
}
