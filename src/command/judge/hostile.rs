//! Recorded answers, damaged in every way a host, a network or a disk can: the judgement never panics and never calls a
//! host fine whose load-bearing facts are gone.

use jiff::Timestamp;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::Judge;
use crate::inventory::Target;
use crate::report::model::{Host, Unread, Verdict};
use crate::report::{Format, Style};

const RECORDINGS: [&str; 5] = [
    include_str!("../demo/healthy.transcript"),
    include_str!("../demo/other-family.transcript"),
    include_str!("../demo/half-upgraded.transcript"),
    include_str!("../demo/partly-covered.transcript"),
    include_str!("../demo/no-gpu.transcript"),
];

fn judge() -> Judge {
    let playbook = crate::command::load::judge(&crate::cli::JudgeArgs { playbook: None }).unwrap().playbook;
    Judge::new(playbook, Timestamp::UNIX_EPOCH)
}

fn verdict_of(text: &str) -> Host {
    let target = Target { name: "gpu-1".into(), address: "gpu-1".into(), ..Target::default() };
    judge().transcript(&target, text.as_bytes())
}

/// A recording in three pieces: what comes before the first frame, the frames, the end line.
fn pieces(text: &str) -> (String, Vec<String>, String) {
    let mut parts: Vec<String> = vec![String::new()];
    for line in text.split_inclusive('\n') {
        let control = line.starts_with("%%");
        if control && (line.contains(" begin ") || line.trim_end().ends_with(" done")) {
            parts.push(String::new());
        }
        parts.last_mut().unwrap().push_str(line);
    }
    (parts[0].clone(), parts[1..parts.len() - 1].to_vec(), parts[parts.len() - 1].clone())
}

fn frame_of(frames: &[String], probe: &str) -> usize {
    frames.iter().position(|frame| frame.lines().next().unwrap().ends_with(&format!(" begin {probe}"))).unwrap()
}

/// One way to damage a text.
#[derive(Debug, Clone)]
enum Blow {
    Drop(Index),
    Double(Index),
    Swap(Index, Index),
    Cut(Index),
    Insert(Index, String),
    Replace(Index, Index, char),
}

fn blow() -> impl Strategy<Value = Blow> {
    let word = select(vec![
        "-ok 0",
        "-failed 1",
        "-denied 1",
        "-absent 1",
        "-timed-out 124",
        "+",
        "|",
        "+dump",
        "|\u{1b}[2J\u{202e}",
        "\r",
        "\0",
    ]);
    let odd = select(vec!['\0', '\u{1b}', '\u{202e}', '\u{fffd}', '"', '-', '9', ' ', '\t', '%', '|', '+', '\n']);
    prop_oneof![
        any::<Index>().prop_map(Blow::Drop),
        any::<Index>().prop_map(Blow::Double),
        (any::<Index>(), any::<Index>()).prop_map(|(a, b)| Blow::Swap(a, b)),
        any::<Index>().prop_map(Blow::Cut),
        (any::<Index>(), word).prop_map(|(at, word)| Blow::Insert(at, format!("{word}\n"))),
        (any::<Index>(), any::<Index>(), odd).prop_map(|(line, at, c)| Blow::Replace(line, at, c)),
    ]
}

fn strike(text: &str, blows: &[Blow]) -> String {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    for blow in blows {
        if lines.is_empty() {
            break;
        }
        let count = lines.len();
        match blow {
            Blow::Drop(at) => drop(lines.remove(at.index(count))),
            Blow::Double(at) => lines.insert(at.index(count), lines[at.index(count)].clone()),
            Blow::Swap(a, b) => lines.swap(a.index(count), b.index(count)),
            Blow::Cut(at) => lines.truncate(at.index(count)),
            Blow::Insert(at, line) => lines.insert(at.index(count), line.clone()),
            Blow::Replace(line, at, new) => {
                let line = &mut lines[line.index(count)];
                let mut chars: Vec<char> = line.chars().collect();
                let at = at.index(chars.len());
                chars[at] = *new;
                *line = chars.into_iter().collect();
            }
        }
    }
    lines.concat()
}

