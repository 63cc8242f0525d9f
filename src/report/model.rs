//! The report, version 1 (`gpusweep.report/1`): what every format renders and what CI jobs parse.
//!
//! Frozen apart from internals: fields are only ever added. Times are UTC, RFC 3339. A fact that is absent is `null`;
//! one that is unread is `null` and stands in `unverified` or `unread`. Host-supplied text in here is stored as it
//! was read; each format makes it harmless for its own medium.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::check::Severity;
use crate::reading::Reason;

/// The value of `schema`.
pub const SCHEMA: &str = "gpusweep.report/1";

/// One sweep's result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// `gpusweep.report/1`.
    pub schema: String,
    /// What made it.
    pub tool: Tool,
    /// The run.
    pub sweep: Sweep,
    /// Counts.
    pub summary: Summary,
    /// Hosts in inventory order.
    pub hosts: Vec<Host>,
    /// Findings about the fleet.
    pub fleet: Fleet,
}

/// The program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Tool {
    /// `gpusweep`.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// The run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Sweep {
    /// Unique, sortable id.
    pub id: String,
    /// Start.
    #[schemars(with = "String")]
    pub started: Timestamp,
    /// End.
    #[schemars(with = "String")]
    pub finished: Timestamp,
    /// The playbook's name.
    pub playbook: String,
    /// Inventory sources as given.
    pub inventory: Vec<String>,
    /// `--limit` and patterns, if any.
    pub limit: Option<String>,
    /// `I/N`, if sharded: fleet findings are then partial.
    pub shard: Option<String>,
    /// Whom hosts are compared with: `sweep`, `groups`, `gpu-model`, `variable`.
    pub baseline_by: String,
    /// Every selected host stands in `hosts` and was tried.
    pub complete: bool,
}

/// Counts over all hosts, hidden ones too.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// Hosts in the report.
    pub hosts: usize,
    /// Hosts by verdict.
    pub critical: usize,
    /// Hosts by verdict.
    pub unverified: usize,
    /// Hosts by verdict.
    pub warning: usize,
    /// Hosts by verdict.
    pub ok: usize,
    /// Hosts by verdict.
    pub not_applicable: usize,
    /// Waived findings.
    pub waived: usize,
    /// Findings that count, by check id, fleet findings included.
    pub by_check: Map<String, Value>,
}

/// A host's one-word outcome, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// A critical finding.
    Critical,
    /// The host, or a load-bearing fact, could not be read.
    Unverified,
    /// A warning.
    Warning,
    /// Verified, nothing wrong.
    Ok,
    /// Nothing to judge.
    NotApplicable,
}

impl Verdict {
    /// The word as the report spells it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Critical => "critical",
            Self::Unverified => "unverified",
            Self::Warning => "warning",
            Self::Ok => "ok",
            Self::NotApplicable => "not-applicable",
        }
    }
}

/// One host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Host {
    /// Inventory name.
    pub host: String,
    /// What was connected to.
    pub address: String,
    /// Its groups.
    pub groups: Vec<String>,
    /// Outcome.
    pub verdict: Verdict,
    /// Why nothing is judged, when `not-applicable`.
    pub not_applicable_because: Option<String>,
    /// Findings, worst first; waived ones included.
    pub findings: Vec<Finding>,
    /// Load-bearing facts that could not be read.
    pub unverified: Vec<Unread>,
    /// The waiver that covers `unverified`: it then counts in neither verdict nor exit code.
    pub unverified_waived: Option<Waived>,
    /// Other facts that could not be read.
    pub unread: Vec<Unread>,
    /// What was read.
    pub facts: Facts,
    /// What the host is declared to run.
    pub expectation: Option<String>,
    /// The key of its comparison set.
    pub baseline_key: Option<String>,
    /// How long it took.
    pub timing: Timing,
}

/// A finding on a host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// Check id.
    pub check: String,
    /// Severity.
    pub severity: Severity,
    /// What is wrong, with versions, times and actors.
    pub message: String,
    /// What it rests on.
    pub evidence: Vec<Evidence>,
    /// What a person does.
    pub fix: String,
    /// Details for machines.
    pub details: Map<String, Value>,
    /// The waiver that covers it.
    pub waived: Option<Waived>,
}

