use super::*;

fn each(role: Option<Role>, version: &str, names: &[&str]) {
    for name in names {
        assert_eq!(dpkg(name, version), role, "{name}");
    }
}

#[test]
fn ubuntu_names() {
    let version = "535.183.01-0ubuntu0.22.04.1";
    each(Some(Role::Library), version, &["libnvidia-compute-535", "libnvidia-compute-535-server", "libnvidia-compute"]);
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