fn render_everything(host: Host) {
    let report = crate::command::run_sweep::assemble(
        crate::command::run_sweep::new_head(&Default::default(), &judge()),
        vec![host],
        &judge(),
    );
    let style = Style { width: 80, color: false, unicode: true, unread: true, now: Timestamp::UNIX_EPOCH };
    let harmless = |text: &str| !text.chars().any(|c| (c.is_control() && c != '\n') || "\u{202e}\u{2066}".contains(c));
    assert!(harmless(&crate::report::audit::render(&report, &style)));
    for format in [Format::Table, Format::Json, Format::Jsonl, Format::Nagios] {
        assert!(harmless(&crate::report::render(&report, format, &style)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    #[test]
    fn a_damaged_answer_is_judged_and_shown_without_harm(
        recording in select(RECORDINGS.to_vec()),
        blows in proptest::collection::vec(blow(), 1..12),
    ) {
        render_everything(verdict_of(&strike(recording, &blows)));
    }

    #[test]
    fn a_host_with_a_cut_answer_is_never_ok(recording in select(RECORDINGS[..4].to_vec()), at in any::<Index>()) {
        // Up to the end of the last load-bearing frame; behind it, only witnesses are lost.
        let (head, frames, _) = pieces(recording);
        let whole = head + &frames[..=frame_of(&frames, "apt-config")].concat();
        let lines: Vec<&str> = whole.split_inclusive('\n').collect();
        let cut = lines[..at.index(lines.len())].concat();
        prop_assert_ne!(verdict_of(&cut).verdict, Verdict::Ok);
    }

    #[test]
    fn the_order_of_frames_changes_nothing(recording in select(RECORDINGS.to_vec()), seed in any::<u64>()) {
        let (head, mut frames, end) = pieces(recording);
        let before = verdict_of(recording);
        let mut state = seed | 1;
        for at in (1..frames.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            frames.swap(at, usize::try_from(state >> 33).unwrap() % (at + 1));
        }
        prop_assert_eq!(verdict_of(&(head + &frames.concat() + &end)), before);
    }

    #[test]
    fn the_order_of_hosts_changes_no_fleet_finding(order in Just(vec![0_usize, 0, 1, 2, 3, 4]).prop_shuffle()) {
        let judge = judge();
        let hosts: Vec<Host> = [0_usize, 0, 1, 2, 3, 4].iter().enumerate().map(|(at, recording)| {
            Host { host: format!("gpu-{at}"), ..verdict_of(RECORDINGS[*recording]) }
        }).collect();
        let mut places: Vec<usize> = (0..hosts.len()).collect();
        places.sort_by_key(|at| order[*at]);
        let shuffled: Vec<Host> = places.iter().rev().map(|at| hosts[*at].clone()).collect();
        let said = |hosts: &[Host]| {
            let mut findings: Vec<(String, String, Vec<String>)> = judge.fleet(hosts).into_iter().map(|finding| {
                let mut hosts = finding.hosts;
                hosts.sort();
                (finding.check, finding.message, hosts)
            }).collect();
            findings.sort();
            findings
        };
        prop_assert_eq!(said(&shuffled), said(&hosts));
    }
}

#[test]
fn a_host_without_a_load_bearing_frame_is_never_ok() {
    // The first recording is fine as it is; so is every verdict below the fault of one frame.
    let (head, frames, end) = pieces(RECORDINGS[0]);
    assert_eq!(verdict_of(RECORDINGS[0]).verdict, Verdict::Ok);
    for probe in ["module", "packages", "apt-config"] {
        let at = frame_of(&frames, probe);
        let with = |frame: String| {
            let mut frames = frames.clone();
            frames[at] = frame;
            verdict_of(&format!("{head}{}{end}", frames.concat()))
        };
        let (opening, body) = frames[at].split_once('\n').unwrap();
        let (body, closing) = body.trim_end().rsplit_once('\n').unwrap();
        let closing = closing.strip_suffix(" ok 0").unwrap();
        let filled = |body: &str, state: &str| format!("{opening}\n{body}\n{closing} {state}\n");
        let mut damaged = vec![("removed".to_owned(), String::new())];
        for state in ["denied 4", "failed 1", "timed-out 124", "truncated 0", "sideways 0", ""] {
            damaged.push((format!("whole, {state}"), filled(body, state)));
            damaged.push((format!("empty, {state}"), filled("", state)));
        }
        damaged.push(("empty, ok".to_owned(), filled("", "ok 0")));
        damaged.push(("never closed".to_owned(), format!("{opening}\n{body}\n")));
        let garbage: Vec<&str> =
            body.lines().map(|line| if line.starts_with('|') { "|\u{fffd} x" } else { line }).collect();
        damaged.push(("garbled".to_owned(), filled(&garbage.join("\n"), "ok 0")));
        let bare: Vec<&str> = body.lines().filter(|line| !line.starts_with('|')).collect();
        damaged.push(("without content".to_owned(), filled(&bare.join("\n"), "ok 0")));
        for (how, frame) in damaged {
            let host = with(frame);
            assert_eq!(host.verdict, Verdict::Unverified, "{probe}: {how}");
            assert!(host.unverified.iter().any(|unread| unread.what == probe), "{probe}: {how}: {:?}", host.unverified);
        }
    }
}

/// The library's package is a second witness of its version; without either nothing is known.
#[test]
fn without_the_librarys_file_its_package_speaks_and_without_both_nothing_does() {
    let (head, frames, end) = pieces(RECORDINGS[0]);
    let without = |probes: &[&str]| {
        let gone: Vec<usize> = probes.iter().map(|probe| frame_of(&frames, probe)).collect();
        let kept: String =
            frames.iter().enumerate().filter(|(at, _)| !gone.contains(at)).map(|(_, f)| f.as_str()).collect();
        verdict_of(&format!("{head}{kept}{end}"))
    };
    let host = without(&["library"]);
    assert_eq!((host.verdict, host.facts.library_source.as_deref()), (Verdict::Ok, Some("package")));
    assert!(host.unread.iter().any(|unread| unread.what == "library"));
    assert_eq!(without(&["library", "packages"]).verdict, Verdict::Unverified);
}

#[test]
fn an_answer_without_its_end_line_is_unverified_unless_only_the_last_witness_is_missing() {
    let (head, frames, _) = pieces(RECORDINGS[0]);
    let first = |list: &[Unread]| list.first().map(|unread| (unread.what.clone(), unread.reason.word()));
    let no_end = Some(("host".to_owned(), "no-exit-status"));
    let host = verdict_of(&(head.clone() + &frames.concat()));
    assert_eq!((host.verdict, first(&host.unverified)), (Verdict::Unverified, no_end.clone()));
    // nvidia-smi runs last: while it hangs, all that the verdict needs has been read.
    let (smi, before) = frames.split_last().unwrap();
    let begun = smi.lines().next().unwrap();
    let host = verdict_of(&format!("{head}{}{begun}\n", before.concat()));
    assert_eq!((host.verdict, first(&host.unread)), (Verdict::Ok, no_end));
}
