//! # clock-skew
//!
//! ## What it checks
//! The host's clock differs from the controller's by more than 120 seconds.
//!
//! ## Why it matters
//! Journals are stamped by the host's clock. If the order of an upgrade and the boot decides a verdict, a clock that was
//! set in between can turn it round; then this is a warning.
//!
//! ## Evidence
//! `date +%s` on the host against the time at which the controller received the transcript.
//!
//! ## Fix
//! Let the host keep time by NTP.
//!
//! ## What it does not see
//! A clock that was wrong earlier and is right now. A transcript that was collected by hand is never judged.

use serde_json::json;

use crate::check::{Check, EvidenceLine, Finding, Look, NowSource, Run, Severity, phrase};
use crate::derive::Derived;
use crate::derive::driver::Applicability;
use crate::derive::upgrade::Cause;
use crate::probe::ProbeId;

/// The largest difference that is none.
const TOLERANCE_SECONDS: i64 = 120;

/// The check.
pub const CHECK: Check = Check {
    id: "clock-skew",
    severity: Severity::Info,
    summary: "the host's clock is more than 120 s off",
    source: include_str!("clock_skew.rs"),
    needs: &[],
    symptoms: &["release file is not valid yet", "clock skew detected"],
    run: Run::Host(run),
};

fn run(look: &Look<'_>, derived: &Derived) -> Vec<Finding> {
    if look.context.now_source != NowSource::Controller
        || !matches!(derived.driver.applicability, Applicability::Applies)
    {
        return Vec::new();
    }
    let Some(clock) = look.hint(ProbeId::Clock, &look.evidence.clock).known() else { return Vec::new() };
    let offset = clock.now.duration_since(look.context.now);
    if offset.as_secs().abs() <= TOLERANCE_SECONDS {
        return Vec::new();
    }
    let by_order =
        matches!(derived.upgrade.cause, Some(Cause::UpgradedAfterBoot | Cause::Downgraded | Cause::SurvivedReboot));
    let decides = derived.driver.relation.differs() && by_order;
    let severity = if decides { Severity::Warning } else { Severity::Info };
    let way = if offset.is_negative() { "behind" } else { "ahead of" };
    let why = if decides { ", and the order of upgrade and boot decides this host's verdict" } else { "" };
    let by = phrase::duration(offset);
    vec![Finding {
        check: CHECK.id,
        severity,
        message: format!("the host's clock is {by} {way} the controller's{why}"),
        evidence: vec![EvidenceLine::new(
            ProbeId::Clock,
            format!("the host says {}, the controller {}", phrase::time(clock.now), phrase::time(look.context.now)),
        )],
        fix: "Let the host keep time:\n    timedatectl status\n    sudo timedatectl set-ntp true\n".to_owned(),
        details: phrase::object(json!({ "offset_s": offset.as_secs(), "decides_verdict": decides })),
    }]
}
