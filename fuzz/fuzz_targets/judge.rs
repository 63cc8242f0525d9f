//! Arbitrary transcripts through all of judgement. Seed it with `src/command/demo/*.transcript`.
#![no_main]

use std::collections::BTreeMap;

use gpusweep::check::{self, BaselineBy, HostContext, NowSource};
use gpusweep::probe::ProbeId;
use gpusweep::report::model::{Timing, Verdict};
use gpusweep::transcript::Transcript;
use gpusweep::verdict::{Contacted, Rules, judge_host};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let transcript = Transcript::parse(bytes, None);
    let contacted = Contacted {
        address: String::new(),
        groups: Vec::new(),
        transcript: &transcript,
        failure: None,
        become_failure: None,
        baseline_key: None,
        timing: Timing::default(),
    };
    let context = HostContext {
        host: "fuzzed".to_owned(),
        now: jiff::Timestamp::UNIX_EPOCH,
        now_source: NowSource::Controller,
        expect_driver: None,
        probes: ProbeId::ALL.to_vec(),
    };
    let rules = Rules {
        checks: check::ALL.iter().collect(),
        severities: BTreeMap::new(),
        baseline: BaselineBy::Sweep,
        waive: &|_, _, _| None,
    };
    let host = judge_host(&contacted, &context, &rules);
    // Never ok without both versions, or without knowing that no driver is there.
    if host.verdict == Verdict::Ok {
        assert!(transcript.started);
        assert!(host.unverified.is_empty());
    }
});
