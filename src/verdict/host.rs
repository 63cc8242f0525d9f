//! One host: evidence to verdict.

use crate::check::{self, HostContext, Look, Run, UnreadFact};
use crate::derive::Derived;
use crate::derive::driver::{Applicability, Relation};
use crate::evidence::Evidence;
use crate::probe::ProbeId;
use crate::reading::{Reason, Unread};
use crate::report::model::{self, Verdict};
use crate::transcript::Transcript;
use crate::verdict::facts;
use crate::verdict::rules::Rules;

/// One contact with one host, ready to be judged.
#[derive(Debug, Clone)]
pub struct Contacted<'a> {
    /// What was connected to.
    pub address: String,
    /// The host's groups.
    pub groups: Vec<String>,
    /// What it answered.
    pub transcript: &'a Transcript,
    /// Why the contact ended early, if it did.
    pub failure: Option<Unread>,
    /// Why the script ran without the root rights that were asked for, if so.
    pub become_failure: Option<Unread>,
    /// The key of its comparison set, when the inventory alone gives it.
    pub baseline_key: Option<String>,
    /// Durations.
    pub timing: model::Timing,
}

/// Judges one host. The same contact, context and rules always give the same answer.
pub fn judge_host(contacted: &Contacted<'_>, context: &HostContext, rules: &Rules<'_>) -> model::Host {
    let transcript = contacted.transcript;
    let missing = missing_reason(transcript, contacted.failure.as_ref());
    let evidence = Evidence::read(transcript, &missing);
    let look = Look::new(&evidence, context);
    let derived = Derived::from(&look);
    let not_applicable = match &derived.driver.applicability {
        Applicability::NotApplicable(why) => Some(why.clone()),
        _ => None,
    };
    let mut findings = Vec::new();
    if transcript.started && not_applicable.is_none() {
        for check in &rules.checks {
            if let Run::Host(run) = check.run {
                findings.extend(run(&look, &derived));
            }
        }
    }
    let (mut needed, mut hinted) = look.unread();
    if not_applicable.is_some() {
        hinted.append(&mut needed);
    }
    let in_playbook =
        |fact: &UnreadFact| ProbeId::from_name(fact.what).is_none_or(|probe| context.probes.contains(&probe));
    hinted.retain(in_playbook);
    let mut unverified: Vec<model::Unread> = needed.iter().map(unread).collect();
    let mut others: Vec<model::Unread> = hinted.iter().map(unread).collect();
    if !transcript.started {
        let why = contacted.failure.clone().unwrap_or(missing);
        unverified = vec![host_unread(&why)];
        others.clear();
    } else {
        refuse_silent_doubt(&derived, not_applicable.is_some(), &mut unverified);
        let cut = (!transcript.complete).then_some(&missing);
        if let Some(failure) = contacted.failure.as_ref().or(cut) {
            // nvidia-smi runs last, so that a hung one costs only itself. Anything else that was cut off is more than
            // one witness: what was read counts, and the host is not verified.
            let only_the_witness =
                transcript.complete || transcript.running.as_deref() == Some(ProbeId::NvidiaSmi.name());
            let list = if only_the_witness && unverified.is_empty() { &mut others } else { &mut unverified };
            list.insert(0, host_unread(failure));
        }
        if let Some(failure) = &contacted.become_failure {
            others.insert(0, host_unread(failure));
        }
    }
    let findings = judged(findings, contacted, context, rules);
    let unverified_waived =
        (rules.waive)("unverified", &context.host, &contacted.groups).filter(|_| !unverified.is_empty());
    // A waiver makes an unread host count nowhere, but it cannot make it `ok`.
    let not_applicable = not_applicable.or_else(|| unverified_waived.as_ref().map(waived_words));
    let counts = !unverified.is_empty() && unverified_waived.is_none();
    let verdict = verdict(&findings, counts, not_applicable.is_some());
    let facts = facts::facts(&evidence, &derived, context);
    model::Host {
        host: context.host.clone(),
        address: contacted.address.clone(),
        groups: contacted.groups.clone(),
        verdict,
        not_applicable_because: not_applicable.filter(|_| verdict == Verdict::NotApplicable),
        findings,
        unverified,
        unverified_waived,
        unread: others,
        expectation: context.expect_driver.clone(),
        baseline_key: contacted.baseline_key.clone().or_else(|| facts::gpu_model(&evidence, &rules.baseline)),
        facts,
        timing: contacted.timing,
    }
}

/// The reason given to each probe whose frame never came.
fn missing_reason(transcript: &Transcript, failure: Option<&Unread>) -> Unread {
    let mut why = match failure {
        Some(failure) => failure.clone(),
        None if transcript.complete => Unread::new(Reason::NotSupported, "not in the transcript"),
        None if transcript.started => Unread::new(Reason::NoExitStatus, "the transcript has no end line"),
        None => Unread::new(Reason::Shell, "no transcript header: the probe script did not run"),
    };
    if let Some(running) = &transcript.running {
        why.detail = format!("{} (while probe `{running}` was running)", why.detail);
    }
    why
}

/// A judgement that could not be made but left no miss behind would read as `ok`: it must not.
fn refuse_silent_doubt(derived: &Derived, not_applicable: bool, unverified: &mut Vec<model::Unread>) {
    if not_applicable || !unverified.is_empty() {
        return;
    }
    let doubt = if derived.driver.applicability == Applicability::Unknown {
        "whether this host has an NVIDIA driver"
    } else if derived.driver.relation == Relation::Unknown {
        "whether the loaded module and the library agree"
    } else if derived.protection.level.is_none()
        && derived.protection.auto_upgrade != crate::derive::protection::AutoUpgrade::Broken
    {
        "whether automatic upgrades are kept off the driver"
    } else {
        return;
    };
    unverified.push(host_unread(&Unread::new(Reason::Unparseable, format!("it cannot be told {doubt}"))));
}

