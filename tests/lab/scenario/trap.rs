//! Hosts that are not simply a driver with its packages: no GPU, other drivers, other kernels, no packages.

use crate::deb::kernel::kernel;
use crate::fleet::{Entry, Part, lab};
use crate::ground::clock::days_ago;
use crate::host::disk::{Disk, KERNEL};
use crate::host::machine::{Flavor, Gpu, Machine};
use crate::host::recipe::{
    NEW, OLD, blacklisted, install, security_and, ubuntu, ubuntu_kernel, updater_night, with_driver, with_file,
};

/// A newer kernel.
const NEWER: &str = "5.15.0-113-generic";

/// NVIDIA's own installer leaves files that no package knows.
fn run_installer() -> Disk {
    ubuntu_kernel().run(
        days_ago(60),
        &[security_and(&[NEW], [NEW.prebuilt(KERNEL, "")])],
        format!(
            "cd /var/tmp\napt-get download -qq libnvidia-compute-535-server nvidia-utils-535-server \
             linux-modules-nvidia-535-server-{KERNEL} >log 2>&1\n\
             for deb in *.deb; do dpkg-deb --fsys-tarfile $deb | tar -x -C / --keep-directory-symlink; done\nrm -f log *.deb\nldconfig\ndepmod {KERNEL}\n"
        ),
    )
}

/// A newer kernel came without headers: dkms could not build for it.
fn newer_kernel_without_headers() -> Disk {
    blacklisted(&with_driver(NEW), days_ago(50)).run(
        days_ago(5),
        &[security_and(&[NEW], kernel(NEWER, true))],
        format!("apt-get install -y -qq linux-image-{NEWER} >/var/tmp/log 2>&1 || true\nrm /var/tmp/log\ntest -e /boot/vmlinuz-{NEWER}\n"),
    )
}

/// Prebuilt modules; the kernel moved on and its modules were kept back by the list.
fn prebuilt(kernel_moves: bool) -> Disk {
    let first = security_and(&[NEW], [NEW.prebuilt(KERNEL, "")]);
    let names = format!("nvidia-driver-535-server nvidia-dkms-535-server- linux-modules-nvidia-535-server-{KERNEL}");
    let node = blacklisted(&ubuntu_kernel().run(days_ago(60), &[first], install(&names)), days_ago(50));
    if !kernel_moves {
        return with_file(
            &node,
            days_ago(49),
            "/etc/apt/apt.conf.d/52-no-kernel",
            "Unattended-Upgrade::Package-Blacklist { \"linux-\"; };\n",
        );
    }
    node.run(
        days_ago(5),
        &[security_and(&[NEW], kernel(NEWER, false))],
        format!("apt-get install -y -qq linux-image-{NEWER} >/var/tmp/log\nrm /var/tmp/log\n"),
    )
}

/// The fabric manager was upgraded along; its unit is enabled.
fn fabric() -> Disk {
    let before = with_driver(NEW).run(
        days_ago(55),
        &[security_and(&[NEW], [NEW.fabric_manager()])],
        "apt-get install -y -qq nvidia-fabricmanager-535 >/var/tmp/log\nrm /var/tmp/log\n\
         systemctl enable nvidia-fabricmanager.service >/var/tmp/log 2>&1\nrm /var/tmp/log\n",
    );
    let newer = crate::host::recipe::NEXT.fabric_manager();
    blacklisted(
        &before.run(days_ago(4), &[security_and(&[NEW], [newer])], install("nvidia-fabricmanager-535")),
        days_ago(3),
    )
}

/// The library inside a driver container, as the GPU Operator mounts its root; the host itself has no package.
const CONTAINER: &str = "mkdir -p /run/nvidia/driver/usr/lib/x86_64-linux-gnu
cd /run/nvidia/driver/usr/lib/x86_64-linux-gnu
cp /usr/lib/libuname-lab.so libnvidia-ml.so.535.183.01
ln -s libnvidia-ml.so.535.183.01 libnvidia-ml.so.1
cd /";

/// GPU packages and a 32-bit twin that a list with end anchors misses.
fn twin() -> Disk {
    let first = security_and(&[OLD], [OLD.compute_i386()]);
    ubuntu_kernel().run(
        days_ago(60),
        &[first],
        "dpkg --add-architecture i386\napt-get update -qq\n\
         apt-get install -y -qq nvidia-driver-535-server libnvidia-compute-535-server:i386 >/var/tmp/log\nrm /var/tmp/log\n",
    )
}

