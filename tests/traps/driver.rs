//! Loaded against on disk.

use crate::Case;

#[test]
fn recordings_as_they_are() {
    Case::healthy().sees(&[
        ("verdict", "ok"),
        ("checks", ""),
        ("unverified", ""),
        ("facts/protection", "full"),
        ("facts/protected_by", "[\"blacklist\"]"),
    ]);
    Case::half_upgraded().sees(&[
        ("verdict", "critical"),
        ("checks", "half-upgraded critical, unconfigured warning"),
        ("half-upgraded/by", "unattended-upgrades"),
        ("half-upgraded/from", "535.171.04"),
        ("half-upgraded/to", "535.183.01"),
        ("half-upgraded/packages", "15"),
        ("half-upgraded/broken_since", "2026-11-28T01:17:00Z"),
        ("half-upgraded/reboot_cures", "true"),
        ("unread", "updater-log permission-denied"),
    ]);
}

#[test]
fn forms_of_the_version_line() {
    for (line, loaded, flavor) in [
        (
            "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  535.183.01  Release Build  (dvs-builder@builder)  Thu May 1",
            "535.183.01",
            "open",
        ),
        (
            "NVRM version: NVIDIA UNIX Open Kernel Module for aarch64  535.183.01  Debug Build  (bugfix_main)  (root@gpu-9)",
            "535.183.01",
            "open",
        ),
        (
            "NVRM version: NVIDIA UNIX aarch64 Kernel Module 535.183.01 Wed Oct 25\nGCC version:  gcc version 12.2.0 (Debian 12.2.0-14)",
            "535.183.01",
            "proprietary",
        ),
        (
            "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12\nGCC version:",
            "535.183.01",
            "proprietary",
        ),
    ] {
        Case::healthy().section("module", "proc", line).without("module", "sys ").sees(&[
            ("verdict", "ok"),
            ("facts/loaded_version", loaded),
            ("facts/module_flavor", flavor),
            ("facts/library_source", "file"),
        ]);
    }
}

#[test]
fn a_version_word_is_loaded_but_unknown() {
    let line =
        "NVRM version: NVIDIA UNIX Open Kernel Module for aarch64  TempVersion  Release Build  (bugfix_main)  (root@b)";
    Case::healthy().section("module", "proc", line).section("module", "sys ", "TempVersion").sees(&[
        ("verdict", "unverified"),
        ("checks", ""),
        ("unverified", "module unparseable"),
        ("facts/loaded_version", "null"),
    ]);
}

#[test]
fn equal_only_as_strings() {
    Case::healthy()
        .loaded("440.64")
        .library("440.64.00")
        .module_file("5.15.0-105-generic", "updates/dkms/nvidia.ko", "440.64.00")
        .sees(&[("verdict", "critical"), ("checks", "driver-mismatch critical")]);
    Case::healthy().loaded("570.124.06").library("570.124.04").sees(&[
        ("verdict", "critical"),
        ("driver-mismatch/newer", "module"),
        ("driver-mismatch/cause", "no-record"),
    ]);
}

#[test]
fn unreadable_is_not_missing() {
    Case::healthy().ends("module", "proc", "denied 1").without("module", "sys ").without("module", "in-sys").sees(&[
        ("verdict", "unverified"),
        ("unverified", "module permission-denied"),
        ("facts/loaded_version", "null"),
    ]);
    // The second source answers.
    Case::healthy()
        .ends("module", "proc", "denied 1")
        .sees(&[("verdict", "ok"), ("facts/loaded_version", "535.183.01")]);
}

#[test]
fn module_not_loaded_kinds() {
    Case::healthy().unloaded().sees(&[
        ("verdict", "critical"),
        ("checks", "module-not-loaded critical"),
        ("module-not-loaded/cause", "unknown"),
        ("facts/loaded_version", "null"),
    ]);
    Case::healthy()
        .unloaded()
        .section("pci", "devices", "0000:17:00.0 0x030200 0x2330 nouveau")
        .more("module", "nouveau", "yes")
        .sees(&[("checks", "module-not-loaded critical"), ("module-not-loaded/cause", "nouveau")]);
    Case::healthy().unloaded().section("modprobe", "conf", "/etc/modprobe.d/off.conf\tblacklist nvidia").sees(&[
        ("verdict", "warning"),
        ("checks", "module-not-loaded warning"),
        ("module-not-loaded/cause", "on-purpose"),
    ]);
    // Installed after boot.
    Case::healthy()
        .unloaded()
        .history("Start-Date: 2026-11-30  08:00:00\nCommandline: apt install nvidia-driver-535-server\nRequested-By: mara (1000)\nInstall: libnvidia-compute-535-server:amd64 (535.183.01-0ubuntu0.22.04.1, automatic), nvidia-driver-535-server:amd64 (535.183.01-0ubuntu0.22.04.1)\nEnd-Date: 2026-11-30  08:01:00")
        .sees(&[
            ("checks", "module-not-loaded critical"),
            ("module-not-loaded/cause", "installed-after-boot"),
            ("module-not-loaded/installed_after_boot", "2026-11-30T08:00:00Z"),
        ]);
}

