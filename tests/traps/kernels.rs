//! Kernels, modules and the driver containers that bring their own.

use crate::Case;

const RUNNING: &str = "5.15.0-105-generic";
const NEWER: &str = "5.15.0-112-generic";
const V: &str = "535.183.01-0ubuntu0.22.04.1";

#[test]
fn dkms_with_headers_that_follow_needs_no_held_kernel() {
    let rows = |headers: bool| {
        let mut rows = vec![
            ("ii", "libnvidia-compute-535-server", V, ""),
            ("ii", "nvidia-dkms-535-server", V, "dkms"),
            ("ii", "linux-image-generic", "5.15.0.105.105", "linux-image-5.15.0-105-generic"),
            ("ii", "linux-image-5.15.0-105-generic", "5.15.0-105.115", ""),
            ("ii", "linux-headers-5.15.0-105-generic", "5.15.0-105.115", ""),
        ];
        if headers {
            rows.push(("ii", "linux-headers-generic", "5.15.0.105.105", "linux-headers-5.15.0-105-generic"));
        }
        rows
    };
    Case::healthy().packages(&rows(true)).sees(&[("verdict", "ok"), ("checks", "")]);
    Case::healthy()
        .packages(&rows(false))
        .sees(&[("verdict", "warning"), ("checks", "kernel-not-held-with-driver warning")]);
}

#[test]
fn a_stale_build_shadows_the_prebuilt_module() {
    // modinfo names the file that wins.
    Case::healthy().newer_kernel(NEWER).module_file(NEWER, "updates/dkms/nvidia.ko", "535.161.07").sees(&[
        ("verdict", "critical"),
        ("checks", "reboot-loses-driver critical"),
        ("facts/next_boot/source", "dkms"),
        ("facts/next_boot/module_version", "535.161.07"),
    ]);
}

#[test]
fn debian_module_and_compressed_files() {
    Case::healthy()
        .section("kernels", &format!("module {RUNNING}"), &format!("name: nvidia-current\nfilename:       /lib/modules/{RUNNING}/updates/dkms/nvidia-current.ko.xz\nversion:        535.183.01"))
        .sees(&[("verdict", "ok"), ("facts/next_boot/source", "dkms"), ("facts/next_boot/module_version", "535.183.01")]);
    Case::healthy()
        .module_file(RUNNING, "kernel/nvidia-535-open/nvidia.ko.zst", "535.183.01")
        .sees(&[("facts/next_boot/source", "prebuilt")]);
}

#[test]
fn driver_container_on_a_host_whose_kernel_moves() {
    let inside = "1796088560 /run/nvidia/driver/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1 -> /run/nvidia/driver/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.535.183.01";
    Case::healthy()
        .packages(&[
            ("ii", "linux-image-generic", "5.15.0.105.105", "linux-image-5.15.0-105-generic"),
            ("ii", "linux-image-5.15.0-105-generic", "5.15.0-105.115", ""),
        ])
        .no_library()
        .more("library", "container /run/nvidia/driver", inside)
        .newer_kernel(NEWER)
        .sees(&[
            ("verdict", "ok"),
            ("checks", "kernel-unpinned-for-driver-container info"),
            ("facts/library_source", "container"),
            ("facts/protection", "not-needed"),
            ("facts/next_boot/kernel", NEWER),
        ]);
}

#[test]
fn secure_boot_and_functions_that_are_no_gpu() {
    Case::healthy().unloaded().section("kernel-log", "dmesg", "[    5.1] Loading of module with unavailable key is rejected\n[    5.2] nvidia: module verification failed").sees(&[("module-not-loaded/cause", "signature-refused")]);
    // The audio function and the bridge are no GPUs.
    Case::healthy()
        .unloaded()
        .no_library()
        .packages(&[])
        .section("pci", "devices", "0000:17:00.1 0x040300 0x10f0 snd_hda_intel\n0000:20:00.0 0x068000 0x22a3 -")
        .sees(&[("verdict", "not-applicable")]);
    // Audio on the host, the GPU passed through.
    Case::healthy()
        .unloaded()
        .section("pci", "devices", "0000:17:00.0 0x030000 0x2330 vfio-pci\n0000:17:00.1 0x040300 0x10f0 snd_hda_intel")
        .sees(&[("verdict", "not-applicable")]);
}
