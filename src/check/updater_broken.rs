//! # updater-broken
//!
//! ## What it checks
//! unattended-upgrades is on and cannot run: a pattern that is no valid Python regular expression, a configuration that
//! apt refuses, an origin it cannot parse, or a list that makes it stop half-way.
//!
//! ## Why it matters
//! The host gets no automatic upgrades at all, security fixes included, and nobody is told: the error stands only in its
//! log. The driver is not protected either; the day somebody repairs the list it is open.
//!
//! ## Evidence
//! Each pattern compiled as Python would; apt's own message; the allowed origins read as the updater reads them. A
//! pattern with capital letters counts when it catches an installed package without regard to case and misses it with:
//! since version 2.0 the updater stops there.
//!
//! ## Fix
//! Correct the entry that is named. `nvidia-` is a whole pattern: it matches at the start of the name, no star needed.
//!
//! ## What it does not see
//! Other reasons for a failing run, such as an interrupted dpkg or a full disk.

use serde_json::json;

use crate::check::{Check, EvidenceLine, Finding, Look, Run, Severity, exposure, phrase};
use crate::derive::Derived;
use crate::derive::driver::Applicability;
use crate::derive::protection::AutoUpgrade;
use crate::probe::ProbeId;

/// The check.
pub const CHECK: Check = Check {
    id: "updater-broken",
    severity: Severity::Warning,
    summary: "unattended-upgrades cannot run: no security updates either",
    source: include_str!("updater_broken.rs"),
    needs: &[ProbeId::Updater, ProbeId::AptConfig],
    symptoms: &[
        "nothing to repeat",
        "extra junk at end of file",
        "extra junk after value",
        "'nonetype' object has no attribute 'version'",
        "unable to parse unattended-upgrade::allowed-origins",
    ],
    run: Run::Host(run),
};

fn run(look: &Look<'_>, derived: &Derived) -> Vec<Finding> {
    let protection = &derived.protection;
    if derived.driver.applicability != Applicability::Applies || protection.auto_upgrade != AutoUpgrade::Broken {
        return Vec::new();
    }
    let why = &protection.auto_upgrade_why;
    let mut evidence = vec![EvidenceLine::new(ProbeId::AptConfig, why.clone())];
    for pattern in &protection.blacklist {
        if let Some(error) = &pattern.invalid {
            let text = format!("Unattended-Upgrade::Package-Blacklist:: \"{}\": {error}", pattern.text);
            evidence.push(EvidenceLine::new(ProbeId::AptConfig, text));
        }
    }
    evidence.extend(last_error(look));
    let open = !protection.packages.is_empty();
    let mut fix = format!("Correct the configuration: {why}.\n");
    for pattern in protection.blacklist.iter().filter(|pattern| pattern.invalid.is_some()) {
        let meant: String = pattern.text.trim_matches(['*', '+', '?']).to_owned();
        let meant = if pattern.text.starts_with('*') { format!(".*{meant}") } else { meant };
        fix.push_str(&format!(
            "In place of \"{}\"; write \"{meant}\"; (a regular expression, matched at the start of the name)\n",
            pattern.text
        ));
    }
    fix.push_str("See that it runs:\n    sudo unattended-upgrade --dry-run --debug\n");
    if open {
        fix.push_str("\nOnce it runs, the driver needs its list:\n");
        fix.push_str(&exposure::fix(look, derived));
    }
    vec![Finding {
        check: CHECK.id,
        severity: CHECK.severity,
        message: format!(
            "unattended-upgrades is on and cannot run, so the host gets no automatic security updates: {why}"
        ),
        evidence,
        fix,
        details: phrase::object(json!({ "error": why })),
    }]
}

/// The updater's own word on its last failure, where its log is readable.
fn last_error(look: &Look<'_>) -> Option<EvidenceLine> {
    let log = look.hint(ProbeId::UpdaterLog, &look.evidence.updater_log).known()?;
    let run = log.runs.last().filter(|run| !run.errors.is_empty() && !run.dry_run)?;
    let text = run.errors.last().map(String::as_str).unwrap_or_default();
    Some(EvidenceLine::new(ProbeId::UpdaterLog, format!("{}: {text}", run.started)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::unconfigured;
    use crate::derive::protection::sample::Host;

    #[test]
    fn an_invalid_pattern_is_named_with_what_to_write() {
        let mut host = Host::ubuntu(&["libnvidia-compute-535"]);
        let findings = host.blacklist(&["*nvidia*"]).check(run);
        assert_eq!(
            findings[0].message,
            "unattended-upgrades is on and cannot run, so the host gets no automatic security updates: `*nvidia*` in \
             `Package-Blacklist` is no valid Python regular expression: nothing to repeat"
        );
        assert!(findings[0].fix.contains("write \".*nvidia\";"));
        let crate::check::Run::Host(unconfigured) = unconfigured::CHECK.run else { panic!("a host check") };
        assert_eq!(host.check(unconfigured), vec![]);
    }

    #[test]
    fn silent_when_it_runs_or_is_off() {
        let mut host = Host::ubuntu(&["libnvidia-compute-535"]);
        assert_eq!(host.check(run), vec![]);
        host.blacklist(&["*nvidia*"]).set("APT::Periodic::Unattended-Upgrade", "0");
        assert_eq!(host.check(run), vec![]);
    }
}