#[test]
fn no_driver_login_node_and_lost_gpu() {
    let bare = || {
        Case::healthy().unloaded().no_library().packages(&[]).section("nvidia-smi", "query", "").ends(
            "nvidia-smi",
            "query",
            "absent 127",
        )
    };
    bare().sees(&[("verdict", "warning"), ("checks", "no-driver warning"), ("facts/protection", "not-needed")]);
    bare().section("pci", "devices", "").sees(&[
        ("verdict", "not-applicable"),
        ("checks", ""),
        ("facts/protection", "not-needed"),
    ]);
    // Packages and library, no GPU, no module.
    Case::healthy().unloaded().section("pci", "devices", "").sees(&[("verdict", "not-applicable"), ("checks", "")]);
    Case::healthy().unloaded().section("pci", "devices", "").expecting("535").sees(&[
        ("verdict", "critical"),
        ("checks", "module-not-loaded critical"),
        ("module-not-loaded/cause", "gpu-missing"),
    ]);
    bare()
        .section("pci", "devices", "")
        .expecting("535.183.01")
        .sees(&[("verdict", "critical"), ("checks", "module-not-loaded critical")]);
    Case::from(crate::case::NO_GPU).sees(&[("verdict", "not-applicable"), ("checks", ""), ("unverified", "")]);
    // The bus unread: never not-applicable.
    bare()
        .ends("pci", "devices", "denied 1")
        .sees(&[("verdict", "unverified"), ("unverified", "pci permission-denied")]);
}

#[test]
fn passed_through_and_virtual_gpus() {
    Case::healthy()
        .unloaded()
        .section("pci", "devices", "0000:17:00.0 0x030200 0x2330 vfio-pci\n0000:65:00.0 0x030200 0x2330 vfio-pci")
        .sees(&[("verdict", "not-applicable"), ("checks", ""), ("facts/protection", "not-needed")]);
    Case::healthy()
        .unloaded()
        .section("pci", "devices", "0000:17:00.0 0x030200 0x2330 vfio-pci\n0000:65:00.0 0x030200 0x2330 -")
        .sees(&[("verdict", "critical"), ("checks", "module-not-loaded critical")]);
    // A guest with vGPU: one package without revision holds the library.
    Case::healthy()
        .packages(&[("ii", "nvidia-linux-grid-535", "535.183.01", "")])
        .no_library()
        .ends("library", "cache", "denied 1")
        .ends("library", "folders", "denied 1")
        .sees(&[
            ("verdict", "ok"),
            ("facts/library_version", "535.183.01"),
            ("facts/library_source", "package"),
            ("facts/protected_by", "[\"blacklist\"]"),
        ]);
}

#[test]
fn library_by_link_then_package() {
    // A stray file of a former installer is no answer, a compat library neither.
    Case::healthy()
        .section("library", "cache", "1796088560 /usr/local/cuda-12.4/compat/libnvidia-ml.so.1 -> /usr/local/cuda-12.4/compat/libnvidia-ml.so.550.54.15\n1796088560 /lib/x86_64-linux-gnu/libnvidia-ml.so.1 -> /usr/lib/x86_64-linux-gnu/libnvidia-ml.so.535.183.01")
        .sees(&[("verdict", "ok"), ("facts/library_version", "535.183.01")]);
    // A target without version: the package answers, and what was unread stands apart.
    Case::healthy()
        .section("library", "cache", "1796088560 /lib/x86_64-linux-gnu/libnvidia-ml.so.1 -> /opt/x/libnvidia-ml.so.1")
        .sees(&[
            ("verdict", "ok"),
            ("facts/library_version", "535.183.01"),
            ("facts/library_source", "package"),
            ("unverified", ""),
        ]);
    Case::healthy()
        .section("library", "cache", "1796088560 /lib/x86_64-linux-gnu/libnvidia-ml.so.1 -> /opt/x/libnvidia-ml.so.1")
        .packages(&[])
        .sees(&[("verdict", "unverified"), ("unverified", "library unparseable"), ("facts/library_version", "null")]);
}

