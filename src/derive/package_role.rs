//! Which packages are the driver, by an allow-list: much else is called `nvidia`, and some of the driver is not.
//!
//! Names come with a branch (`-535`), a flavour (`-server`, `-open`), a Debian variant (`-tesla-470`, `-legacy-390xx`)
//! or, since branch 590, with none of them. The branch in a name is never taken for the version: a transitional package
//! carries the next branch's.

use crate::derive::driver::Role;
use crate::derive::version;

/// Names without branch, flavour and variant, by part. The library itself is what holds libnvidia-ml.
const NAMES: &[(Role, &[&str])] = &[
    (Role::Library, &["libnvidia-compute", "libnvidia-ml1"]),
    (
        Role::Meta,
        &[
            "cuda-drivers",
            "cuda-drivers-fabricmanager",
            "nvidia-driver",
            "nvidia-driver-cuda",
            "nvidia-driver-full",
            "nvidia-headless",
            "nvidia-headless-no-dkms",
            "nvidia-open",
        ],
    ),
    (
        Role::DkmsSource,
        &[
            "nvidia-dkms",
            "nvidia-kernel-dkms",
            "nvidia-kernel-open-dkms",
            "nvidia-kernel-source",
            "nvidia-open-kernel-dkms",
            "nvidia-open-kernel-source",
        ],
    ),
    (
        Role::FabricManager,
        &["libnvidia-nscq", "libnvsdm", "nvidia-fabric-manager", "nvidia-fabricmanager", "nvidia-imex"],
    ),
    (
        Role::Userspace,
        &[
            "libcuda1",
            "libcudadebugger1",
            "libnvcuvid1",
            "libnvidia-allocator1",
            "libnvidia-api1",
            "libnvidia-cbl",
            "libnvidia-cfg1",
            "libnvidia-common",
            "libnvidia-compiler",
            "libnvidia-cuda1",
            "libnvidia-cudadebugger1",
            "libnvidia-decode",
            "libnvidia-eglcore",
            "libnvidia-encode",
            "libnvidia-encode1",
            "libnvidia-extra",
            "libnvidia-fatbinaryloader",
            "libnvidia-fbc1",
            "libnvidia-gl",
            "libnvidia-glcore",
            "libnvidia-glvkspirv",
            "libnvidia-gpucomp",
            "libnvidia-ifr1",
            "libnvidia-ngx1",
            "libnvidia-nvcuvid1",
            "libnvidia-nvoptix1",
            "libnvidia-nvvm4",
            "libnvidia-nvvm70",
            "libnvidia-opticalflow1",
            "libnvidia-pkcs11",
            "libnvidia-pkcs11-openssl3",
            "libnvidia-ptxjitcompiler1",
            "libnvidia-rtcore",
            "libnvidia-sandboxutils",
            "libnvoptix1",
            "nvidia-alternative",
            "nvidia-compute-utils",
            "nvidia-cuda-mps",
            "nvidia-driver-bin",
            "nvidia-driver-libs",
            "nvidia-driver-libs-i386",
            "nvidia-driver-libs-nonglvnd",
            "nvidia-egl-common",
            "nvidia-egl-icd",
            "nvidia-kernel-common",
            "nvidia-kernel-support",
            "nvidia-opencl-common",
            "nvidia-opencl-icd",
            "nvidia-powerd",
            "nvidia-smi",
            "nvidia-suspend-common",
            "nvidia-utils",
            "nvidia-vdpau-driver",
            "nvidia-vulkan-common",
            "nvidia-vulkan-icd",
            "xserver-xorg-video-nvidia",
        ],
    ),
];

/// Beginnings that stand for a part whatever follows.
const BEGINNINGS: &[(Role, &[&str])] = &[
    (Role::Firmware, &["nvidia-firmware", "firmware-nvidia-gsp"]),
    // A vGPU guest's one package holds everything.
    (Role::Library, &["nvidia-linux-grid-", "nvidia-vgpu-"]),
    (Role::OwnVersion, &["nvidia-settings", "libnvidia-egl-"]),
    (
        Role::Userspace,
        &[
            "libegl-nvidia",
            "libegl1-nvidia",
            "libgl1-nvidia-",
            "libgles-nvidia",
            "libgles1-nvidia",
            "libgles2-nvidia",
            "libglx-nvidia",
        ],
    ),
];

/// Ship with a driver and move at their own pace.
const OWN_VERSION: &[&str] =
    &["glx-alternative-nvidia", "libxnvctrl0", "nvidia-modprobe", "nvidia-persistenced", "nvidia-xconfig"];

