//! # persistenced-down
//!
//! ## What it checks
//! nvidia-persistenced is meant to run and does not, or runs without its socket.
//!
//! ## Why it matters
//! Container runtimes may be told to mount its socket and then fail to start containers; GPUs also come up slowly
//! without it.
//!
//! ## Evidence
//! The state of `nvidia-persistenced.service` and `/run/nvidia-persistenced/socket`. A unit that is `static` (Ubuntu
//! starts it by udev) and inactive is no fault. While the driver is mismatched, this is a consequence named there.
//!
//! ## Fix
//! Start it and read its journal.
//!
//! ## What it does not see
//! A daemon that was started by hand, outside its unit.

use serde_json::json;

use crate::check::{Check, EvidenceLine, Finding, Look, Run, Severity, phrase};
use crate::derive::Derived;
use crate::derive::driver::{Applicability, Relation};
use crate::probe::ProbeId;

/// The check.
pub const CHECK: Check = Check {
    id: "persistenced-down",
    severity: Severity::Info,
    summary: "nvidia-persistenced should run and does not",
    source: include_str!("persistenced_down.rs"),
    needs: &[],
    symptoms: &[
        "open /run/nvidia-persistenced/socket: no such file or directory",
        "failed to query nvidia devices",
        "nvidia-persistenced failed to initialize",
    ],
    run: Run::Host(run),
};

fn run(look: &Look<'_>, derived: &Derived) -> Vec<Finding> {
    if derived.driver.applicability != Applicability::Applies || derived.driver.relation != Relation::Equal {
        return Vec::new();
    }
    let Some(daemon) = look.hint(ProbeId::Persistenced, &look.evidence.persistenced).known() else { return Vec::new() };
    let unit = &daemon.unit;
    // Without systemd nothing is known of what should run.
    if unit.load != "loaded" || unit.active.is_empty() {
        return Vec::new();
    }
    let down = unit.active != "active" && (unit.enabled.starts_with("enabled") || unit.active == "failed");
    let deaf = unit.active == "active" && !daemon.socket;
    if !down && !deaf {
        return Vec::new();
    }
    let socket = if daemon.socket { "its socket exists" } else { "its socket is missing" };
    let what = if down { format!("is {} though {}", unit.active, unit.enabled) } else { "is active".to_owned() };
    vec![Finding {
        check: CHECK.id,
        severity: CHECK.severity,
        message: format!("nvidia-persistenced {what}, and {socket}"),
        evidence: vec![EvidenceLine::new(
            ProbeId::Persistenced,
            format!("nvidia-persistenced.service: {}, {}; {socket}", unit.enabled, unit.active),
        )],
        fix: "Start it and read what it says:\n    sudo systemctl restart nvidia-persistenced\n    journalctl -u \
              nvidia-persistenced -n 20\n"
            .to_owned(),
        details: phrase::object(json!({ "enabled": unit.enabled, "active": unit.active, "socket": daemon.socket })),
    }]
}
