//! `nagios`: one status line and performance data in the monitoring plugins' convention.

use crate::check::Severity;
use crate::report::model::{Report, Verdict};
use crate::report::words::count;
use crate::report::{clean, fold};

/// A plugin's state, with its exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// 0
    Ok,
    /// 1
    Warning,
    /// 2
    Critical,
    /// 3
    Unknown,
}

impl State {
    /// The plugin's exit code.
    pub fn code(self) -> u8 {
        match self {
            Self::Ok => 0,
            Self::Warning => 1,
            Self::Critical => 2,
            Self::Unknown => 3,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Ok => "OK",
            Self::Warning => "WARNING",
            Self::Critical => "CRITICAL",
            Self::Unknown => "UNKNOWN",
        }
    }
}

/// The worst there is: critical, then unverified or an incomplete sweep, then warning. Fleet findings count.
pub fn state(report: &Report) -> State {
    let any = |verdict| report.hosts.iter().any(|host| host.verdict == verdict);
    let fleet = |severity| report.fleet.findings.iter().any(|f| f.waived.is_none() && f.severity == severity);
    if any(Verdict::Critical) || fleet(Severity::Critical) {
        State::Critical
    } else if any(Verdict::Unverified) || !report.sweep.complete || report.hosts.is_empty() {
        State::Unknown
    } else if any(Verdict::Warning) || fleet(Severity::Warning) {
        State::Warning
    } else {
        State::Ok
    }
}

/// The status line with its performance data.
pub fn render(report: &Report) -> String {
    let mut parts: Vec<String> = Vec::new();
    for verdict in [Verdict::Critical, Verdict::Unverified, Verdict::Warning] {
        let names: Vec<String> = report
            .hosts
            .iter()
            .filter(|host| host.verdict == verdict)
            .map(|host| clean::line(&host.host).replace(['|', '\''], "_"))
            .collect();
        if !names.is_empty() {
            parts.push(format!("{} {} ({})", names.len(), verdict.word(), fold::fold(&names)));
        }
    }
    if !report.sweep.complete {
        parts.push("sweep incomplete".to_owned());
    }
    if parts.is_empty() {
        parts.push("no host needs attention".to_owned());
    }
    let summary = &report.summary;
    let seconds =
        (report.sweep.finished.as_millisecond() - report.sweep.started.as_millisecond()).max(0) as f64 / 1000.0;
    format!(
        "GPUSWEEP {} - {} of {} | critical={};;0 unverified={};;;0 warning={};0 ok={} not_applicable={} waived={} time={seconds:.1}s\n",
        state(report).word(),
        parts.join(", "),
        count(summary.hosts, "host", "hosts"),
        summary.critical,
        summary.unverified,
        summary.warning,
        summary.ok,
        summary.not_applicable,
        summary.waived,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    #[test]
    fn one_line_with_the_worst_first() {
        assert_eq!(
            render(&fixture::fleet()),
            "GPUSWEEP CRITICAL - 1 critical (gpu-04), 3 unverified (gpu-[06-07,09]), 2 warning (gpu-[03,05]) of 10 hosts \
             | critical=1;;0 unverified=3;;;0 warning=2;0 ok=3 not_applicable=1 waived=1 time=5.0s\n"
        );
    }

    #[test]
    fn states_in_their_order() {
        let mut report = fixture::fleet();
        assert_eq!(state(&report), State::Critical);
        report.hosts.retain(|host| host.verdict != Verdict::Critical);
        assert_eq!(state(&report), State::Unknown);
        report.hosts.retain(|host| host.verdict != Verdict::Unverified);
        assert_eq!(state(&report).code(), 1);
        report.hosts.retain(|host| host.verdict != Verdict::Warning);
        assert_eq!(state(&report), State::Warning, "drift alone is a warning");
        report.fleet.findings.clear();
        assert_eq!(state(&report), State::Ok);
        report.sweep.complete = false;
        assert_eq!(state(&report), State::Unknown);
        report.sweep.complete = true;
        report.hosts.clear();
        assert_eq!(state(&report), State::Unknown, "nothing seen is not ok");
    }
}
