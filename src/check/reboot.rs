//! Whether a reboot cures a mismatch, and what a person does about it.

use crate::check::Look;
use crate::derive::Derived;
use crate::derive::driver::{DriverPackage, LibrarySource, Role};
use crate::derive::upgrade::Cause;
use crate::probe::kernels::Kernels;

/// Whether a reboot cures, and the sentence that says so; the sentence is empty where nothing can be said.
pub(crate) fn cure(look: &Look<'_>, derived: &Derived) -> (Option<bool>, String) {
    let next = &derived.next_boot;
    let kernels = look.evidence.kernels.known();
    let survived = derived.upgrade.cause == Some(Cause::SurvivedReboot);
    let same_kernel = kernels.is_some_and(|kernels| next.kernel.as_ref() == Some(&kernels.running));
    if survived && same_kernel && next.agrees == Some(true) {
        let release = next.kernel.as_deref().unwrap_or_default();
        let sentence = format!(
            "whether a reboot will cure it cannot be told: the module file of kernel {release} has the library's version, \
             and yet the last boot loaded another (an old initramfs image may hold it, or the file was built since)"
        );
        return (None, sentence);
    }
    let cures = match next.agrees {
        Some(true) if !next.certain && !kernels.is_some_and(|kernels| every_kernel_agrees(kernels, derived)) => None,
        other => other,
    };
    (cures, next.sentence.clone())
}

fn every_kernel_agrees(kernels: &Kernels, derived: &Derived) -> bool {
    let library = derived.driver.library.known();
    let mut bootable = kernels.installed.iter().filter(|kernel| kernel.image);
    bootable.all(|kernel| kernel.module.known().map(|file| &file.version) == library)
}

/// The steps for a node whose two sides differ.
pub(crate) fn steps(look: &Look<'_>, derived: &Derived) -> String {
    let (cures, _) = cure(look, derived);
    let mut steps = String::new();
    if cures != Some(true)
        && let Some(release) = &derived.next_boot.kernel
        && derived.driver.library_source != LibrarySource::Container
    {
        steps += "Before a reboot, give the next kernel a module of the library's version:\n";
        steps += &build_commands(derived, release);
    }
    steps += "The node needs a reboot, and when is a person's decision: other services may share it.\n\
              See what still uses the GPUs:\n    sudo fuser -v /dev/nvidia*\n\
              On a Kubernetes node, moving its pods away first may look like this:\n    \
              kubectl drain NODE --ignore-daemonsets --delete-emptydir-data\n\
              Then:\n    sudo systemctl reboot\n\
              Afterwards both must name one version:\n    cat /proc/driver/nvidia/version\n    nvidia-smi\n";
    steps
}

/// Commands that give a kernel its NVIDIA module, by the way this host gets its modules.
pub(crate) fn build_commands(derived: &Derived, release: &str) -> String {
    let packages = &derived.driver.packages;
    let prebuilt = packages.iter().find_map(|package| prebuilt_for(package, release));
    let dkms = packages.iter().any(|package| package.role == Role::DkmsSource);
    let mut commands = String::new();
    // Module sources of another version build another version.
    let stale = packages.iter().filter(|package| {
        package.role == Role::DkmsSource && package.driver_version.as_ref() != derived.driver.library.known()
    });
    let stale: Vec<&DriverPackage> = stale.collect();
    if !stale.is_empty() && derived.driver.library.known().is_some() {
        let names: Vec<&str> = stale.iter().map(|package| package.name.as_str()).collect();
        if stale.iter().any(|package| package.held) {
            commands += &format!("    sudo apt-mark unhold {}\n", names.join(" "));
        }
        commands += &format!("    sudo apt-get install {}\n", names.join(" "));
    }
    if let Some(name) = prebuilt {
        commands += &format!("    sudo apt-get install {name}\n");
    }
    if dkms || commands.is_empty() {
        commands +=
            &format!("    sudo apt-get install linux-headers-{release}\n    sudo dkms autoinstall -k {release}\n");
    }
    commands + &format!("    sudo update-initramfs -u -k {release}\n    modinfo -k {release} -F version nvidia\n")
}

/// `linux-modules-nvidia-535-server-5.15.0-112-generic` names its sibling for another kernel.
fn prebuilt_for(package: &DriverPackage, release: &str) -> Option<String> {
    let rest = package.name.strip_prefix("linux-modules-nvidia-")?;
    let mut branch = vec![];
    for part in rest.split('-') {
        let is_branch = branch.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        if !is_branch && !matches!(part, "server" | "open") {
            break;
        }
        branch.push(part);
    }
    (!branch.is_empty()).then(|| format!("linux-modules-nvidia-{}-{release}", branch.join("-")))
}