fn judged(
    findings: Vec<check::Finding>,
    contacted: &Contacted<'_>,
    context: &HostContext,
    rules: &Rules<'_>,
) -> Vec<model::Finding> {
    let mut out: Vec<model::Finding> = findings
        .into_iter()
        .map(|finding| model::Finding {
            severity: rules.severity(finding.check, finding.severity),
            waived: (rules.waive)(finding.check, &context.host, &contacted.groups),
            check: finding.check.to_owned(),
            message: finding.message,
            evidence: finding
                .evidence
                .into_iter()
                .map(|line| model::Evidence { probe: line.probe.name().to_owned(), text: line.text })
                .collect(),
            fix: finding.fix,
            details: finding.details,
        })
        .collect();
    out.sort_by(|a, b| b.severity.cmp(&a.severity).then_with(|| a.check.cmp(&b.check)));
    out
}

fn verdict(findings: &[model::Finding], unverified: bool, not_applicable: bool) -> Verdict {
    let worst = findings.iter().filter(|f| f.waived.is_none()).map(|f| f.severity).max();
    match worst {
        Some(check::Severity::Critical) => Verdict::Critical,
        _ if unverified => Verdict::Unverified,
        Some(check::Severity::Warning) => Verdict::Warning,
        _ if not_applicable => Verdict::NotApplicable,
        _ => Verdict::Ok,
    }
}

fn waived_words(waived: &model::Waived) -> String {
    format!("unverified, waived until {}: {}", waived.until, waived.reason)
}

fn unread(fact: &UnreadFact) -> model::Unread {
    model::Unread { what: fact.what.to_owned(), reason: fact.why.reason, detail: fact.why.detail.clone() }
}

fn host_unread(why: &Unread) -> model::Unread {
    model::Unread { what: "host".to_owned(), reason: why.reason, detail: why.detail.clone() }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::check::{BaselineBy, NowSource, Severity};
    use crate::report::model::Waived;

    fn context() -> HostContext {
        HostContext {
            host: "gpu-1".into(),
            now: Timestamp::UNIX_EPOCH,
            now_source: NowSource::Controller,
            expect_driver: None,
            probes: ProbeId::ALL.to_vec(),
        }
    }

    fn judge(transcript: &Transcript, failure: Option<Unread>, waive: &rules_waive::Waive) -> model::Host {
        let contacted = Contacted {
            address: "10.0.0.1".into(),
            groups: vec!["gpu".into()],
            transcript,
            failure,
            become_failure: None,
            baseline_key: None,
            timing: model::Timing::default(),
        };
        let rules = Rules { checks: vec![], severities: Default::default(), baseline: BaselineBy::Sweep, waive };
        judge_host(&contacted, &context(), &rules)
    }

    mod rules_waive {
        pub type Waive = crate::verdict::rules::Waive<'static>;
    }

    fn finding(severity: Severity, waived: bool) -> model::Finding {
        model::Finding {
            check: "x".into(),
            severity,
            message: String::new(),
            evidence: vec![],
            fix: String::new(),
            details: Default::default(),
            waived: waived.then(|| Waived { reason: "r".into(), until: "2026-12-31".into() }),
        }
    }

    #[test]
    fn the_worst_word_wins_and_unverified_is_above_warning() {
        use Severity::{Critical, Info, Warning};
        let word = |severities: &[Severity], unverified, na| {
            let findings: Vec<_> = severities.iter().map(|s| finding(*s, false)).collect();
            verdict(&findings, unverified, na)
        };
        assert_eq!(word(&[Warning, Critical], true, false), Verdict::Critical);
        assert_eq!(word(&[Warning], true, false), Verdict::Unverified);
        assert_eq!(word(&[Info, Warning], false, false), Verdict::Warning);
        assert_eq!(word(&[Info], false, false), Verdict::Ok);
        assert_eq!(word(&[], false, true), Verdict::NotApplicable);
        assert_eq!(verdict(&[finding(Critical, true)], false, false), Verdict::Ok);
    }

    #[test]
    fn an_unreachable_host_says_why_and_only_that() {
        let none = |_: &str, _: &str, _: &[String]| None;
        let host = judge(&Transcript::default(), Some(Unread::new(Reason::Refused, "port 22")), &none);
        assert_eq!(host.verdict, Verdict::Unverified);
        assert_eq!(
            host.unverified,
            vec![model::Unread { what: "host".into(), reason: Reason::Refused, detail: "port 22".into() }]
        );
        assert_eq!(host.unread, vec![]);
    }

    #[test]
    fn an_empty_transcript_is_never_ok() {
        let none = |_: &str, _: &str, _: &[String]| None;
        let transcript = Transcript::parse(b"gpusweep-transcript/1 %%aa\n%%aa done\n", None);
        let host = judge(&transcript, None, &none);
        assert_eq!(host.verdict, Verdict::Unverified);
    }

    #[test]
    fn unverified_can_be_waived() {
        let all = |check: &str, _: &str, _: &[String]| {
            (check == "unverified").then(|| Waived { reason: "in repair".into(), until: "2026-12-31".into() })
        };
        let host = judge(&Transcript::default(), Some(Unread::new(Reason::Refused, "port 22")), &all);
        assert_eq!(host.verdict, Verdict::NotApplicable);
        assert_eq!(host.not_applicable_because.as_deref(), Some("unverified, waived until 2026-12-31: in repair"));
        assert_eq!(host.unverified.len(), 1);
    }
}
