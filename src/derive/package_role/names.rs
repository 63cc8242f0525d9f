//! The allow-list itself, for dpkg hosts.

use crate::derive::driver::Role;

/// Names without branch, flavour and variant, by part. The library itself is what holds libnvidia-ml.
pub(super) const NAMES: &[(Role, &[&str])] = &[
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
pub(super) const BEGINNINGS: &[(Role, &[&str])] = &[
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
pub(super) const OWN_VERSION: &[&str] =
    &["glx-alternative-nvidia", "libxnvctrl0", "nvidia-modprobe", "nvidia-persistenced", "nvidia-xconfig"];
