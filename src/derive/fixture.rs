//! Evidence for tests: a healthy host, changed fact by fact.

use jiff::civil::DateTime;
use jiff::{SignedDuration, Timestamp};

use crate::check::{Finding, HostContext, Look, NowSource, Run, UnreadFact};
use crate::derive::Derived;
use crate::evidence::Evidence;
use crate::probe::apt_history::{Action, AptHistory, Item, Stanza};
use crate::probe::boot::Boot;
use crate::probe::clock::Clock;
use crate::probe::dpkg_log::{DpkgAction, DpkgEvent, DpkgLog};
use crate::probe::kernels::{Kernel, Kernels, ModuleFile};
use crate::probe::library::{Libraries, LibraryFile};
use crate::probe::module::{Flavor, LoadedModule, Modules};
use crate::probe::nvidia_smi::{NvidiaSmi, SmiState};
use crate::probe::packages::{Package, Packages, Status};
use crate::probe::pci::{Gpu, Pci};
use crate::probe::system::{PackageManager, System};
use crate::probe::updater_log::UpdaterLog;
use crate::probe::{ProbeId, updater};
use crate::reading::{Reading, Reason, Unread};

pub(crate) const OLD: &str = "535.171.04";
pub(crate) const NEW: &str = "535.183.01";
pub(crate) const REVISION: &str = "-0ubuntu0.22.04.1";
pub(crate) const RUNNING: &str = "5.15.0-112-generic";

/// The fifteen packages of an Ubuntu compute node with DKMS.
pub(crate) const NAMES: [&str; 15] = [
    "libnvidia-cfg1-535",
    "libnvidia-common-535",
    "libnvidia-compute-535",
    "libnvidia-decode-535",
    "libnvidia-encode-535",
    "libnvidia-extra-535",
    "libnvidia-fbc1-535",
    "libnvidia-gl-535",
    "nvidia-compute-utils-535",
    "nvidia-dkms-535",
    "nvidia-driver-535",
    "nvidia-kernel-common-535",
    "nvidia-kernel-source-535",
    "nvidia-utils-535",
    "xserver-xorg-video-nvidia-535",
];

/// A host's evidence and circumstances.
#[derive(Debug, Clone)]
pub(crate) struct Fixture {
    pub evidence: Evidence,
    pub context: HostContext,
}

pub(crate) fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

pub(crate) fn local(text: &str) -> DateTime {
    text.parse().unwrap()
}

/// A package row of an Ubuntu driver at a version.
pub(crate) fn package(name: &str, version: &str, letters: &str) -> Package {
    let mut letters = letters.chars();
    Package {
        name: name.to_owned(),
        arch: "amd64".to_owned(),
        native: true,
        version: version.to_owned(),
        status: Status {
            want: letters.next().unwrap_or('i'),
            state: letters.next().unwrap_or('i'),
            error: letters.next() == Some('R'),
        },
        source: "nvidia-graphics-drivers-535".to_owned(),
        ..Package::default()
    }
}

pub(crate) fn item(action: Action, name: &str, old: Option<&str>, new: Option<&str>) -> Item {
    let full = |version: &str| format!("{version}{REVISION}");
    Item { action, name: name.to_owned(), arch: "amd64".to_owned(), old: old.map(full), new: new.map(full) }
}

/// A finished stanza that lasts a minute.
pub(crate) fn stanza(start: &str, command: &str, items: Vec<Item>) -> Stanza {
    let start = local(start);
    Stanza {
        start,
        end: Some(start.saturating_add(SignedDuration::from_mins(1))),
        commandline: (!command.is_empty()).then(|| command.to_owned()),
        requested_by: None,
        items,
        error: None,
        file: "/var/log/apt/history.log".to_owned(),
    }
}

/// One stanza that upgrades all fifteen packages.
pub(crate) fn upgrade_of_all(start: &str, command: &str, old: &str, new: &str) -> Stanza {
    stanza(start, command, NAMES.iter().map(|name| item(Action::Upgrade, name, Some(old), Some(new))).collect())
}

pub(crate) fn event(when: &str, action: DpkgAction, name: &str, old: Option<&str>, new: Option<&str>) -> DpkgEvent {
    let full = |version: &str| format!("{version}{REVISION}");
    DpkgEvent {
        at: local(when),
        action,
        name: name.to_owned(),
        arch: "amd64".to_owned(),
        old: old.map(full),
        new: new.map(full),
    }
}

