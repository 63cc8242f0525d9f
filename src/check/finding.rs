//! What a check says of a host or of the fleet.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::probe::ProbeId;

/// How bad a finding is. The order is the order of badness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Context; leaves a host `ok`.
    Info,
    /// Needs a person this week.
    Warning,
    /// GPU work fails or will fail.
    Critical,
}

impl Severity {
    /// The word as the report spells it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Critical => "critical",
        }
    }
}

/// The text a finding rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvidenceLine {
    /// The probe that read it.
    pub probe: ProbeId,
    /// One line, as the host said it, or the typed reading in words.
    pub text: String,
}

impl EvidenceLine {
    /// One line of evidence.
    pub fn new(probe: ProbeId, text: impl Into<String>) -> Self {
        Self { probe, text: text.into() }
    }
}

/// What a host check found.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The check's id.
    pub check: &'static str,
    /// The check's severity, unless this case differs.
    pub severity: Severity,
    /// One or two sentences with versions, times and actors.
    pub message: String,
    /// What it rests on; never empty.
    pub evidence: Vec<EvidenceLine>,
    /// What a person does about it, commands on lines of their own.
    pub fix: String,
    /// Machine-readable details (`cause`, `by`, `from`, ...).
    pub details: Map<String, Value>,
}

/// What a fleet check found.
#[derive(Debug, Clone, PartialEq)]
pub struct FleetFinding {
    /// The check's id.
    pub check: &'static str,
    /// Severity.
    pub severity: Severity,
    /// One or two sentences.
    pub message: String,
    /// The hosts it marks, in inventory order.
    pub hosts: Vec<String>,
    /// Machine-readable details.
    pub details: Map<String, Value>,
}
