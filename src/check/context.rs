//! What judgement is given beside the evidence: pure values, resolved before it begins.

use jiff::Timestamp;

/// Whose clock "now" is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NowSource {
    /// The controller's receive time, stored with the transcript.
    #[default]
    Controller,
    /// The host's own clock: a transcript collected by hand. Never yields `clock-skew`.
    Host,
}

/// One host's circumstances.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostContext {
    /// The host's name in reports.
    pub host: String,
    /// Now.
    pub now: Timestamp,
    /// Whose clock that is.
    pub now_source: NowSource,
    /// The driver that this host is declared to have: `gpusweep_expect_driver`, else the playbook's.
    pub expect_driver: Option<String>,
    /// The probes the playbook runs; a check whose hint was never asked for is not "unread".
    pub probes: Vec<crate::probe::ProbeId>,
}

/// Whom a host is compared with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum BaselineBy {
    /// All hosts of the sweep.
    #[default]
    Sweep,
    /// Hosts of one of these groups.
    Groups(Vec<String>),
    /// Hosts with the same GPU model.
    GpuModel,
    /// Hosts with the same value of an inventory variable.
    Variable(String),
}
