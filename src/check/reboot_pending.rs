//! # reboot-pending
//!
//! ## What it checks
//! The distribution's own flag says that a reboot is wanted.
//!
//! ## Why it matters
//! Context: a reboot that is due anyway can cure a mismatch, and one that somebody else triggers can lose the driver.
//!
//! ## Evidence
//! `/run/reboot-required` and the packages it lists. A driver upgrade alone never sets the flag, so its absence proves
//! nothing.
//!
//! ## Fix
//! Reboot in a maintenance window, after a look at `reboot-loses-driver`.
//!
//! ## What it does not see
//! Hosts without the flag's package (update-notifier-common, reboot-notifier).

use serde_json::json;

use crate::check::{Check, EvidenceLine, Finding, Look, Run, Severity, phrase};
use crate::derive::Derived;
use crate::derive::driver::Applicability;
use crate::probe::ProbeId;

/// The check.
pub const CHECK: Check = Check {
    id: "reboot-pending",
    severity: Severity::Info,
    summary: "the distribution's own flag asks for a reboot",
    source: include_str!("reboot_pending.rs"),
    needs: &[],
    symptoms: &["system restart required"],
    run: Run::Host(run),
};

fn run(look: &Look<'_>, derived: &Derived) -> Vec<Finding> {
    if !matches!(derived.driver.applicability, Applicability::Applies) {
        return Vec::new();
    }
    let Some(flag) = look.hint(ProbeId::RebootRequired, &look.evidence.reboot_required).known() else {
        return Vec::new();
    };
    let by = if flag.packages.is_empty() { String::new() } else { format!(" by {}", flag.packages.join(", ")) };
    let sentence = &derived.next_boot.sentence;
    let next = if sentence.is_empty() { String::new() } else { format!("; {sentence}") };
    vec![Finding {
        check: CHECK.id,
        severity: CHECK.severity,
        message: format!("a reboot is asked for{by}{next}"),
        evidence: vec![EvidenceLine::new(ProbeId::RebootRequired, format!("/run/reboot-required exists{by}"))],
        fix: "Reboot when a person decides; other services may share the node:\n    sudo systemctl reboot\n".to_owned(),
        details: phrase::object(json!({ "packages": flag.packages })),
    }]
}