pub fn part() -> Part {
    let full = || blacklisted(&with_driver(NEW), days_ago(50));
    Part::default()
        .host(Machine::new("login-node", full()).gpu(Gpu::None), "trap")
        .host(Machine::new("web", ubuntu()).gpu(Gpu::None), "trap")
        .host(Machine::new("hypervisor", ubuntu()).gpu(Gpu::Driver("vfio-pci")), "trap")
        .host(Machine::new("bare-gpu", ubuntu()), "trap")
        .host(Machine::new("nouveau", full()).gpu(Gpu::Driver("nouveau")), "trap")
        .host(Machine::new("not-loaded", full()), "trap")
        .host(Machine::new("run-file", run_installer()).closed(NEW.version), "trap")
        .host(Machine::new("run-file-old", run_installer()).closed(OLD.version), "trap")
        .host(Machine::new("dkms-no-headers", newer_kernel_without_headers()).closed(NEW.version), "trap")
        .host(Machine::new("kernel-moved", prebuilt(true)).closed(NEW.version), "trap")
        .host(Machine::new("kernel-kept", prebuilt(false)).closed(NEW.version), "trap")
        .host(Machine::new("operator", ubuntu_kernel()).closed(NEW.version).start(CONTAINER), "trap")
        .host(Machine::new("operator-and-host", full()).closed(NEW.version).start(CONTAINER), "trap")
        .host(Machine::new("fabric", fabric()).closed(NEW.version), "trap")
        .host(Machine::new("open-module", full()).loaded(NEW.version, Flavor::Open), "trap")
        .host(
            Machine::new("twin", updater_night(&twin(), days_ago(3), &[security_and(&[NEW], [NEW.compute_i386()])]))
                .closed(OLD.version),
            "trap",
        )
        .entry(Entry::new("open-module-root", "trap").on("open-module").user("root"))
}

#[test]
fn hosts_without_anything_to_judge_are_not_applicable() {
    let Some(lab) = lab() else { return };
    for name in ["login-node", "web", "hypervisor"] {
        lab.report(name).expect("not-applicable", &[]);
    }
}

#[test]
fn a_gpu_without_driver_is_a_warning() {
    let Some(lab) = lab() else { return };
    lab.report("bare-gpu").expect("warning", &["no-driver"]);
}

#[test]
fn a_module_that_is_not_loaded_is_critical() {
    let Some(lab) = lab() else { return };
    for name in ["nouveau", "not-loaded"] {
        lab.report(name).expect("critical", &["module-not-loaded"]);
    }
    assert!(lab.report("nouveau").finding("module-not-loaded").to_string().contains("nouveau"));
}

#[test]
fn a_run_file_driver_is_judged_by_its_library() {
    let Some(lab) = lab() else { return };
    let host = lab.report("run-file");
    host.expect("ok", &[]);
    host.finding("unpackaged-driver");
    assert_eq!(host.fact("library_source"), "file");
    assert_eq!(host.fact("protection"), "not-needed");
    lab.report("run-file-old").expect("critical", &["driver-mismatch"]);
    lab.report("run-file-old").expect_detail("driver-mismatch", "cause", "no-record");
}

#[test]
fn the_next_kernel_without_the_module_is_critical() {
    let Some(lab) = lab() else { return };
    for name in ["dkms-no-headers", "kernel-moved"] {
        let host = lab.report(name);
        assert_eq!(host.verdict(), "critical", "{name}: {:#}", host.value);
        host.finding("reboot-loses-driver");
        assert_eq!(host.fact("next_boot.kernel"), NEWER, "{name}");
    }
    lab.report("kernel-kept").expect("ok", &[]);
}

#[test]
fn an_enabled_fabric_manager_of_another_version_is_critical() {
    let Some(lab) = lab() else { return };
    lab.report("fabric").expect("critical", &["fabricmanager-mismatch"]);
}

#[test]
fn open_modules_are_told_from_closed_ones() {
    let Some(lab) = lab() else { return };
    for name in ["open-module", "open-module-root"] {
        lab.report(name).expect("ok", &[]);
        assert_eq!(lab.report(name).fact("module_flavor"), "open");
    }
}

#[test]
fn a_32_bit_twin_left_behind_does_not_change_the_story() {
    let Some(lab) = lab() else { return };
    let host = lab.report("twin");
    host.expect("critical", &["half-upgraded", "unconfigured"]);
    host.expect_detail("half-upgraded", "packages", 16);
    assert_eq!(host.fact("library_version"), NEW.version);
}

#[test]
fn a_driver_container_is_the_library_of_a_bare_host() {
    let Some(lab) = lab() else { return };
    let host = lab.report("operator");
    host.expect("ok", &[]);
    assert_eq!(host.fact("library_source"), "container");
    assert_eq!(host.fact("protection"), "not-needed");
    lab.report("operator-and-host").expect("warning", &["driver-container-conflict"]);
}
