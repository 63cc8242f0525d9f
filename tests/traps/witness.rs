//! nvidia-smi, daemons, flags and clocks: witnesses that never decide alone.

use crate::Case;

fn smi(text: &str, end: &str) -> Case {
    Case::healthy().section("nvidia-smi", "query", text).ends("nvidia-smi", "query", end)
}

#[test]
fn states_of_nvidia_smi() {
    for (text, end, verdict, checks, state) in [
        ("", "failed 4", "ok", "", "no-permission"),
        ("No devices were found", "failed 6", "ok", "", "no-devices"),
        ("NVIDIA-SMI couldn't find libnvidia-ml.so library in your system.", "failed 12", "ok", "", "no-library"),
        ("", "absent 127", "ok", "", "not-installed"),
        ("", "timed-out 124", "warning", "nvidia-smi-fails warning", "hung"),
        (
            "Unable to determine the device handle for GPU 0000:17:00.0: GPU is lost.",
            "failed 15",
            "critical",
            "nvidia-smi-fails critical",
            "gpu-lost",
        ),
        ("Failed to initialize NVML: Unknown Error", "failed 255", "critical", "nvidia-smi-fails critical", "other"),
        (
            "Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 535.183",
            "failed 18",
            "critical",
            "nvidia-smi-fails critical",
            "mismatch",
        ),
        (
            "Mismatch in versions between nvidia-smi and NVML.\nAre you sure you are using nvidia-smi provided with the driver?",
            "failed 255",
            "critical",
            "nvidia-smi-fails critical",
            "mixed-userspace",
        ),
    ] {
        smi(text, end).sees(&[
            ("verdict", verdict),
            ("checks", checks),
            ("unverified", ""),
            ("facts/nvidia_smi/state", state),
        ]);
    }
    // As root, with a GPU bound to the driver, no device is a failure.
    smi("No devices were found", "failed 6")
        .section("system", "id", "uid=0(root) gid=0(root) groups=0(root)")
        .sees(&[("checks", "nvidia-smi-fails critical")]);
    smi("No devices were found", "failed 6")
        .section("system", "id", "uid=0(root) gid=0(root) groups=0(root)")
        .replace("pci", " nvidia", " -")
        .sees(&[("checks", "")]);
    // Never asked.
    Case::healthy()
        .without("nvidia-smi", "query")
        .more("nvidia-smi", "not-started", "no module")
        .sees(&[("verdict", "ok"), ("facts/nvidia_smi/state", "not-started")]);
    // A hung one that was cut off costs only itself; anything else that was cut off is more.
    Case::healthy().cut_inside("nvidia-smi").sees(&[("verdict", "ok"), ("facts/nvidia_smi", "null")]);
    Case::healthy().cut_inside("kernel-log").sees(&[("verdict", "unverified"), ("checks", "")]);
}

#[test]
fn consequences_are_named_inside() {
    let dead = "Id=nvidia-persistenced.service\nLoadState=loaded\nUnitFileState=enabled\nActiveState=failed";
    let fabric = "Id=nvidia-fabricmanager.service\nLoadState=loaded\nUnitFileState=enabled\nActiveState=failed";
    let host = Case::half_upgraded().section("persistenced", "unit nvidia-persistenced.service", dead).section(
        "fabricmanager",
        "unit nvidia-fabricmanager.service",
        fabric,
    );
    host.sees(&[
        ("checks", "half-upgraded critical, unconfigured warning"),
        ("half-upgraded/consequences/0", "nvidia-smi fails: Failed to initialize NVML: Driver/library version mismatch (exit 18)"),
        ("half-upgraded/consequences/1", "nvidia-persistenced is down and /run/nvidia-persistenced/socket is missing: containers that mount it do not start"),
    ]);
    let host = Case::healthy().section("persistenced", "unit nvidia-persistenced.service", dead).section(
        "persistenced",
        "socket",
        "no",
    );
    host.sees(&[("verdict", "ok"), ("checks", "persistenced-down info")]);
    let static_unit = "Id=nvidia-persistenced.service\nLoadState=loaded\nUnitFileState=static\nActiveState=inactive";
    Case::healthy()
        .section("persistenced", "unit nvidia-persistenced.service", static_unit)
        .section("persistenced", "socket", "no")
        .sees(&[("checks", "")]);
}