/// The part of the driver a dpkg package is; `None` when it is no part of it.
pub fn dpkg(name: &str, full_version: &str) -> Option<Role> {
    let role = by_name(name)?;
    let moves_with_driver = version::is_driver(version::upstream(full_version));
    // Debian's nvidia-kernel-common is dated, not versioned: the same name is the driver's elsewhere.
    Some(if role != Role::KernelModule && !moves_with_driver { Role::OwnVersion } else { role })
}

fn by_name(name: &str) -> Option<Role> {
    if is_prebuilt_module(name) {
        return Some(Role::KernelModule);
    }
    if ["-dev", "-doc", "-dbg", "-dbgsym"].iter().any(|end| name.ends_with(end)) || name.contains("-dev-") {
        return None;
    }
    if OWN_VERSION.contains(&name) {
        return Some(Role::OwnVersion);
    }
    if is_monolith(name) {
        return Some(Role::Library);
    }
    let plain = without_variant(name);
    if let Some((role, _)) = BEGINNINGS.iter().find(|(_, starts)| starts.iter().any(|start| plain.starts_with(start))) {
        return Some(*role);
    }
    let without_flavour = strip_flavour(&plain);
    let candidates = [&plain, without_flavour, strip_branch(&plain), strip_branch(without_flavour)];
    NAMES.iter().find(|(_, names)| candidates.iter().any(|name| names.contains(name))).map(|(role, _)| *role)
}

/// `linux-modules-nvidia-535-5.15.0-112-generic`, its objects and signatures; never `linux-modules-nvidia-fs-...`.
fn is_prebuilt_module(name: &str) -> bool {
    let digit_after =
        |start: &str| name.strip_prefix(start).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    ["linux-modules-nvidia-", "linux-objects-nvidia-", "linux-signatures-nvidia-", "nvidia-kernel-"]
        .iter()
        .any(|start| digit_after(start))
}

/// `nvidia-384`, `nvidia-304-updates`, `nvidia-current`: one package for everything, before the split.
fn is_monolith(name: &str) -> bool {
    let Some(rest) = name.strip_prefix("nvidia-") else { return false };
    let rest = rest.strip_suffix("-updates").unwrap_or(rest);
    rest == "current" || (rest.len() == 3 && rest.bytes().all(|b| b.is_ascii_digit()))
}

/// The name without `-tesla`, `-tesla-470` or `-legacy-390xx`.
fn without_variant(name: &str) -> String {
    let parts: Vec<&str> = name.split('-').collect();
    let mut kept: Vec<&str> = Vec::with_capacity(parts.len());
    let mut rest = parts.as_slice();
    while let [part, tail @ ..] = rest {
        rest = match (*part, tail) {
            ("tesla", [branch, after @ ..]) if is_branch(branch) => after,
            ("tesla", after) => after,
            ("legacy", [branch, after @ ..]) if branch.strip_suffix("xx").is_some_and(is_branch) => after,
            _ => {
                kept.push(part);
                tail
            }
        };
    }
    kept.join("-")
}

fn is_branch(word: &str) -> bool {
    word.len() == 3 && word.bytes().all(|b| b.is_ascii_digit())
}

fn strip_flavour(name: &str) -> &str {
    ["-server-open", "-server", "-open"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name)
}

fn strip_branch(name: &str) -> &str {
    match name.rsplit_once('-') {
        Some((head, tail)) if is_branch(tail) => head,
        _ => name,
    }
}

/// The part of the driver an rpm package is.
pub fn rpm(name: &str) -> Option<Role> {
    if OWN_VERSION.contains(&name) || name.starts_with("nvidia-settings") {
        return Some(Role::OwnVersion);
    }
    if name.ends_with("-devel") {
        return None;
    }
    if name.starts_with("nvidia-linux-grid-") || name.starts_with("nvidia-vgpu-") {
        return Some(Role::Library);
    }
    if (name.starts_with("kmod-nvidia") && name.contains("dkms"))
        || name.starts_with("akmod-nvidia")
        || name == "dkms-nvidia"
        || name.ends_with("nvidia-kmodsrc")
    {
        return Some(Role::DkmsSource);
    }
    if name.starts_with("kmod-nvidia") || (name.starts_with("nvidia-") && name.contains("-kmp-")) {
        return Some(Role::KernelModule);
    }
    let plain = rpm_plain(name);
    let is = |names: &[&str]| names.contains(&plain.as_str());
    if is(&[
        "libnvidia-ml",
        "nvidia-driver-NVML",
        "xorg-x11-drv-nvidia-cuda-libs",
        "nvidia-x11-drv-libs",
        "nvidia-compute",
    ]) {
        return Some(Role::Library);
    }
    if is(&["cuda-drivers", "nvidia-driver", "nvidia-open", "xorg-x11-drv-nvidia", "nvidia-x11-drv"]) {
        return Some(Role::Meta);
    }
    if is(&["nvidia-fabricmanager", "nvidia-fabric-manager", "nvidia-imex", "libnvidia-nscq", "libnvsdm"]) {
        return Some(Role::FabricManager);
    }
    let starts = ["nvidia-driver-", "xorg-x11-drv-nvidia-", "libnvidia-cfg", "libnvidia-fbc", "libnvidia-gpucomp"];
    let userspace =
        is(&["nvidia-kmod-common", "nvidia-compute-utils", "nvidia-gl", "nvidia-video", "cuda-drivers-fabricmanager"]);
    let not = ["nvidia-driver-assistant", "nvidia-driver-local-repo"].iter().any(|start| name.starts_with(start));
    (userspace || (!not && starts.iter().any(|start| plain.starts_with(start)))).then_some(Role::Userspace)
}

