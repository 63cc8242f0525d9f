//! One host, described: its disk, what its kernel shows, when it booted.

use super::disk::{Disk, KERNEL};
use crate::ground::clock::days_ago;

/// Which kernel module was built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flavor {
    /// The closed one.
    Proprietary,
    /// The open one.
    Open,
}

/// What stands on the PCI bus, and what drives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gpu {
    /// No NVIDIA function.
    None,
    /// A GPU bound to this kernel driver (`nvidia`, `nouveau`, `vfio-pci`), or to none (`""`).
    Driver(&'static str),
}

/// A host to be started.
#[derive(Clone)]
pub struct Machine {
    /// Its host name.
    pub name: &'static str,
    /// Its disk.
    pub disk: Disk,
    /// The loaded module, if any.
    pub loaded: Option<(&'static str, Flavor)>,
    /// Its PCI bus.
    pub gpu: Gpu,
    /// When it booted, seconds since the epoch.
    pub booted: i64,
    /// What `uname -r` says.
    pub kernel: &'static str,
    /// Shell lines run in the host's root, with its mounts in place, before sshd starts.
    pub start: &'static str,
}

impl Machine {
    /// A host with a GPU and no module, up for 19 days.
    pub fn new(name: &'static str, disk: Disk) -> Self {
        Self { name, disk, loaded: None, gpu: Gpu::Driver(""), booted: days_ago(19), kernel: KERNEL, start: "" }
    }

    /// With a module loaded and bound to the GPU.
    pub fn loaded(mut self, version: &'static str, flavor: Flavor) -> Self {
        self.loaded = Some((version, flavor));
        self.gpu = Gpu::Driver("nvidia");
        self
    }

    /// With the closed module of this version.
    pub fn closed(self, version: &'static str) -> Self {
        self.loaded(version, Flavor::Proprietary)
    }

    /// With another PCI bus.
    pub fn gpu(mut self, gpu: Gpu) -> Self {
        self.gpu = gpu;
        self
    }

    /// With another boot time.
    pub fn booted(mut self, seconds: i64) -> Self {
        self.booted = seconds;
        self
    }

    /// With another running kernel.
    pub fn kernel(mut self, release: &'static str) -> Self {
        self.kernel = release;
        self
    }

    /// With lines that run before sshd starts.
    pub fn start(mut self, script: &'static str) -> Self {
        self.start = script;
        self
    }

    /// `/proc/driver/nvidia/version`, as the module would write it.
    pub fn proc_version(&self) -> Option<String> {
        let (version, flavor) = self.loaded?;
        let id = match flavor {
            Flavor::Proprietary => format!("NVIDIA UNIX x86_64 Kernel Module  {version}  Tue Mar 19 20:23:00 UTC 2024"),
            Flavor::Open => format!(
                "NVIDIA UNIX Open Kernel Module for x86_64  {version}  Release Build  (builder@lab)  Tue Mar 19 20:23:00 UTC 2024"
            ),
        };
        Some(format!("NVRM version: {id}\nGCC version:  gcc version 11.4.0 (Ubuntu 11.4.0-1ubuntu1~22.04) \n"))
    }

    /// Shell lines that lay out `/sys` and `/proc` under `$root`.
    pub fn hardware(&self) -> String {
        let mut lines = String::from("mkdir -p $root/sys/module $root/sys/bus/pci/devices $root/sys/bus/pci/drivers\n");
        let mut put = |path: &str, text: &str| {
            lines.push_str(&format!("mkdir -p $root{}; printf '%s\\n' '{text}' >$root{path}\n", parent(path)));
        };
        put("/sys/bus/pci/devices/0000:00:02.0/vendor", "0x1af4");
        put("/sys/bus/pci/devices/0000:00:02.0/class", "0x020000");
        put("/sys/bus/pci/devices/0000:00:02.0/device", "0x1000");
        let mut modules = String::from("ext4 999424 1 - Live 0x0000000000000000\\n");
        if let Some((version, _)) = self.loaded {
            put("/sys/module/nvidia/version", version);
            put("/sys/module/nvidia/refcnt", "8");
            put("/sys/module/nvidia_uvm/version", version);
            modules.push_str("nvidia_uvm 1523712 0 - Live 0x0000000000000000\\n");
            modules.push_str("nvidia 56823808 8 nvidia_uvm, Live 0x0000000000000000\\n");
        }
        if let Gpu::Driver(driver) = self.gpu {
            put("/sys/bus/pci/devices/0000:17:00.0/vendor", "0x10de");
            put("/sys/bus/pci/devices/0000:17:00.0/class", "0x030200");
            put("/sys/bus/pci/devices/0000:17:00.0/device", "0x2330");
            if driver == "nouveau" {
                put("/sys/module/nouveau/refcnt", "1");
                modules.push_str("nouveau 3096576 1 - Live 0x0000000000000000\\n");
            }
            if !driver.is_empty() {
                lines.push_str(&format!(
                    "mkdir -p $root/sys/bus/pci/drivers/{driver}\n\
                     ln -s ../../../../bus/pci/drivers/{driver} $root/sys/bus/pci/devices/0000:17:00.0/driver\n"
                ));
            }
        }
        lines.push_str(&format!(
            "printf '{modules}' >$root/run/lab/modules\n\
             if [ -e $root/proc/modules ]; then mount --bind $root/run/lab/modules $root/proc/modules; fi\n"
        ));
        if let Some(text) = self.proc_version() {
            lines.push_str("mkdir -p $root/proc/driver/nvidia\ncat >$root/proc/driver/nvidia/version <<'VERSION'\n");
            lines.push_str(&text);
            lines.push_str("VERSION\n");
        }
        lines
    }
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("/", |(folder, _)| folder)
}
