//! What the next boot loads.

use crate::Case;

const RUNNING: &str = "5.15.0-105-generic";
const NEWER: &str = "5.15.0-112-generic";

#[test]
fn newer_kernel_without_module() {
    Case::healthy().newer_kernel(NEWER).sees(&[
        ("verdict", "critical"),
        ("checks", "reboot-loses-driver critical"),
        ("facts/next_boot/kernel", NEWER),
        ("facts/next_boot/module_version", "null"),
        ("facts/next_boot/source", "none"),
        ("facts/next_boot/certain", "true"),
        ("facts/next_boot/agrees", "false"),
    ]);
    Case::half_upgraded().newer_kernel(NEWER).sees(&[
        ("checks", "half-upgraded critical, reboot-loses-driver critical, unconfigured warning"),
        ("half-upgraded/reboot_cures", "false"),
    ]);
    // A module of the newer kernel is there.
    Case::healthy().newer_kernel(NEWER).module_file(NEWER, "kernel/nvidia-535srv/nvidia.ko", "535.183.01").sees(&[
        ("verdict", "ok"),
        ("facts/next_boot/kernel", NEWER),
        ("facts/next_boot/source", "prebuilt"),
        ("facts/next_boot/agrees", "true"),
    ]);
    // One of another version.
    Case::healthy().newer_kernel(NEWER).module_file(NEWER, "updates/dkms/nvidia.ko.zst", "535.171.04").sees(&[
        ("checks", "reboot-loses-driver critical"),
        ("facts/next_boot/source", "dkms"),
        ("facts/next_boot/module_version", "535.171.04"),
    ]);
}

#[test]
fn module_of_the_running_kernel_is_stale() {
    Case::healthy().module_file(RUNNING, "updates/dkms/nvidia.ko", "535.171.04").sees(&[
        ("verdict", "critical"),
        ("checks", "reboot-loses-driver critical"),
        ("facts/next_boot/agrees", "false"),
    ]);
    Case::half_upgraded()
        .module_file(RUNNING, "updates/dkms/nvidia.ko", "535.171.04")
        .sees(&[("half-upgraded/reboot_cures", "false")]);
}

#[test]
fn a_guess_is_a_warning() {
    let saved = "GRUB_DEFAULT=saved";
    let entry = "saved_entry=gnulinux-advanced-0>gnulinux-5.15.0-112-generic-advanced-0";
    let case = || Case::healthy().newer_kernel(NEWER).section("kernels", "grub-default", saved);
    let between = "5.15.0-110-generic";
    let with_between = || case().newer_kernel(between).module_file(between, "updates/dkms/nvidia.ko", "535.183.01");
    with_between().more("kernels", "grubenv /boot/grub/grubenv", entry).sees(&[
        ("verdict", "warning"),
        ("checks", "reboot-loses-driver warning"),
        ("facts/next_boot/kernel", NEWER),
        ("facts/next_boot/certain", "false"),
    ]);
    // A guess, but whatever newer kernel boots has no module.
    case().more("kernels", "grubenv /boot/grub/grubenv", entry).sees(&[("checks", "reboot-loses-driver critical")]);
    // The saved entry names the good kernel.
    case()
        .more("kernels", "grubenv /boot/grub/grubenv", &entry.replace("112", "105"))
        .sees(&[("verdict", "ok"), ("facts/next_boot/kernel", RUNNING)]);
    // Several flavours.
    Case::healthy()
        .newer_kernel("5.15.0-112-lowlatency")
        .newer_kernel(NEWER)
        .module_file(NEWER, "updates/dkms/nvidia.ko", "535.183.01")
        .sees(&[
            ("verdict", "warning"),
            ("checks", "reboot-loses-driver warning"),
            ("facts/next_boot/certain", "false"),
        ]);
    // No newer kernel has the module: critical although a guess.
    Case::healthy()
        .newer_kernel(NEWER)
        .newer_kernel("5.15.0-113-lowlatency")
        .sees(&[("checks", "reboot-loses-driver critical")]);
}

#[test]
fn no_local_kernel_is_no_finding() {
    Case::healthy().section("kernels", "images", "").sees(&[
        ("verdict", "ok"),
        ("checks", ""),
        ("facts/next_boot/kernel", "null"),
        ("facts/next_boot/source", "unknown"),
    ]);
    Case::half_upgraded()
        .section("kernels", "images", "")
        .sees(&[("half-upgraded/reboot_cures", "null"), ("facts/next_boot/source", "unknown")]);
}

#[test]
fn modinfo_missing_is_not_no_module() {
    Case::healthy().section("kernels", &format!("module {RUNNING}"), "").ends("kernels", "module", "failed 127").sees(
        &[
            ("verdict", "ok"),
            ("checks", ""),
            ("facts/next_boot/source", "dkms"),
            ("facts/next_boot/module_version", "535.183.01"),
        ],
    );
}

#[test]
fn kernel_moves_while_prebuilt_modules_stay() {
    let rows = [
        ("ii", "libnvidia-compute-535-server", "535.183.01-0ubuntu0.22.04.1", ""),
        ("ii", "nvidia-kernel-common-535-server", "535.183.01-0ubuntu0.22.04.1", ""),
        (
            "ii",
            "linux-modules-nvidia-535-server-5.15.0-105-generic",
            "5.15.0-105.115+1",
            "nvidia-kernel-common-535-server (>= 535.183.01)",
        ),
        (
            "ii",
            "linux-modules-nvidia-535-server-generic",
            "5.15.0-105.115+1",
            "linux-modules-nvidia-535-server-5.15.0-105-generic",
        ),
        ("ii", "linux-image-5.15.0-105-generic", "5.15.0-105.115", ""),
        ("ii", "linux-image-generic", "5.15.0.105.105", "linux-image-5.15.0-105-generic"),
    ];
    let case = || {
        Case::healthy()
            .packages(&rows)
            .module_file(RUNNING, "kernel/nvidia-535srv/nvidia.ko", "535.183.01")
            .without("dkms", "status")
    };
    // The seed list leaves the module packages open and holds their dependency: both at once.
    case().sees(&[
        ("verdict", "warning"),
        ("checks", "kernel-not-held-with-driver warning, protection-gap warning"),
        ("facts/protection", "partial"),
        (
            "facts/uncovered",
            "[\"linux-modules-nvidia-535-server-5.15.0-105-generic\",\"linux-modules-nvidia-535-server-generic\"]",
        ),
    ]);
    // Frozen together.
    case().blacklist(&["nvidia-", "libnvidia-", "linux-"]).sees(&[
        ("verdict", "ok"),
        ("checks", ""),
        ("facts/protection", "full"),
    ]);
    case()
        .blacklist(&[".*nvidia.*"])
        .sees(&[("checks", "kernel-not-held-with-driver warning"), ("facts/protection", "full")]);
    case().blacklist(&[".*nvidia.*"]).hold("linux-image-generic").sees(&[("verdict", "ok"), ("checks", "")]);
    // Only the kernel: exactly the wrong half.
    case().blacklist(&["linux-"]).sees(&[
        ("checks", "protection-gap warning"),
        ("facts/uncovered", "[\"libnvidia-compute-535-server\",\"nvidia-kernel-common-535-server\"]"),
    ]);
}
