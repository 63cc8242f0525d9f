//! Ubuntu's driver packages, as its archive cuts them.

use super::package::{Content, Package};

/// Where native libraries live.
const LIB: &str = "usr/lib/x86_64-linux-gnu";
/// What nvidia-smi prints and how it exits, from the module and the library it finds.
const SMI: &str = include_str!("nvidia-smi.sh");

/// One driver of Ubuntu's archive.
#[derive(Debug, Clone, Copy)]
pub struct Driver {
    /// `535-server`, `550`.
    pub branch: &'static str,
    /// The upstream version.
    pub version: &'static str,
    /// The Debian revision, `0ubuntu0.22.04.1`.
    pub revision: &'static str,
    /// Whether the open kernel modules are built.
    pub open: bool,
}

impl Driver {
    /// The usual revision.
    pub const fn new(branch: &'static str, version: &'static str) -> Self {
        Self { branch, version, revision: "0ubuntu0.22.04.1", open: false }
    }

    /// With open kernel modules.
    pub const fn open(self) -> Self {
        Self { open: true, ..self }
    }

    /// With another revision.
    pub const fn revision(self, revision: &'static str) -> Self {
        Self { revision, ..self }
    }

    /// The full package version.
    pub fn full(&self) -> String {
        format!("{}-{}", self.version, self.revision)
    }

