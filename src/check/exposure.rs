//! What the checks of protection share: whether they apply, their evidence, and the suggested configuration.

use crate::check::{EvidenceLine, Look};
use crate::derive::Derived;
use crate::derive::driver::{Applicability, Role};
use crate::derive::protection::{self, AutoUpgrade, PackageProtection, Protected};
use crate::probe::ProbeId;
use crate::remedy::{self, Wish};

/// Something upgrades packages on a host that has a driver to judge.
pub(crate) fn applies(derived: &Derived) -> bool {
    derived.driver.applicability == Applicability::Applies && derived.protection.auto_upgrade == AutoUpgrade::On
}

/// Packages in a state.
pub(crate) fn in_state(derived: &Derived, state: Protected) -> Vec<&PackageProtection> {
    derived.protection.packages.iter().filter(|package| package.state == state).collect()
}

/// `a, b, c`.
pub(crate) fn names(packages: &[&PackageProtection]) -> String {
    packages.iter().map(|package| package.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// What runs, which list is in force, and where the open packages would come from.
pub(crate) fn evidence(derived: &Derived) -> Vec<EvidenceLine> {
    let protection = &derived.protection;
    let probe = if protection.auto_upgrade_why.starts_with("`APT::") { ProbeId::AptConfig } else { ProbeId::Updater };
    let list: Vec<String> = protection.blacklist.iter().map(|pattern| format!("`{}`", pattern.text)).collect();
    let list = if list.is_empty() { "is empty".to_owned() } else { list.join(" ") };
    let mut lines = vec![
        EvidenceLine::new(probe, format!("automatic upgrades are on: {}", protection.auto_upgrade_why)),
        EvidenceLine::new(ProbeId::AptConfig, format!("Unattended-Upgrade::Package-Blacklist {list}")),
    ];
    let mut by_source: Vec<(&str, Vec<&str>)> = Vec::new();
    for package in in_state(derived, Protected::Exposed) {
        match by_source.iter_mut().find(|(how, _)| *how == package.how) {
            Some((_, names)) => names.push(&package.name),
            None => by_source.push((&package.how, vec![&package.name])),
        }
    }
    for (how, names) in by_source {
        let it = how.trim_end_matches(" carries it");
        lines.push(EvidenceLine::new(ProbeId::AptPolicy, format!("{it} offers {}", names.join(", "))));
    }
    for package in in_state(derived, Protected::Tied) {
        lines.push(EvidenceLine::new(ProbeId::Packages, format!("{}: {}", package.name, package.how)));
    }
    lines
}

/// Whether freezing the driver makes it necessary to freeze the kernel: its modules are prebuilt for each kernel, or
/// DKMS would build them without the headers that it needs.
pub(crate) fn kernels_to_freeze(look: &Look<'_>, derived: &Derived) -> Vec<String> {
    let kernels = protection::kernel_upgrades(look.evidence);
    let has = |role: Role| derived.driver.packages.iter().any(|package| package.role == role);
    let dkms = has(Role::DkmsSource);
    let builds = dkms && kernels.headers_follow;
    let cannot_build = dkms && kernels.has_headers && !kernels.headers_follow;
    let needed = !kernels.exposed.is_empty() && !builds && (cannot_build || has(Role::KernelModule));
    if needed { kernels.metas } else { Vec::new() }
}

/// The configuration that covers this host's installed packages, in words.
pub(crate) fn fix(look: &Look<'_>, derived: &Derived) -> String {
    let packages: Vec<&str> = derived.protection.packages.iter().map(|package| package.name.as_str()).collect();
    if protection::Ground::survey(look.evidence).bypassed() {
        return format!(
            "A blacklist does not bind what upgrades here ({}). Hold the packages, or take the driver out of that job:\n    {}\n\
             A hold also stops a person's `apt upgrade`; release it for a planned one with `sudo apt-mark unhold`.\n\
             What it costs: the driver gets no automatic security updates.\n",
            derived.protection.auto_upgrade_why,
            remedy::hold_command(&packages)
        );
    }
    let kernels = kernels_to_freeze(look, derived);
    let files = look.evidence.apt_files.known().map(|files| files.files.as_slice()).unwrap_or_default();
    let cleared_in = files
        .iter()
        .filter(|file| file.name_is_read && file.text.as_deref().is_some_and(clears_the_list))
        .map(|file| file.path.as_str())
        .max();
    let wish = Wish { packages: packages.clone(), kernels: kernels.iter().map(String::as_str).collect(), cleared_in };
    remedy::instructions(&remedy::snippet_for(&wish), &packages)
}

/// The text has a `#clear` of the list or of what it stands in.
pub(crate) fn clears_the_list(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().strip_prefix("#clear").is_some_and(clears))
}

/// What follows `#clear` names the list or a node above it.
pub(crate) fn clears(rest: &str) -> bool {
    rest.split([' ', '\t', ';']).any(|key| {
        let key = key.trim_matches('"').trim_end_matches(':');
        key.eq_ignore_ascii_case("Unattended-Upgrade")
            || key.eq_ignore_ascii_case("Unattended-Upgrade::Package-Blacklist")
    })
}
