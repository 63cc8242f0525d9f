//! One row per host or per set of hosts that a reader need not tell apart.

use std::collections::HashMap;

use jiff::Timestamp;

use crate::check::Severity;
use crate::report::clean;
use crate::report::model::{Host, Report, Verdict};
use crate::report::words;

/// A row before it is laid out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Outcome.
    pub verdict: Verdict,
    /// Names, not yet folded.
    pub hosts: Vec<String>,
    /// Why: ids of findings that count, or reasons of unread facts.
    pub why: Vec<String>,
    /// Ids of fleet findings that mark it.
    pub marks: Vec<String>,
    /// Version in memory.
    pub loaded: Option<String>,
    /// Version on disk.
    pub library: Option<String>,
    /// Who upgraded, if all hosts of the row agree.
    pub by: Option<String>,
    /// When each of them was upgraded.
    pub upgraded: Vec<Timestamp>,
    /// When each of them booted.
    pub booted: Vec<Timestamp>,
    /// Protection in words.
    pub protection: (String, Option<String>),
    /// The next boot in words.
    pub boot: (String, Option<&'static str>),
}

impl Row {
    /// Both versions are known and differ.
    pub fn differs(&self) -> bool {
        matches!((&self.loaded, &self.library), (Some(a), Some(b)) if a != b)
    }
}

/// All rows, the worst first, else in inventory order.
pub fn rows(report: &Report, now: Timestamp) -> Vec<Row> {
    let mut marks: HashMap<&str, Vec<String>> = HashMap::new();
    for finding in report.fleet.findings.iter().filter(|f| f.severity >= Severity::Warning && f.waived.is_none()) {
        for host in &finding.hosts {
            push_once(marks.entry(host).or_default(), clean::line(&finding.check));
        }
    }
    let mut rows: Vec<Row> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for host in &report.hosts {
        let row = row(host, marks.get(host.host.as_str()).cloned().unwrap_or_default());
        let at = *known.entry(key(&row, now)).or_insert(rows.len());
        match rows.get_mut(at) {
            Some(same) => join(same, row),
            None => rows.push(row),
        }
    }
    rows.sort_by_key(|row| row.verdict);
    rows
}

fn row(host: &Host, marks: Vec<String>) -> Row {
    let facts = &host.facts;
    Row {
        verdict: host.verdict,
        hosts: vec![clean::line(&host.host)],
        why: why(host),
        marks,
        loaded: facts.loaded_version.as_deref().map(clean::line),
        library: facts.library_version.as_deref().map(clean::line),
        by: facts.last_driver_upgrade.as_ref().map(words::by),
        upgraded: facts.last_driver_upgrade.iter().map(|upgrade| upgrade.at).collect(),
        booted: facts.booted_at.into_iter().collect(),
        protection: match host.verdict {
            Verdict::NotApplicable => ("-".to_owned(), None),
            _ => words::protection(facts),
        },
        boot: match &facts.next_boot {
            Some(boot) if host.verdict != Verdict::NotApplicable => words::next_boot(boot, differs(host)),
            _ => ("-".to_owned(), None),
        },
    }
}

fn differs(host: &Host) -> bool {
    matches!((&host.facts.loaded_version, &host.facts.library_version), (Some(a), Some(b)) if a != b)
}

fn why(host: &Host) -> Vec<String> {
    let mut why = Vec::new();
    let mut findings: Vec<_> =
        host.findings.iter().filter(|f| f.waived.is_none() && f.severity >= Severity::Warning).collect();
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    for finding in findings {
        push_once(&mut why, clean::line(&finding.check));
    }
    if host.unverified_waived.is_none() {
        let reasons = host.unverified.iter().map(|unread| unread.reason.word().to_owned());
        // The verdict's own reason comes first.
        let mut all = if host.verdict == Verdict::Critical { std::mem::take(&mut why) } else { Vec::new() };
        reasons.for_each(|reason| push_once(&mut all, reason));
        why.into_iter().for_each(|id| push_once(&mut all, id));
        why = all;
    }
    why
}

/// What makes two rows one. Fine hosts are told apart by versions and protection alone; a troubled host shares its row
/// only with hosts whose row would read the same.
fn key(row: &Row, now: Timestamp) -> String {
    let fine = matches!(row.verdict, Verdict::Ok | Verdict::NotApplicable);
    let ages = |times: &[Timestamp]| times.iter().map(|at| words::ago(now, *at)).collect::<Vec<_>>();
    let story = (!fine).then(|| (&row.by, ages(&row.upgraded), ages(&row.booted)));
    format!("{:?}", (row.verdict, &row.why, &row.marks, &row.loaded, &row.library, &row.protection, &row.boot, story))
}

fn join(row: &mut Row, other: Row) {
    row.by = match (row.by.take(), other.by) {
        (Some(a), Some(b)) if a != b => Some("several".to_owned()),
        (a, b) => a.or(b),
    };
    row.hosts.extend(other.hosts);
    row.upgraded.extend(other.upgraded);
    row.booted.extend(other.booted);
}

fn push_once(list: &mut Vec<String>, item: String) {
    if !list.contains(&item) {
        list.push(item);
    }
}