/// Without stream (`-latest-dkms`, `-branch-470`), SUSE generation (`-G06`) and branch.
fn rpm_plain(name: &str) -> String {
    let name = name.replace("-latest-dkms", "").replace("-latest", "").replace("-open-dkms", "");
    let parts: Vec<&str> = name.split('-').collect();
    let mut kept: Vec<&str> = Vec::with_capacity(parts.len());
    for part in parts {
        let generation = part.len() == 3 && part.starts_with("G0");
        if part != "branch" && !generation && !is_branch(part) {
            kept.push(part);
        }
    }
    kept.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn each(role: Option<Role>, version: &str, names: &[&str]) {
        for name in names {
            assert_eq!(dpkg(name, version), role, "{name}");
        }
    }

    #[test]
    fn ubuntu_names() {
        let version = "535.183.01-0ubuntu0.22.04.1";
        each(
            Some(Role::Library),
            version,
            &["libnvidia-compute-535", "libnvidia-compute-535-server", "libnvidia-compute"],
        );
        each(
            Some(Role::Userspace),
            version,
            &[
                "libnvidia-cfg1-535",
                "libnvidia-common-535-server",
                "libnvidia-decode",
                "libnvidia-gl-535",
                "nvidia-utils-535",
                "nvidia-compute-utils-535-server",
                "nvidia-kernel-common-535",
                "xserver-xorg-video-nvidia-535",
                "libcuda1-384",
            ],
        );
        each(
            Some(Role::Meta),
            version,
            &[
                "nvidia-driver-535",
                "nvidia-driver-535-open",
                "nvidia-driver-535-server-open",
                "nvidia-headless-no-dkms-535-server",
                "nvidia-driver-open",
            ],
        );
        each(
            Some(Role::DkmsSource),
            version,
            &["nvidia-dkms-535", "nvidia-dkms-535-server-open", "nvidia-kernel-source-535-open", "nvidia-dkms-open"],
        );
        each(Some(Role::Firmware), version, &["nvidia-firmware-535-535.183.01", "nvidia-firmware"]);
    }

    #[test]
    fn prebuilt_modules_by_name_whatever_the_version() {
        each(
            Some(Role::KernelModule),
            "5.15.0-112.122+1",
            &[
                "linux-modules-nvidia-535-5.15.0-112-generic",
                "linux-modules-nvidia-535-server-open-generic",
                "linux-objects-nvidia-535-5.15.0-112-generic",
                "linux-signatures-nvidia-5.15.0-112-generic",
            ],
        );
    }

    #[test]
    fn repository_of_nvidia_itself() {
        let version = "550.54.15-1";
        each(Some(Role::Meta), version, &["cuda-drivers", "cuda-drivers-550", "cuda-drivers-fabricmanager-550"]);
        each(Some(Role::Meta), version, &["nvidia-open", "nvidia-open-550", "nvidia-driver-cuda"]);
        each(
            Some(Role::FabricManager),
            version,
            &["nvidia-fabricmanager-550", "nvidia-imex-550", "libnvidia-nscq-550", "libnvsdm-550", "nvidia-imex"],
        );
        each(
            Some(Role::OwnVersion),
            version,
            &["nvidia-persistenced", "nvidia-modprobe", "nvidia-settings", "libxnvctrl0"],
        );
    }

    #[test]
    fn debian_names_and_variants() {
        let version = "535.183.01-1~deb12u1";
        each(Some(Role::Library), version, &["libnvidia-ml1", "libnvidia-tesla-535-ml1", "libnvidia-legacy-390xx-ml1"]);
        each(
            Some(Role::Userspace),
            version,
            &[
                "libcuda1",
                "libnvidia-tesla-535-cuda1",
                "libnvidia-tesla-cuda1",
                "nvidia-smi",
                "nvidia-tesla-470-smi",
                "libgl1-nvidia-glvnd-glx",
                "libegl-nvidia0",
                "libglx-nvidia-tesla-470-0",
                "nvidia-alternative",
                "nvidia-legacy-390xx-alternative",
                "xserver-xorg-video-nvidia-tesla-470",
                "nvidia-kernel-support",
            ],
        );
        each(
            Some(Role::DkmsSource),
            version,
            &["nvidia-kernel-dkms", "nvidia-tesla-470-kernel-dkms", "nvidia-kernel-open-dkms"],
        );
        each(Some(Role::Meta), version, &["nvidia-driver", "nvidia-tesla-470-driver", "nvidia-legacy-390xx-driver"]);
        each(Some(Role::Firmware), version, &["firmware-nvidia-gsp", "firmware-nvidia-tesla-535-gsp"]);
        assert_eq!(dpkg("nvidia-kernel-common", "20220217+3~deb12u1"), Some(Role::OwnVersion));
    }

    #[test]
    fn monoliths_and_virtual_gpu_guests_are_the_library() {
        each(Some(Role::Library), "384.130-0ubuntu0.16.04.2", &["nvidia-384", "nvidia-304-updates", "nvidia-current"]);
        each(Some(Role::Library), "535.247.01", &["nvidia-linux-grid-535", "nvidia-vgpu-ubuntu-535"]);
    }

    #[test]
    fn look_alikes_are_not_the_driver() {
        let names = [
            "nvidia-container-toolkit",
            "nvidia-container-toolkit-base",
            "libnvidia-container1",
            "libnvidia-container-tools",
            "nvidia-docker2",
            "nvidia-cuda-toolkit",
            "nvidia-cuda-dev",
            "nvidia-prime",
            "screen-resolution-extra",
            "nvidia-driver-local-repo-ubuntu2204-535.183.01",
            "cuda-repo-ubuntu2004",
            "cuda-toolkit-12-4",
            "cuda-compat-12-4",
            "nsight-compute-2024.1.1",
            "nvidia-l4t-core",
            "xserver-xorg-video-nouveau",
            "linux-image-nvidia-hwe-24.04",
            "linux-image-6.8.0-1015-nvidia",
            "linux-modules-6.8.0-1015-nvidia",
            "linux-modules-nvidia-fs-5.15.0-112-generic",
            "linux-nvidia",
            "nvidia-fs-dkms",
            "nvidia-detect",
            "nvidia-535-dev",
            "libnvidia-ml-dev",
            "nvidia-fabricmanager-dev-535",
            "nvidia-driver-pinning-580",
            "nvidia-driver-assistant",
            "firmware-nvidia-graphics",
            "dkms",
            "nvidia-",
            "",
        ];
        each(None, "535.183.01-0ubuntu1", &names);
    }

    #[test]
    fn rpm_names() {
        for (name, role) in [
            ("kmod-nvidia-latest-dkms", Some(Role::DkmsSource)),
            ("kmod-nvidia-open-dkms", Some(Role::DkmsSource)),
            ("akmod-nvidia", Some(Role::DkmsSource)),
            ("kmod-nvidia-535.183.01", Some(Role::KernelModule)),
            ("nvidia-driver", Some(Role::Meta)),
            ("nvidia-driver-latest-dkms", Some(Role::Meta)),
            ("nvidia-driver-latest-dkms-NVML", Some(Role::Library)),
            ("nvidia-driver-branch-470-cuda", Some(Role::Userspace)),
            ("nvidia-driver-libs", Some(Role::Userspace)),
            ("libnvidia-ml", Some(Role::Library)),
            ("xorg-x11-drv-nvidia-cuda-libs", Some(Role::Library)),
            ("nvidia-compute-G06", Some(Role::Library)),
            ("nvidia-driver-G06-kmp-default", Some(Role::KernelModule)),
            ("nvidia-fabric-manager", Some(Role::FabricManager)),
            ("nvidia-settings", Some(Role::OwnVersion)),
            ("nvidia-container-toolkit", None),
            ("libnvidia-container1", None),
            ("cuda-toolkit-12-4", None),
            ("nvidia-driver-local-repo-rhel9", None),
        ] {
            assert_eq!(rpm(name), role, "{name}");
        }
    }
}
