//! Names on rpm hosts: NVIDIA's own repository, RPM Fusion, ELRepo, SUSE.

use super::is_branch;
use super::names::OWN_VERSION;
use crate::derive::driver::Role;

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