    fn licence(&self) -> &'static str {
        if self.open { "Dual MIT/GPL" } else { "NVIDIA" }
    }

    fn source_name(&self) -> String {
        let (number, server) = self.branch.split_once('-').map_or((self.branch, ""), |(n, _)| (n, "-server"));
        format!("nvidia-graphics-drivers-{number}{server}")
    }

    /// The library packages, firmware, tools and metapackages; every binary package of the source that matters here.
    pub fn packages(&self) -> Vec<Package> {
        let (b, v, up) = (self.branch, self.full(), self.version);
        let o = if self.open { "-open" } else { "" };
        let new = |name: String| Package::new(name, &v).source(self.source_name());
        let lib = |part: &str| new(format!("libnvidia-{part}-{b}"));
        let ldconfig = "activate-noawait ldconfig\n";
        vec![
            compute(new(format!("libnvidia-compute-{b}")), LIB, up),
            lib("cfg1").library(LIB, "libnvidia-cfg", up).script("triggers", ldconfig),
            lib("common").text(format!("usr/share/nvidia/nvidia-application-profiles-{up}-rc"), "{}\n"),
            lib("decode").depends(format!("libnvidia-compute-{b} (= {v})")).library(LIB, "libnvcuvid", up),
            lib("encode").depends(format!("libnvidia-decode-{b} (= {v})")).library(LIB, "libnvidia-encode", up),
            lib("extra").depends(format!("libnvidia-compute-{b} (= {v})")),
            lib("fbc1").depends(format!("libnvidia-gl-{b} (= {v})")).library(LIB, "libnvidia-fbc", up),
            lib("gl").depends(format!("libnvidia-common-{b}")),
            new(format!("nvidia-utils-{b}"))
                .depends(format!("libnvidia-compute-{b}"))
                .program("usr/bin/nvidia-smi", SMI.replace("@VERSION@", up)),
            new(format!("nvidia-compute-utils-{b}"))
                .depends(format!("libnvidia-compute-{b}"))
                .program("usr/bin/nvidia-persistenced", "#!/bin/sh\nexit 1\n")
                .text(
                    "lib/systemd/system/nvidia-persistenced.service",
                    "[Unit]\nDescription=NVIDIA Persistence Daemon\nStopWhenUnneeded=true\n\n\
                     [Service]\nType=forking\nExecStart=/usr/bin/nvidia-persistenced --user nvidia-persistenced --no-persistence-mode\n",
                ),
            new(format!("nvidia-kernel-common-{b}"))
                .depends(format!("nvidia-firmware-{b}-{up}"))
                .field("Provides", "nvidia-kernel-common")
                .text(format!("lib/modprobe.d/nvidia-graphics-drivers-{b}.conf"), "options nvidia NVreg_TemporaryFilePath=/var\n"),
            new(format!("nvidia-firmware-{b}-{up}")).text(format!("lib/firmware/nvidia/{up}/gsp_tu10x.bin"), "gsp\n"),
            new(format!("nvidia-kernel-source-{b}{o}")).depends(format!("nvidia-kernel-common-{b} (= {v})")),
            self.dkms(),
            new(format!("nvidia-driver-{b}{o}")).depends(format!(
                "libnvidia-gl-{b} (= {v}), libnvidia-extra-{b} (= {v}), libnvidia-compute-{b} (= {v}), \
                 libnvidia-decode-{b} (= {v}), libnvidia-encode-{b} (= {v}), libnvidia-fbc1-{b} (= {v}), \
                 libnvidia-cfg1-{b} (= {v}), nvidia-compute-utils-{b} (= {v}), nvidia-utils-{b} (= {v}), \
                 xserver-xorg-video-nvidia-{b} (= {v}), nvidia-kernel-source-{b}{o} (= {v}), \
                 nvidia-kernel-common-{b} (<= {up}-1), nvidia-kernel-common-{b} (>= {up}), \
                 nvidia-dkms-{b}{o} (<= {up}-1) | nvidia-prebuilt-modules, nvidia-dkms-{b}{o} (>= {up}) | nvidia-prebuilt-modules"
            )),
            new(format!("xserver-xorg-video-nvidia-{b}")),
        ]
    }

    /// The package that builds the module on the host, with Debian's own dkms. Its module comes ready made.
    pub fn dkms(&self) -> Package {
        let (b, v, up) = (self.branch, self.full(), self.version);
        let o = if self.open { "-open" } else { "" };
        let name = if b.ends_with("-server") { "nvidia-srv" } else { "nvidia" };
        let folder = format!("usr/src/{name}-{up}");
        let module = Content::Module {
            name: "nvidia".into(),
            version: up.into(),
            license: self.licence().into(),
            kernel: "any".into(),
        };
        let conf = format!(
            "PACKAGE_NAME=\"{name}\"\nPACKAGE_VERSION=\"{up}\"\nAUTOINSTALL=\"yes\"\n\
             MAKE[0]=\"cp ready/nvidia.ko nvidia.ko\"\nCLEAN=\"true\"\n\
             BUILT_MODULE_NAME[0]=\"nvidia\"\nDEST_MODULE_LOCATION[0]=\"/kernel/drivers/char/drm\"\n"
        );
        Package::new(format!("nvidia-dkms-{b}{o}"), &v)
            .source(self.source_name())
            .depends(format!(
                "dkms, nvidia-kernel-source-{b}{o} (= {v}), nvidia-kernel-common-{b} (<= {up}-1), nvidia-kernel-common-{b} (>= {up})"
            ))
            .text(format!("{folder}/dkms.conf"), conf)
            .file(format!("{folder}/ready/nvidia.ko"), module)
            .script(
                "postinst",
                format!(
                    "#!/bin/sh\nset -e\n[ \"$1\" = configure ] || exit 0\n\
                     dkms add -m {name} -v {up} >/dev/null 2>&1 || true\n\
                     for build in /lib/modules/*/build; do\n    [ -e \"$build/include\" ] || continue\n\
                     \x20   k=${{build%/build}}\n    k=${{k##*/}}\n\
                     \x20   dkms build -m {name} -v {up} -k \"$k\" >/dev/null\n\
                     \x20   dkms install --force -m {name} -v {up} -k \"$k\" >/dev/null\ndone\n"
                ),
            )
            .script(
                "prerm",
                format!(
                    "#!/bin/sh\nset -e\ncase $1 in\n    remove|upgrade|deconfigure)\n        \
                     dkms remove -m {name} -v {up} --all >/dev/null 2>&1 || true\n        ;;\nesac\n"
                ),
            )
    }

    /// The prebuilt modules for one kernel. `revision` is the rebuild: `""`, `"+1"`.
    pub fn prebuilt(&self, kernel: &str, revision: &str) -> Package {
        let (b, up) = (self.branch, self.version);
        let o = if self.open { "-open" } else { "" };
        let (base, rest) = kernel.split_once('-').expect("a kernel release has a dash");
        let (abi, _) = rest.split_once('-').expect("and a flavour");
        let version = format!("{base}-{abi}.{}{revision}", abi.parse::<u32>().expect("a number") + 10);
        let folder = format!("{}{}", b.replace("-server", "srv"), o);
        Package::new(format!("linux-modules-nvidia-{b}{o}-{kernel}"), version)
            .source(format!("linux-restricted-modules ({base}-{abi})"))
            .depends(format!("linux-image-{kernel}, nvidia-kernel-common-{b} (>= {up})"))
            .field("Provides", "nvidia-prebuilt-modules")
            .file(
                format!("lib/modules/{kernel}/kernel/nvidia-{folder}/nvidia.ko"),
                Content::Module {
                    name: "nvidia".into(),
                    version: up.into(),
                    license: self.licence().into(),
                    kernel: kernel.into(),
                },
            )
            .script("postinst", format!("#!/bin/sh\nset -e\n[ \"$1\" = configure ] || exit 0\ndepmod {kernel}\n"))
    }

    /// The 32-bit twin of the library package.
    pub fn compute_i386(&self) -> Package {
        let name = format!("libnvidia-compute-{}", self.branch);
        let package =
            Package::new(name, self.full()).source(self.source_name()).arch("i386").field("Multi-Arch", "same");
        package.library("usr/lib/i386-linux-gnu", "libnvidia-ml", self.version)
    }

    /// The fabric manager of this version.
    pub fn fabric_manager(&self) -> Package {
        let number = self.branch.split('-').next().unwrap_or(self.branch);
        Package::new(format!("nvidia-fabricmanager-{number}"), self.full())
            .source(format!("fabric-manager-{number}"))
            .program(
                "usr/bin/nv-fabricmanager",
                format!("#!/bin/sh\necho 'Fabric Manager version is : {}'\n", self.version),
            )
            .text(
                "lib/systemd/system/nvidia-fabricmanager.service",
                "[Unit]\nDescription=NVIDIA fabric manager service\n\n[Service]\nType=forking\n\
                 ExecStart=/usr/bin/nv-fabricmanager -c /usr/share/nvidia/nvswitch/fabricmanager.cfg\n\n\
                 [Install]\nWantedBy=multi-user.target\n",
            )
    }
}

/// The library package itself: libnvidia-ml and libcuda.
fn compute(package: Package, folder: &str, version: &str) -> Package {
    package
        .field("Provides", "libnvidia-compute, libnvidia-ml1, libcuda1, libcuda-12.2-1")
        .field("Conflicts", "libnvidia-compute")
        .field("Replaces", "libnvidia-compute")
        .field("Multi-Arch", "same")
        .library(folder, "libnvidia-ml", version)
        .library(folder, "libcuda", version)
        .script("triggers", "activate-noawait ldconfig\n")
}