#[test]
fn run_installer() {
    Case::healthy().packages(&[]).sees(&[
        ("verdict", "ok"),
        ("checks", "unpackaged-driver info"),
        ("unverified", ""),
        ("facts/protection", "not-needed"),
        ("facts/protected_by", "[]"),
        ("facts/uncovered", "[]"),
    ]);
    Case::healthy().packages(&[]).history("Start-Date: 2026-09-07  01:00:01\nCommandline: apt install curl\nInstall: curl:amd64 (7.88)\nEnd-Date: 2026-09-07  01:00:01").loaded("535.171.04").sees(&[
        ("verdict", "critical"),
        ("checks", "driver-mismatch critical, unpackaged-driver info"),
        ("driver-mismatch/cause", "no-record"),
    ]);
}

#[test]
fn driver_container() {
    let inside = "1796088560 /run/nvidia/driver/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1 -> /run/nvidia/driver/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.535.183.01";
    let container =
        || Case::healthy().packages(&[]).no_library().more("library", "container /run/nvidia/driver", inside);
    container().sees(&[
        ("verdict", "ok"),
        ("unverified", ""),
        ("facts/library_version", "535.183.01"),
        ("facts/library_source", "container"),
        ("facts/protection", "not-needed"),
    ]);
    container().loaded("535.171.04").sees(&[("verdict", "critical"), ("checks", "driver-mismatch critical")]);
    // Host packages beside it.
    Case::healthy()
        .more("library", "container /run/nvidia/driver", inside)
        .sees(&[("verdict", "warning"), ("checks", "driver-container-conflict warning")]);
    // A left-over of another version on the host: the container's driver is what is loaded.
    Case::healthy().library("535.171.04").more("library", "container /run/nvidia/driver", inside).sees(&[
        ("verdict", "warning"),
        ("checks", "driver-container-conflict warning"),
        ("facts/library_source", "container"),
    ]);
}

#[test]
fn container_guest() {
    let guest = || Case::healthy().more("system", "container", "lxc");
    guest().library("535.171.04").sees(&[
        ("verdict", "critical"),
        ("driver-mismatch/cause", "container-guest"),
        ("driver-mismatch/reboot_cures", "null"),
        ("facts/next_boot/kernel", "null"),
    ]);
    guest().unloaded().sees(&[("verdict", "not-applicable"), ("checks", "")]);
    guest().newer_kernel("5.15.0-112-generic").sees(&[("verdict", "ok"), ("checks", "")]);
}

#[test]
fn other_platforms() {
    Case::healthy()
        .section("system", "proc-version", "Linux version 5.15.153.1-microsoft-standard-WSL2 (x)")
        .sees(&[("verdict", "not-applicable"), ("checks", "")]);
    Case::healthy().more("system", "tegra-release", "# R36 (release), REVISION: 4.3, GCID: 1").loaded("540.4.0").sees(
        &[("verdict", "not-applicable"), ("why", "Jetson (R36.4.3): the driver belongs to the board support package")],
    );
}

#[test]
fn rpm_hosts() {
    let rows = "\tnvidia-driver\tx86_64\t3:535.183.01-1.el9\tx\tN\t\t\n\tlibnvidia-ml\tx86_64\t3:535.183.01-1.el9\tx\tN\t\t\n\tkmod-nvidia-open-dkms\tx86_64\t3:535.183.01-1.el9\tx\tN\t\t";
    let rpm = || {
        Case::healthy()
            .section("system", "package-manager", "rpm")
            .without("system", "dpkg-arch")
            .section("packages", "arch", "x86_64")
            .without("packages", "dpkg")
            .more("packages", "rpm", rows)
            .without("updater", "program")
            .without("updater", "unit")
            .probe_ends("apt-config", "absent 3")
            .probe_ends("apt-files", "absent 3")
            .probe_ends("apt-policy", "absent 3")
            .probe_ends("apt-history", "absent 3")
            .probe_ends("dpkg-log", "absent 3")
            .probe_ends("updater-log", "absent 3")
    };
    rpm().sees(&[("verdict", "ok"), ("checks", ""), ("unverified", ""), ("facts/auto_upgrade", "off")]);
    let automatic = "Id=dnf-automatic.timer\nLoadState=loaded\nUnitFileState=enabled\nActiveState=active";
    rpm().more("updater", "unit dnf-automatic.timer", automatic).sees(&[
        ("verdict", "unverified"),
        ("unverified", "updater not-supported"),
        ("facts/auto_upgrade", "on"),
        ("facts/protection", "unknown"),
    ]);
    rpm().loaded("535.171.04").sees(&[
        ("verdict", "critical"),
        ("checks", "driver-mismatch critical"),
        ("driver-mismatch/cause", "unread"),
        ("unverified", "apt-history not-supported"),
    ]);
}