#[test]
fn fabric_manager() {
    let v = "535.183.01-0ubuntu0.22.04.1";
    let unit = |enabled: &str, active: &str| {
        format!("Id=nvidia-fabricmanager.service\nLoadState=loaded\nUnitFileState={enabled}\nActiveState={active}")
    };
    let host = |version: &str, unit: &str| {
        Case::healthy()
            .packages(&[("ii", "libnvidia-compute-535-server", v, ""), ("ii", "nvidia-fabricmanager-535", version, "")])
            .section("fabricmanager", "unit nvidia-fabricmanager.service", unit)
    };
    host(v, &unit("enabled", "active")).sees(&[("verdict", "ok"), ("checks", "")]);
    let old = "535.171.04-0ubuntu0.22.04.1";
    host(old, &unit("enabled", "failed"))
        .sees(&[("verdict", "critical"), ("checks", "fabricmanager-mismatch critical")]);
    host(old, &unit("disabled", "inactive")).sees(&[("verdict", "ok"), ("checks", "fabricmanager-mismatch info")]);
    host(old, &unit("disabled", "inactive"))
        .append("pci", "devices", "0000:20:00.0 0x068000 0x22a3 -")
        .sees(&[("checks", "fabricmanager-mismatch critical")]);
}

#[test]
fn clocks() {
    Case::healthy().received(Some("2026-12-01T02:25:30Z")).sees(&[("verdict", "ok"), ("checks", "clock-skew info")]);
    Case::healthy().received(Some("2026-12-01T02:23:30Z")).sees(&[("checks", "")]);
    Case::half_upgraded()
        .received(Some("2026-12-01T02:32:00Z"))
        .sees(&[("checks", "half-upgraded critical, clock-skew warning, unconfigured warning")]);
    Case::healthy().received(None).sees(&[("checks", ""), ("facts/clock_offset_s", "null")]);
}

#[test]
fn reboot_flag_and_due_update() {
    Case::healthy()
        .section(
            "reboot-required",
            "packages /run/reboot-required.pkgs",
            "linux-image-5.15.0-112-generic\nlinux-base\nlinux-base",
        )
        .sees(&[("verdict", "ok"), ("checks", "reboot-pending info")]);
    let policy = |candidate: &str| {
        format!(
            "libnvidia-compute-535-server:\n  Installed: 535.183.01-0ubuntu0.22.04.1\n  Candidate: {candidate}\n  Version table:\n     {candidate} 500\n        500 {}\n *** 535.183.01-0ubuntu0.22.04.1 100\n        100 /var/lib/dpkg/status\n",
            crate::case::ARCHIVE
        )
    };
    let host =
        || Case::healthy().packages(&[("ii", "libnvidia-compute-535-server", "535.183.01-0ubuntu0.22.04.1", "")]);
    host()
        .section("apt-policy", "packages", &policy("535.216.01-0ubuntu0.22.04.1"))
        .sees(&[("verdict", "ok"), ("checks", "driver-update-due info")]);
    host().section("apt-policy", "packages", &policy("550.90.07-0ubuntu0.22.04.1")).sees(&[("checks", "")]);
    host().section("apt-policy", "packages", &policy("535.183.01-0ubuntu0.22.04.2")).sees(&[("checks", "")]);
}

#[test]
fn what_was_cut_off() {
    Case::healthy().cut_after("module").sees(&[("verdict", "unverified"), ("facts/loaded_version", "535.183.01")]);
    Case::half_upgraded().cut_after("packages").sees(&[
        ("verdict", "critical"),
        ("checks", "driver-mismatch critical"),
        ("driver-mismatch/cause", "unread"),
    ]);
}
