//! Every exit code. They are API.

use crate::check::Severity;
use crate::report::model::Report;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitCode {
    /// Every selected host verified, nothing at or above `--fail-on`.
    Clean,
    /// A finding at or above `--fail-on`.
    Findings,
    /// Bad flags, inventory or playbook; nothing was contacted.
    Usage,
    /// No such finding, but something is unverified.
    Unverified,
    /// gpusweep itself failed.
    Internal,
    /// SIGINT.
    Interrupted,
    /// SIGTERM.
    Terminated,
    /// `--format nagios`: the plugin convention's own number.
    Nagios(u8),
}

impl ExitCode {
    /// The number.
    pub fn code(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Findings => 1,
            Self::Usage => 2,
            Self::Unverified => 3,
            Self::Internal => 4,
            Self::Interrupted => 130,
            Self::Terminated => 143,
            Self::Nagios(code) => code,
        }
    }
}

/// From which severity a finding fails the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum FailOn {
    /// Critical findings only.
    Critical,
    /// Warnings and worse.
    Warning,
    /// Any finding.
    Info,
    /// No finding; unverified hosts still do.
    Never,
}

impl FailOn {
    fn reached(self, severity: Severity) -> bool {
        match self {
            Self::Critical => severity >= Severity::Critical,
            Self::Warning => severity >= Severity::Warning,
            Self::Info => true,
            Self::Never => false,
        }
    }
}

/// The signal that ended a run early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interruption {
    /// Ctrl-C.
    Interrupt,
    /// SIGTERM.
    Terminate,
}

/// The code of a finished run. Priority: 130/143, 2, 4, 1, 3, 0 (2 never gets here: nothing was contacted).
pub fn of_report(
    report: &Report,
    fail_on: FailOn,
    allow_unverified: bool,
    interruption: Option<Interruption>,
    output_failed: bool,
) -> ExitCode {
    match interruption {
        Some(Interruption::Interrupt) => return ExitCode::Interrupted,
        Some(Interruption::Terminate) => return ExitCode::Terminated,
        None => {}
    }
    if output_failed {
        return ExitCode::Internal;
    }
    let on_hosts = report.hosts.iter().flat_map(|host| &host.findings).filter(|f| f.waived.is_none());
    let on_fleet = report.fleet.findings.iter().filter(|f| f.waived.is_none());
    let mut severities = on_hosts.map(|f| f.severity).chain(on_fleet.map(|f| f.severity));
    if severities.any(|severity| fail_on.reached(severity)) {
        return ExitCode::Findings;
    }
    if !allow_unverified && unverified(report) {
        return ExitCode::Unverified;
    }
    ExitCode::Clean
}

/// The monitoring plugin convention: 0 OK, 1 WARNING, 2 CRITICAL, 3 UNKNOWN.
pub fn nagios(report: &Report) -> ExitCode {
    ExitCode::Nagios(crate::report::nagios::state(report).code())
}

fn unverified(report: &Report) -> bool {
    !report.sweep.complete || report.hosts.iter().any(|h| !h.unverified.is_empty() && h.unverified_waived.is_none())
}