pub(crate) fn kernel(release: &str, module: Option<&str>) -> Kernel {
    let file = |version: &str| ModuleFile {
        name: "nvidia".to_owned(),
        version: version.to_owned(),
        path: format!("/lib/modules/{release}/updates/dkms/nvidia.ko"),
    };
    Kernel {
        release: release.to_owned(),
        image: true,
        module: module.map_or(Reading::Absent, |v| Reading::Known(file(v))),
    }
}

pub(crate) fn library_file(version: &str) -> LibraryFile {
    let link = "/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1".to_owned();
    let target = format!("/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.{version}");
    LibraryFile { link, target, version: Reading::Known(version.to_owned()), changed_at: None }
}

pub(crate) fn loaded(version: &str) -> LoadedModule {
    LoadedModule {
        version: Reading::Known(version.to_owned()),
        flavor: Some(Flavor::Proprietary),
        source: "/proc/driver/nvidia/version".to_owned(),
        line: format!("NVRM version: NVIDIA UNIX x86_64 Kernel Module  {version}  Sun May 12 19:39:15 UTC 2024"),
        refcount: Some(8),
        loaded_at: None,
    }
}

impl Fixture {
    /// An Ubuntu 22.04 compute node in UTC: one GPU, driver 535.171.04 by DKMS, booted 19 days before now, loaded and
    /// library equal, journals that reach back a year and record nothing.
    pub(crate) fn healthy() -> Self {
        let silence = Unread::new(Reason::NotSupported, "not part of this test");
        let mut evidence = Evidence::unread(&silence);
        evidence.system = Reading::Known(System {
            node_name: "gpu-1".into(),
            machine: "x86_64".into(),
            os_id: "ubuntu".into(),
            os_version: "22.04".into(),
            os_codename: "jammy".into(),
            os_name: "Ubuntu 22.04.4 LTS".into(),
            package_manager: PackageManager::Dpkg,
            dpkg_arch: "amd64".into(),
            ..System::default()
        });
        evidence.clock =
            Reading::Known(Clock { now: at("2026-12-01T09:00:00Z"), utc_offset: 0, zone: Some("UTC".into()) });
        evidence.boot = Reading::Known(Boot {
            booted_at: at("2026-11-12T09:00:00Z"),
            uptime_seconds: Some(19 * 86_400),
            uptime_since: "2026-11-12 09:00:00".into(),
        });
        evidence.module =
            Reading::Known(Modules { nvidia: Reading::Known(loaded(OLD)), nouveau: false, satellites: vec![] });
        let gpu = Gpu { address: "0000:3b:00.0".into(), device: "2330".into(), driver: Some("nvidia".into()) };
        evidence.pci = Reading::Known(Pci { gpus: vec![gpu], nvswitches: 0 });
        evidence.kernels = Reading::Known(Kernels {
            running: RUNNING.into(),
            installed: vec![kernel(RUNNING, Some(OLD))],
            grub_default: None,
            saved_entry: None,
            no_local_images: false,
            images_unread: None,
            saved_unread: None,
        });
        evidence.updater = Reading::Known(updater::Updater::default());
        let oldest = Some(local("2025-12-03T00:00:00"));
        evidence.apt_history = Reading::Known(AptHistory { reaches_back_to: oldest, ..AptHistory::default() });
        evidence.dpkg_log = Reading::Absent;
        evidence.updater_log = Reading::Known(UpdaterLog { reaches_back_to: oldest, ..UpdaterLog::default() });
        evidence.dkms = Reading::Known(crate::probe::dkms::Dkms::default());
        evidence.modprobe = Reading::Known(crate::probe::modprobe::Modprobe::default());
        evidence.reboot_required = Reading::Absent;
        evidence.kernel_log = Reading::Known(crate::probe::kernel_log::KernelLog::default());
        evidence.persistenced = Reading::Absent;
        evidence.fabricmanager = Reading::Absent;
        evidence.nvidia_smi = Reading::Known(NvidiaSmi {
            state: SmiState::Ok,
            exit: Some(0),
            driver_version: Some(OLD.into()),
            gpus: 1,
            models: vec!["NVIDIA H100 80GB HBM3".into()],
            line: OLD.into(),
        });
        let context = HostContext {
            host: "gpu-1".into(),
            now: at("2026-12-01T09:00:00Z"),
            now_source: NowSource::Controller,
            expect_driver: None,
            probes: ProbeId::ALL.to_vec(),
        };
        Self { evidence, context }.library(OLD)
    }

