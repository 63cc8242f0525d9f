use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use super::*;
use crate::evidence::Evidence;
use crate::reading::{Reason, Unread};
use crate::transcript::{State, Transcript};

const MARKER: &str = "%%0123456789abcdef";

/// Feeds a script to a shell on its standard input, as a connection does.
fn feed(program: &str, arguments: &[&str], script: &str) -> Option<Output> {
    let child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        eprintln!("skipped: `{program}` is not installed");
        return None;
    };
    child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    Some(child.wait_with_output().unwrap())
}

/// The shells a host may have as /bin/sh.
const SHELLS: [(&str, &[&str]); 3] = [("dash", &["-s"]), ("bash", &["--posix", "-s"]), ("busybox", &["sh", "-s"])];

#[test]
fn the_second_line_sets_the_marker() {
    let script = render(MARKER, &ProbeId::ALL);
    assert_eq!(script.lines().nth(1), Some("marker='%%0123456789abcdef'"));
}

#[test]
fn shellcheck_has_nothing_to_say() {
    for script in [render(MARKER, &ProbeId::ALL), render_printable(&ProbeId::ALL)] {
        let Some(output) = feed("shellcheck", &["-s", "sh", "-"], &script) else { return };
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
}

#[test]
fn every_shell_runs_every_probe_to_its_end() {
    for (shell, arguments) in SHELLS {
        let Some(output) = feed(shell, arguments, &render(MARKER, &ProbeId::ALL)) else { continue };
        let transcript = Transcript::parse(&output.stdout, Some(MARKER));
        assert!(transcript.complete, "{shell}: {:?}", transcript.running);
        let names: Vec<&str> = transcript.frames.iter().map(|frame| frame.probe.as_str()).collect();
        assert_eq!(names, ProbeId::ALL.map(ProbeId::name), "{shell}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{shell}");
        // This machine is a Linux host too: what every one of them has must be read.
        let evidence = Evidence::read(&transcript, &Unread::new(Reason::Truncated, "no frame"));
        assert!(evidence.system.known().is_some_and(|system| !system.machine.is_empty()), "{shell}");
        assert!(evidence.host_now().is_some() && evidence.boot.known().is_some(), "{shell}");
        assert!(evidence.kernels.known().is_some_and(|kernels| !kernels.running.is_empty()), "{shell}");
    }
}

/// Runs one made-up probe in each shell and gives its frame.
fn probe(text: &str, check: impl Fn(&str, &crate::transcript::Frame)) {
    for (shell, arguments) in SHELLS {
        let script = format!(
            "#!/bin/sh\nmarker='{MARKER}'\n{SHARED}\nprobe_x() {{\n{text}\n}}\n\
             main() {{ start; frame x 4096 probe_x; printf '%s done\\n' \"$marker\"; }}\nmain\n"
        );
        let Some(output) = feed(shell, arguments, &script) else { continue };
        let transcript = Transcript::parse(&output.stdout, Some(MARKER));
        assert!(transcript.complete, "{shell}");
        check(shell, transcript.frame("x").unwrap());
    }
}

#[test]
fn the_script_ends_while_its_input_stays_open() {
    for (shell, arguments) in SHELLS {
        let child = Command::new(shell).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let Ok(mut child) = child else { continue };
        let mut input = child.stdin.take().unwrap();
        input.write_all(render(MARKER, &[ProbeId::Clock]).as_bytes()).unwrap();
        // Ends only if the script does: the input is held open behind it.
        let output = child.wait_with_output().unwrap();
        drop(input);
        assert!(Transcript::parse(&output.stdout, Some(MARKER)).complete, "{shell}");
    }
}

#[test]
fn a_return_code_becomes_the_frames_state() {
    for (code, state) in
        [(0, State::Ok), (3, State::Absent), (4, State::Denied), (124, State::TimedOut), (9, State::Failed)]
    {
        probe(&format!("return {code}"), |shell, frame| {
            assert_eq!((frame.state, frame.exit), (state, Some(code)), "{shell}")
        });
    }
}

#[test]
fn a_command_s_end_becomes_its_sections_state() {
    let text = "run a 5 100 printf 'x\\ny'\nrun b 5 100 no-such-program\nrun c 1 100 sleep 20\n\
        run d 5 5 printf 'abc\\ndef\\n'\nrun e 5 100 sh -c 'echo bad >&2; exit 3'\nread_me() { echo no; return 4; }\n\
        run f 0 100 read_me\nrun g 5 100 cat";
    let expected = "+a\n|x\n|y\n-ok 0\n+b\n-absent 127\n+c\n-timed-out 124\n+d\n|abc\n-truncated 0\n\
        +e\n|bad\n-failed 3\n+f\n|no\n-denied 4\n+g\n-ok 0\n";
    probe(text, |shell, frame| assert_eq!(frame.body, expected, "{shell}"));
}

#[test]
fn a_frame_over_its_limit_is_truncated() {
    probe("sec a; i=0; while [ $i -lt 3000 ]; do say $i; i=$((i + 1)); done; fin ok", |shell, frame| {
        assert_eq!(frame.state, State::Truncated, "{shell}");
        assert!(frame.body.len() <= 4096 && frame.body.len() > 4000, "{shell}: {}", frame.body.len());
    });
}

#[test]
fn a_file_is_told_from_a_missing_one_and_from_what_is_no_file() {
    let text =
        "show a /proc/sys/kernel/ostype\nshow b /nowhere/at/all\nshow c /proc/sys\nfirst d /proc/sys/kernel/ostype";
    let expected = "+a /proc/sys/kernel/ostype\n|Linux\n-ok 0\n+b /nowhere/at/all\n-absent 1\n+c /proc/sys\n-failed 1\n\
        +d /proc/sys/kernel/ostype\n|Linux\n-ok 0\n";
    probe(text, |shell, frame| assert_eq!(frame.body, expected, "{shell}"));
}

#[test]
fn a_process_that_keeps_the_pipe_open_holds_nobody_up() {
    // The child outlives the command and holds its output, as one stuck in the kernel would.
    let text = "witness a 5 100 sh -c 'echo seen; sleep 3 & exit 7'\nwitness b 1 100 sh -c 'trap \"\" TERM; sleep 1; sleep 30'\n\
        witness c 1 100 no-such-program";
    let expected = "+a\n|seen\n-failed 7\n+b\n-timed-out 137\n+c\n-absent 127\n";
    probe(text, |shell, frame| assert_eq!(frame.body, expected, "{shell}"));
}
