//! # half-upgraded
//!
//! ## What it checks
//! The NVIDIA module in memory and the management library on disk have different versions, and the last real change of
//! the library came after the boot. The two must be the same string: the kernel module refuses any other client.
//!
//! ## Why it matters
//! A driver upgrade replaces the library at once and the module only at the next boot. Until then every new GPU
//! process fails with `Driver/library version mismatch`, while jobs that already run go on and the node still looks
//! ready to a scheduler.
//!
//! ## Evidence
//! The version line of `/proc/driver/nvidia/version`; where the link `libnvidia-ml.so.1` ends, or else the library
//! package's version; the transactions of apt's `history.log`, confirmed by `dpkg.log`, else `dpkg.log` alone with the
//! updater's log as author; the boot time of the kernel. Trial runs, packages kept back and other packages do not
//! count. Who ran the upgrade is told, and never a condition.
//!
//! ## Fix
//! A reboot, if the module file of the kernel that boots next has the library's version; the finding says whether it
//! has. When to reboot is a person's decision, because other services may share the node. A blacklist or a hold keeps
//! it from happening again.
//!
//! ## What it does not see
//! Libraries that a container brings along, and a process that keeps the old library mapped and still works.

use serde_json::Value;

use crate::check::{Check, Finding, Look, Run, Severity, mismatch, phrase, reboot};
use crate::derive::Derived;
use crate::derive::upgrade::Cause;
use crate::probe::ProbeId;

/// The check.
pub const CHECK: Check = Check {
    id: "half-upgraded",
    severity: Severity::Critical,
    summary: "the driver on disk was upgraded after boot, the module in memory is still the old one",
    source: include_str!("half_upgraded.rs"),
    needs: &[ProbeId::Module, ProbeId::Library],
    symptoms: &[
        "driver/library version mismatch",
        "failed to initialize nvml",
        "nvml library version",
        "nvml error: driver/library version mismatch",
        "nvidia-container-cli: initialization error: nvml error",
        "api mismatch: the client",
        "but this kernel module has the version",
        "this kernel module has",
        "open /run/nvidia-persistenced/socket: no such file or directory",
        "failed to fulfil mount request: open /run/nvidia-persistenced",
        "error 803",
        "unsupported display driver / cuda driver combination",
    ],
    run: Run::Host(run),
};

/// At most so many writers are named in the message.
const NAMED: usize = 4;

fn run(look: &Look<'_>, derived: &Derived) -> Vec<Finding> {
    if !derived.driver.relation.differs() || derived.upgrade.cause != Some(Cause::UpgradedAfterBoot) {
        return Vec::new();
    }
    let mut details = mismatch::details(look, derived);
    details.insert("cause".to_owned(), Value::from(Cause::UpgradedAfterBoot.word()));
    vec![Finding {
        check: CHECK.id,
        severity: CHECK.severity,
        message: message(look, derived),
        evidence: mismatch::evidence(look, derived),
        fix: reboot::steps(look, derived),
        details,
    }]
}

fn message(look: &Look<'_>, derived: &Derived) -> String {
    let mut writers: Vec<String> = mismatch::after_boot(derived).map(mismatch::change).collect();
    if writers.len() > NAMED {
        let between = writers.len() - NAMED;
        writers.splice(1..=between, [phrase::count(between, "more change")]);
    }
    let boot = match look.evidence.boot.known() {
        Some(boot) => format!(", after the boot of {}", phrase::time(boot.booted_at)),
        None => ", after the boot".to_owned(),
    };
    let (_, sentence) = reboot::cure(look, derived);
    let cure = if sentence.is_empty() { String::new() } else { format!("; {sentence}") };
    let broken = mismatch::broken_for(look, derived);
    format!("{}: {}{boot}{broken}{cure}", mismatch::sides(derived), writers.join(", then "))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::derive::fixture::{Fixture, NEW, OLD, upgrade_of_all};

    #[test]
    fn names_who_when_from_to_and_how_many() {
        let findings = Fixture::half_upgraded().check("half-upgraded");
        assert_eq!(findings.len(), 1);
        let finding = &findings[0];
        assert_eq!(
            finding.message,
            "loaded module 535.171.04, library 535.183.01 on disk (the library is newer): unattended-upgrades upgraded \
             15 driver packages from 535.171.04 to 535.183.01 on 2026-11-28 06:12 UTC, after the boot of 2026-11-12 09:00 \
             UTC; new GPU work has failed for 3 d; a reboot will cure it: kernel 5.15.0-112-generic has module 535.183.01, \
             the library's version"
        );
        let want = json!({
            "loaded": OLD, "library": NEW, "newer": "library", "by": "unattended-upgrades",
            "command": "/usr/bin/unattended-upgrade", "requested_by": null, "from": OLD, "to": NEW, "packages": 15,
            "at": "2026-11-28T06:12:04Z", "broken_since": "2026-11-28T06:12:04Z", "broken_by": "unattended-upgrades",
            "booted_at": "2026-11-12T09:00:00Z", "reboot_cures": true,
            "consequences": ["nvidia-smi fails: Failed to initialize NVML: Driver/library version mismatch (exit 18)"],
            "changes": [{
                "at": "2026-11-28T06:12:04Z", "by": "unattended-upgrades", "command": "/usr/bin/unattended-upgrade",
                "requested_by": null, "from": OLD, "to": NEW,
            }],
            "cause": "upgraded-after-boot",
        });
        assert_eq!(serde_json::Value::Object(finding.details.clone()), want);
        assert!(finding.fix.contains("sudo systemctl reboot") && finding.fix.contains("kubectl drain"));
        assert!(!finding.fix.contains("dkms"), "{}", finding.fix);
    }

    #[test]
    fn a_manual_command_is_named() {
        let stanza = upgrade_of_all("2026-11-30T14:00:00", "apt upgrade", OLD, NEW);
        let findings = Fixture::half_upgraded().stanzas(vec![stanza]).check("half-upgraded");
        assert!(findings[0].message.contains("the manual command `apt upgrade` upgraded 15 driver packages"));
        assert_eq!(findings[0].details["by"], "manual");
    }

    #[test]
    fn several_writers_are_named_in_order() {
        let step = |day: usize, old: &str, new: &str| {
            upgrade_of_all(&format!("2026-11-{day}T06:00:00"), "apt upgrade", old, new)
        };
        let versions = [OLD, "535.172.01", "535.173.01", "535.174.01", "535.175.01", "535.176.01", NEW];
        let stanzas = versions.windows(2).enumerate().map(|(n, pair)| step(20 + n, pair[0], pair[1])).collect();
        let findings = Fixture::half_upgraded().stanzas(stanzas).check("half-upgraded");
        let message = &findings[0].message;
        assert_eq!(message.matches("the manual command").count(), 4, "{message}");
        assert!(message.contains("on 2026-11-20 06:00 UTC, then 2 more changes, then"), "{message}");
        assert_eq!(findings[0].details["changes"].as_array().map(Vec::len), Some(6));
    }

    #[test]
    fn nothing_when_versions_agree() {
        assert_eq!(Fixture::healthy().check("half-upgraded"), vec![]);
    }
}