/// A line of evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// Probe name.
    pub probe: String,
    /// The text.
    pub text: String,
}

/// An applied waiver.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Waived {
    /// Why it was accepted.
    pub reason: String,
    /// The last day, `YYYY-MM-DD`.
    pub until: String,
}

/// A fact that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unread {
    /// `host` or a probe name.
    pub what: String,
    /// The reason's word.
    pub reason: Reason,
    /// What was seen.
    pub detail: String,
}

/// What was read on a host.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Facts {
    /// Version of the module in memory.
    pub loaded_version: Option<String>,
    /// `open` or `proprietary`.
    pub module_flavor: Option<String>,
    /// Version of the library on disk.
    pub library_version: Option<String>,
    /// `file`, `package` or `container`.
    pub library_source: Option<String>,
    /// Driver packages.
    pub driver_packages: Vec<DriverPackage>,
    /// Running kernel.
    pub kernel: Option<String>,
    /// Boot.
    #[schemars(with = "Option<String>")]
    pub booted_at: Option<Timestamp>,
    /// The last real change of the driver on disk.
    pub last_driver_upgrade: Option<DriverUpgrade>,
    /// `on`, `off`, `absent`, `broken`, `unknown`.
    pub auto_upgrade: String,
    /// `full`, `partial`, `none`, `not-needed`, `unknown`.
    pub protection: String,
    /// What protects.
    pub protected_by: Vec<String>,
    /// Packages that are exposed or merely tied.
    pub uncovered: Vec<String>,
    /// The effective blacklist.
    pub blacklist: Vec<String>,
    /// What the next boot will load.
    pub next_boot: Option<NextBoot>,
    /// nvidia-smi's state.
    pub nvidia_smi: Option<NvidiaSmi>,
    /// GPUs on the PCI bus.
    pub gpus: Option<usize>,
    /// Distribution.
    pub os: Option<String>,
    /// The host's clock minus the controller's, in seconds, when both are known.
    pub clock_offset_s: Option<i64>,
}

/// A driver package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DriverPackage {
    /// Name.
    pub name: String,
    /// Version.
    pub version: String,
    /// dpkg's letters.
    pub state: String,
    /// On hold.
    pub held: bool,
    /// Its protection; `null` for packages that need none.
    pub protection: Option<PackageProtection>,
}

/// A package's protection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PackageProtection {
    /// `blocked`, `tied`, `exposed`, `unknown`.
    pub state: String,
    /// By what.
    pub by: Vec<String>,
}

/// A change of the driver.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DriverUpgrade {
    /// When.
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// `unattended-upgrades`, `manual`, `other`, `unknown`.
    pub by: String,
    /// The command line, when recorded.
    pub command: Option<String>,
    /// Version before.
    pub from: Option<String>,
    /// Version after.
    pub to: Option<String>,
    /// Driver packages in Upgrade lists over that run.
    pub packages: usize,
}

/// The next boot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NextBoot {
    /// The expected kernel.
    pub kernel: Option<String>,
    /// The version its NVIDIA module has.
    pub module_version: Option<String>,
    /// `dkms`, `prebuilt`, `none`, `unknown`.
    pub source: String,
    /// The kernel is certain.
    pub certain: bool,
    /// Loaded and library will agree after a reboot; `null` when it cannot be told.
    pub agrees: Option<bool>,
}

/// nvidia-smi's state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NvidiaSmi {
    /// `ok`, `mismatch`, `no-driver`, `no-library`, `no-devices`, `no-permission`, `gpu-lost`, `mixed-userspace`,
    /// `not-installed`, `hung`, `not-started`, `other`.
    pub state: String,
    /// The driver version it reported.
    pub driver_version: Option<String>,
}

/// Durations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Timing {
    /// Until authenticated, in milliseconds; `null` when it never was.
    pub connect_ms: Option<u64>,
    /// In all, in milliseconds.
    pub total_ms: u64,
}

/// The fleet.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Fleet {
    /// Findings.
    pub findings: Vec<FleetFinding>,
}

/// A finding about the fleet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FleetFinding {
    /// Check id.
    pub check: String,
    /// Severity.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// The hosts it marks.
    pub hosts: Vec<String>,
    /// Details for machines.
    pub details: Map<String, Value>,
    /// The waiver that covers it on every host.
    pub waived: Option<Waived>,
}
