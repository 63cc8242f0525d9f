//! # unconfigured
//!
//! ## What it checks
//! Something upgrades packages on this host without being asked, and nothing keeps it off a single driver package.
//!
//! ## Why it matters
//! The night a new driver is on offer, the library on disk moves ahead of the module in memory. From then on every new
//! GPU process fails, while the node still looks healthy.
//!
//! ## Evidence
//! The switches and the timer that start the updater; the effective blacklist, whitelist, holds and pins; and the
//! sources that apt knows for each installed driver package, matched against the updater's allowed origins.
//!
//! ## Fix
//! The finding prints the apt configuration file that covers exactly the packages installed there. Its price: no
//! automatic security updates of the driver. A hold also stops a person's `apt upgrade`, a blacklist does not.
//! `gpusweep explain unconfigured --snippet` prints one for provisioning a fleet.
//!
//! ## What it does not see
//! Upgraders outside the host: a configuration-management run that starts elsewhere leaves nothing to read here.

use serde_json::json;

use crate::check::{Check, Finding, Look, Run, Severity, exposure, phrase};
use crate::derive::Derived;
use crate::derive::protection::{Level, Protected};
use crate::probe::ProbeId;

/// The check.
pub const CHECK: Check = Check {
    id: "unconfigured",
    severity: Severity::Warning,
    summary: "automatic upgrades run and nothing keeps them off the driver",
    source: include_str!("unconfigured.rs"),
    needs: &[ProbeId::Packages, ProbeId::Updater, ProbeId::AptConfig, ProbeId::AptPolicy, ProbeId::AptPreferences],
    symptoms: &[],
    run: Run::Host(run),
};

fn run(look: &Look<'_>, derived: &Derived) -> Vec<Finding> {
    if !exposure::applies(derived) || derived.protection.level != Some(Level::None) {
        return Vec::new();
    }
    let open = exposure::in_state(derived, Protected::Exposed);
    let names: Vec<&str> = open.iter().map(|package| package.name.as_str()).collect();
    vec![Finding {
        check: CHECK.id,
        severity: CHECK.severity,
        message: format!(
            "automatic upgrades run ({}) and nothing keeps them off the driver: {} open: {}",
            derived.protection.auto_upgrade_why,
            phrase::count(open.len(), "package"),
            exposure::names(&open)
        ),
        evidence: exposure::evidence(derived),
        fix: exposure::fix(look, derived),
        details: phrase::object(json!({ "exposed": names })),
    }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derive::protection::sample::Host;

    #[test]
    fn an_open_host_is_named_with_its_file() {
        let host = Host::ubuntu(&["libnvidia-compute-535", "cuda-drivers"]);
        let findings = host.check(run);
        assert_eq!(findings.len(), 1);
        assert_eq!(
            findings[0].message,
            "automatic upgrades run (`APT::Periodic::Unattended-Upgrade` is `1`, and apt-daily-upgrade.timer starts it) and \
             nothing keeps them off the driver: 2 packages open: libnvidia-compute-535, cuda-drivers"
        );
        assert!(findings[0].fix.contains("/etc/apt/apt.conf.d/51gpusweep-nvidia-no-auto-upgrade"));
        assert!(findings[0].fix.contains("        \"cuda-drivers\";\n"));
        assert!(findings[0].fix.contains("no automatic security updates"));
        assert!(findings[0].fix.contains("A hold also stops a person's `apt upgrade`"));
    }

    #[test]
    fn silent_when_off_protected_or_partly_protected() {
        let mut host = Host::ubuntu(&["libnvidia-compute-535", "nvidia-utils-535"]);
        assert_eq!(host.clone().blacklist(&["nvidia-"]).check(run), vec![]);
        assert_eq!(host.clone().blacklist(&["nvidia-", "libnvidia-"]).check(run), vec![]);
        assert_eq!(host.set("APT::Periodic::Enable", "0").check(run), vec![]);
    }

    #[test]
    fn another_scheduler_is_answered_with_holds() {
        let mut host = Host::ubuntu(&["libnvidia-compute-535"]);
        host.blacklist(&["libnvidia-"]);
        host.updater().other_schedulers.push(("/etc/cron.d/patch".into(), "0 4 * * 0 root apt-get -y upgrade".into()));
        let findings = host.check(run);
        assert!(findings[0].fix.contains("    sudo apt-mark hold libnvidia-compute-535\n"));
    }
}
