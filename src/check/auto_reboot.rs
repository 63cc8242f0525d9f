//! # auto-reboot
//!
//! ## What it checks
//! `Unattended-Upgrade::Automatic-Reboot` is on while unattended-upgrades runs.
//!
//! ## Why it matters
//! The machine decides when its jobs die, not a person. With a driver that is open to automatic upgrades it also decides
//! when the half-upgraded state begins to be cured, or turns into a node without a driver: then this is a warning.
//!
//! ## Evidence
//! apt's effective configuration. A reboot happens only when a package has set the reboot flag; a driver upgrade alone
//! never does.
//!
//! ## Fix
//! Set it to `false` and reboot in a maintenance window.
//!
//! ## What it does not see
//! Other tools that reboot, such as kured or a cloud's own scheduler.

use serde_json::json;

use crate::check::{Check, EvidenceLine, Finding, Look, Run, Severity, exposure, phrase};
use crate::derive::Derived;
use crate::derive::protection::Protected;
use crate::probe::ProbeId;

/// The check.
pub const CHECK: Check = Check {
    id: "auto-reboot",
    severity: Severity::Info,
    summary: "the updater may reboot the machine by itself",
    source: include_str!("auto_reboot.rs"),
    needs: &[],
    symptoms: &[],
    run: Run::Host(run),
};

fn run(look: &Look<'_>, derived: &Derived) -> Vec<Finding> {
    if !exposure::applies(derived) || !derived.protection.auto_reboot {
        return Vec::new();
    }
    let exposed = !exposure::in_state(derived, Protected::Exposed).is_empty();
    let config = look.evidence.apt_config.known();
    let setting = |key: &str| config.and_then(|config| config.get(key)).map(str::to_owned);
    let at = setting("Unattended-Upgrade::Automatic-Reboot-Time");
    let when = at.as_deref().map(|at| format!(" at {at}")).unwrap_or_default();
    let value = setting("Unattended-Upgrade::Automatic-Reboot").unwrap_or_default();
    let consequence = if exposed { "; the driver is open to the same updater" } else { "" };
    vec![Finding {
        check: CHECK.id,
        severity: if exposed { Severity::Warning } else { Severity::Info },
        message: format!("the machine, not a person, decides on reboots: Automatic-Reboot is on{when}{consequence}"),
        evidence: vec![EvidenceLine::new(
            ProbeId::AptConfig,
            format!("Unattended-Upgrade::Automatic-Reboot \"{value}\""),
        )],
        fix: "In /etc/apt/apt.conf.d/52local (or where it is set now):\n    Unattended-Upgrade::Automatic-Reboot \"false\";\n"
            .to_owned(),
        details: phrase::object(json!({ "at": at, "driver_exposed": exposed })),
    }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derive::protection::sample::Host;

    #[test]
    fn info_when_protected_and_warning_when_exposed() {
        let mut host = Host::ubuntu(&["libnvidia-compute-535"]);
        assert_eq!(host.check(run), vec![]);
        host.set("Unattended-Upgrade::Automatic-Reboot", "true")
            .set("Unattended-Upgrade::Automatic-Reboot-Time", "02:00");
        let findings = host.check(run);
        assert_eq!(findings[0].severity, Severity::Warning);
        assert_eq!(
            findings[0].message,
            "the machine, not a person, decides on reboots: Automatic-Reboot is on at 02:00; the driver is open to the same \
             updater"
        );
        assert_eq!(host.blacklist(&["libnvidia-"]).check(run)[0].severity, Severity::Info);
    }
}