    /// The same host after its updater replaced fifteen packages three days ago.
    pub(crate) fn half_upgraded() -> Self {
        let command = "/usr/bin/unattended-upgrade";
        Self::healthy()
            .library(NEW)
            .modules(NEW)
            .stanzas(vec![upgrade_of_all("2026-11-28T06:12:04", command, OLD, NEW)])
            .with(|evidence| {
                evidence.nvidia_smi = smi(SmiState::Mismatch(Some("535.183".into())), 18);
            })
    }

    /// Changes evidence.
    pub(crate) fn with(mut self, change: impl FnOnce(&mut Evidence)) -> Self {
        change(&mut self.evidence);
        self
    }

    /// Changes circumstances.
    pub(crate) fn given(mut self, change: impl FnOnce(&mut HostContext)) -> Self {
        change(&mut self.context);
        self
    }

    /// Library file and packages at a version.
    pub(crate) fn library(self, version: &str) -> Self {
        let full = format!("{version}{REVISION}");
        self.with(|evidence| {
            evidence.library =
                Reading::Known(Libraries { host: Reading::Known(library_file(version)), container: Reading::Absent });
            let rows = NAMES.iter().map(|name| package(name, &full, "ii")).collect();
            evidence.packages = Reading::Known(Packages { rows });
        })
    }

    /// The running kernel's module file at a version.
    pub(crate) fn modules(self, version: &str) -> Self {
        self.kernels(vec![kernel(RUNNING, Some(version))])
    }

    /// The installed kernels.
    pub(crate) fn kernels(self, installed: Vec<Kernel>) -> Self {
        self.with(|evidence| {
            if let Reading::Known(kernels) = &mut evidence.kernels {
                kernels.installed = installed;
            }
        })
    }

    /// apt's journal, a year long.
    pub(crate) fn stanzas(self, stanzas: Vec<Stanza>) -> Self {
        self.with(|evidence| {
            if let Reading::Known(history) = &mut evidence.apt_history {
                history.stanzas = stanzas;
            }
        })
    }

    /// dpkg's journal, a year long.
    pub(crate) fn events(self, events: Vec<DpkgEvent>) -> Self {
        self.with(|evidence| {
            let reaches_back_to = Some(local("2025-12-03T00:00:00"));
            evidence.dpkg_log = Reading::Known(DpkgLog { events, reaches_back_to, unread_files: vec![] });
        })
    }

    /// The loaded module, or none.
    pub(crate) fn loaded(self, module: Option<LoadedModule>) -> Self {
        self.with(|evidence| {
            let nvidia = module.map_or(Reading::Absent, Reading::Known);
            evidence.module = Reading::Known(Modules { nvidia, nouveau: false, satellites: vec![] });
        })
    }

    /// Everything derived, and what stood in the way: load-bearing, then not.
    pub(crate) fn derived(&self) -> (Derived, Vec<UnreadFact>, Vec<UnreadFact>) {
        let look = Look::new(&self.evidence, &self.context);
        let derived = Derived::from(&look);
        let (needed, hinted) = look.unread();
        (derived, needed, hinted)
    }

    /// What one check finds.
    pub(crate) fn check(&self, id: &str) -> Vec<Finding> {
        let look = Look::new(&self.evidence, &self.context);
        let derived = Derived::from(&look);
        let check = crate::check::ALL.iter().find(|check| check.id == id).unwrap_or_else(|| panic!("no check `{id}`"));
        match check.run {
            Run::Host(run) => run(&look, &derived),
            Run::Fleet(_) => panic!("`{id}` judges fleets"),
        }
    }

    /// The load-bearing facts that are missing, as `probe: reason`, for one part of judgement.
    pub(crate) fn missing(&self, judge: impl FnOnce(&Look<'_>)) -> Vec<String> {
        let look = Look::new(&self.evidence, &self.context);
        judge(&look);
        look.unread().0.into_iter().map(|fact| format!("{}: {}", fact.what, fact.why.reason)).collect()
    }
}

pub(crate) fn smi(state: SmiState, exit: i32) -> Reading<NvidiaSmi> {
    Reading::Known(NvidiaSmi {
        state,
        exit: Some(exit),
        driver_version: None,
        gpus: 0,
        models: vec![],
        line: "Failed to initialize NVML: Driver/library version mismatch".into(),
    })
}
