//! `junit`: a suite per host, for CI systems that draw a red cross from it.
//!
//! Each host has a case `verified` (an error when it could not be judged) and a case per finding: a failure from
//! `warning` up, passed for `info`, skipped when waived. Findings about the fleet stand in a suite `fleet`.

use std::fmt::Write;

use crate::check::Severity;
use crate::report::clean;
use crate::report::model::{Evidence, Finding, FleetFinding, Host, Report, Waived};

/// The document.
pub fn render(report: &Report) -> String {
    let mut suites: Vec<Suite> = report.hosts.iter().map(host).collect();
    if !report.fleet.findings.is_empty() {
        suites.push(Suite {
            name: "fleet".to_owned(),
            ms: 0,
            cases: report.fleet.findings.iter().map(fleet).collect(),
        });
    }
    let count = |kind: fn(&Outcome) -> bool| suites.iter().map(|suite| suite.count(kind)).sum::<usize>();
    let spent = (report.sweep.finished.as_millisecond() - report.sweep.started.as_millisecond()).max(0);
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "<testsuites name=\"gpusweep\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3}\">",
        count(|_| true),
        count(Outcome::failed),
        count(Outcome::error),
        count(Outcome::skipped),
        spent as f64 / 1000.0,
    );
    let stamp = report.sweep.started.strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    for suite in &suites {
        suite.write(&stamp, &mut out);
    }
    out.push_str("</testsuites>\n");
    out
}

struct Suite {
    name: String,
    ms: u64,
    cases: Vec<Case>,
}

struct Case {
    name: String,
    outcome: Outcome,
}

enum Outcome {
    Passed(Option<String>),
    Failed { kind: String, message: String, text: String },
    Error { kind: String, message: String, text: String },
    Skipped(String),
}

impl Outcome {
    fn failed(&self) -> bool {
        matches!(self, Self::Failed { .. })
    }

    fn error(&self) -> bool {
        matches!(self, Self::Error { .. })
    }

    fn skipped(&self) -> bool {
        matches!(self, Self::Skipped(_))
    }
}

fn host(host: &Host) -> Suite {
    let mut cases = vec![Case { name: "verified".to_owned(), outcome: verified(host) }];
    cases.extend(host.findings.iter().map(finding));
    Suite { name: host.host.clone(), ms: host.timing.total_ms, cases }
}

fn verified(host: &Host) -> Outcome {
    if let (Some(waived), false) = (&host.unverified_waived, host.unverified.is_empty()) {
        return Outcome::Skipped(waiver(waived));
    }
    let Some(first) = host.unverified.first() else {
        return Outcome::Passed(host.not_applicable_because.as_ref().map(|why| format!("not applicable: {why}")));
    };
    let lines: Vec<String> = host
        .unverified
        .iter()
        .map(|unread| format!("{}: {}: {}", unread.what, unread.reason.word(), clean::line(&unread.detail)))
        .collect();
    Outcome::Error {
        kind: first.reason.word().to_owned(),
        message: lines.first().cloned().unwrap_or_default(),
        text: lines.join("\n"),
    }
}

fn finding(finding: &Finding) -> Case {
    let text = body(&finding.message, &finding.evidence, &finding.fix, &finding.check);
    case(&finding.check, finding.severity, &finding.message, text, finding.waived.as_ref())
}

fn fleet(finding: &FleetFinding) -> Case {
    let text = format!("{}\nhosts: {}", clean::line(&finding.message), finding.hosts.join(" "));
    case(&finding.check, finding.severity, &finding.message, text, finding.waived.as_ref())
}

fn case(check: &str, severity: Severity, message: &str, text: String, waived: Option<&Waived>) -> Case {
    let outcome = match (waived, severity) {
        (Some(waived), _) => Outcome::Skipped(waiver(waived)),
        (None, Severity::Info) => Outcome::Passed(Some(text)),
        (None, severity) => Outcome::Failed { kind: severity.word().to_owned(), message: clean::line(message), text },
    };
    Case { name: check.to_owned(), outcome }
}

fn waiver(waived: &Waived) -> String {
    format!("waived until {}: {}", waived.until, waived.reason)
}

fn body(message: &str, evidence: &[Evidence], fix: &str, check: &str) -> String {
    let mut text = clean::line(message);
    for line in evidence {
        let _ = write!(text, "\nevidence: {}: {}", line.probe, clean::line(&line.text));
    }
    if !fix.trim().is_empty() {
        let _ = write!(text, "\nfix: {}", clean::block(fix).trim_end());
    }
    let _ = write!(text, "\nmore: gpusweep explain {check}");
    text
}

impl Suite {
    fn count(&self, kind: fn(&Outcome) -> bool) -> usize {
        self.cases.iter().filter(|case| kind(&case.outcome)).count()
    }

    fn write(&self, stamp: &str, out: &mut String) {
        let time = self.ms as f64 / 1000.0;
        let name = xml(&self.name);
        let _ = writeln!(
            out,
            "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{time:.3}\" \
             timestamp=\"{stamp}\">",
            self.cases.len(),
            self.count(Outcome::failed),
            self.count(Outcome::error),
            self.count(Outcome::skipped),
        );
        for case in &self.cases {
            let head = format!("    <testcase name=\"{}\" classname=\"{name}\"", xml(&case.name));
            let _ = match &case.outcome {
                Outcome::Passed(None) => writeln!(out, "{head}/>"),
                Outcome::Passed(Some(text)) => {
                    writeln!(out, "{head}>\n      <system-out>{}</system-out>\n    </testcase>", xml(text))
                }
                Outcome::Skipped(why) => {
                    writeln!(out, "{head}>\n      <skipped message=\"{}\"/>\n    </testcase>", xml(why))
                }
                Outcome::Failed { kind, message, text } => trouble(out, &head, "failure", kind, message, text),
                Outcome::Error { kind, message, text } => trouble(out, &head, "error", kind, message, text),
            };
        }
        out.push_str("  </testsuite>\n");
    }
}

fn trouble(out: &mut String, head: &str, tag: &str, kind: &str, message: &str, text: &str) -> std::fmt::Result {
    writeln!(
        out,
        "{head}>\n      <{tag} type=\"{}\" message=\"{}\">{}</{tag}>\n    </testcase>",
        xml(kind),
        xml(message),
        xml(text)
    )
}

/// Escaped for text and attributes; characters that XML 1.0 cannot hold are gone.
fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in clean::block(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    #[test]
    fn the_fixed_fleet() {
        insta::assert_snapshot!("junit", render(&fixture::fleet()));
    }

    #[test]
    fn markup_cannot_break_out() {
        assert_eq!(xml("]]><a b=\"c'\">&\u{1b}[1m\u{0}"), "]]&gt;&lt;a b=&quot;c&apos;&quot;&gt;&amp;");
    }
}
