//! The judgement: package by package, the way the updater would decide tonight.

use crate::check::Look;
use crate::derive::driver::{Applicability, Driver, DriverPackage, LibrarySource, Role};
use crate::derive::protection::rules::Rules;
use crate::derive::protection::{AutoUpgrade, Ground, Guard, Level, PackageProtection, Protected, Protection, truth};
use crate::derive::version;
use crate::probe::ProbeId;
use crate::reading::{Reason, Unread};

/// Works out the protection.
pub fn derive(look: &Look<'_>, driver: &Driver) -> Protection {
    let evidence = look.evidence;
    let auto_reboot = truth::find_b(
        evidence.apt_config.known().and_then(|config| config.get("Unattended-Upgrade::Automatic-Reboot")),
        false,
    );
    let mut out = Protection {
        auto_upgrade: AutoUpgrade::Unknown,
        auto_upgrade_why: String::new(),
        level: None,
        by: Vec::new(),
        packages: Vec::new(),
        blacklist: Vec::new(),
        auto_reboot,
        nothing_eligible: false,
    };
    let ground = Ground::survey(evidence);
    out.auto_upgrade = ground.state();
    out.auto_upgrade_why = ground.why();
    out.blacklist = ground.rules.as_ref().map(Rules::patterns).unwrap_or_default();
    if let Applicability::NotApplicable(_) = driver.applicability {
        out.level = Some(Level::NotNeeded);
        return out;
    }
    if let Some(updater) = evidence.updater.known().filter(|updater| !updater.running.is_empty()) {
        let names = updater.running.join(", ");
        look.miss(ProbeId::Updater, Unread::new(Reason::UpgradeRunning, format!("{names} is running")));
    }
    if let Some(updater) = evidence.updater.known().filter(|updater| !updater.schedulers_denied.is_empty()) {
        let files = updater.schedulers_denied.join(", ");
        let why = format!("{files}: closed to the login user, and may run apt by itself");
        look.lack(ProbeId::Updater, Unread::new(Reason::PermissionDenied, why));
    }
    out.nothing_eligible = ground.nothing_eligible();
    if driver.library_source == LibrarySource::Container {
        out.level = Some(Level::NotNeeded);
        return out;
    }
    let scope: Vec<&DriverPackage> = driver.packages.iter().filter(|package| in_scope(package)).collect();
    if scope.is_empty() {
        if look.need(ProbeId::Packages, &evidence.packages).why_unread().is_none() {
            out.level = Some(Level::NotNeeded);
        }
        return out;
    }
    let names: Vec<&str> = scope.iter().map(|package| package.name.as_str()).collect();
    let verdicts = ground.judge(&names);
    let mut missing = Vec::new();
    let mut counts = Vec::new();
    for (package, verdict) in scope.iter().zip(verdicts) {
        let (mut state, by, how) = verdict.outcome(&mut missing);
        // Firmware with the version in its name is never replaced: the next release comes in under a new name. Being
        // open it exposes nothing.
        if is_versioned_firmware(package) && state != Protected::Blocked {
            continue;
        }
        if state == Protected::Blocked && by.is_empty() {
            state = Protected::Tied;
        }
        counts.push(!is_versioned_firmware(package));
        out.packages.push(PackageProtection { name: package.name.clone(), state, by, how });
    }
    let counted: Vec<&PackageProtection> =
        out.packages.iter().zip(counts).filter_map(|(judged, counts)| counts.then_some(judged)).collect();
    out.level = level(&counted);
    out.by = counted.iter().flat_map(|package| package.by.iter().copied()).collect();
    out.by.sort_unstable();
    out.by.dedup();
    if out.level == Some(Level::Full) {
        // Not needed for that; but whether anything upgrades at all is a fact of the report that stays open.
        for (probe, why) in ground.missing() {
            look.lack(*probe, why.clone());
        }
    } else {
        for (probe, why) in missing {
            look.miss(probe, why);
        }
    }
    out
}

/// Packages whose fate is judged: not those with a version of their own.
fn in_scope(package: &DriverPackage) -> bool {
    package.role != Role::OwnVersion
}

fn is_versioned_firmware(package: &DriverPackage) -> bool {
    package.role == Role::Firmware && package.name.contains(version::upstream(&package.version))
}

fn level(packages: &[&PackageProtection]) -> Option<Level> {
    let any = |state: Protected| packages.iter().any(|package| package.state == state);
    let stuck = any(Protected::Blocked) || any(Protected::Tied);
    let open = any(Protected::Exposed) || any(Protected::Tied);
    match (stuck, open, any(Protected::Unknown)) {
        (true, true, _) => Some(Level::Partial),
        (_, _, true) => None,
        (true, false, false) => Some(Level::Full),
        (false, true, false) => Some(Level::None),
        // Only firmware that needs no guard.
        (false, false, false) => Some(Level::NotNeeded),
    }
}

/// What one package comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Kept by these, in these words.
    Blocked(Vec<Guard>, String),
    /// Kept only because another is.
    Tied(String),
    /// Open.
    Exposed(String),
    /// Not known, for want of these.
    Unknown(Vec<(ProbeId, Unread)>),
}

impl Verdict {
    fn outcome(self, missing: &mut Vec<(ProbeId, Unread)>) -> (Protected, Vec<Guard>, String) {
        match self {
            Self::Blocked(by, how) => (Protected::Blocked, by, how),
            Self::Tied(how) => (Protected::Tied, Vec::new(), how),
            Self::Exposed(how) => (Protected::Exposed, Vec::new(), how),
            Self::Unknown(facts) => {
                let how = facts.first().map(|(_, why)| why.detail.clone()).unwrap_or_default();
                missing.extend(facts);
                (Protected::Unknown, Vec::new(), how)
            }
        }
    }
}
