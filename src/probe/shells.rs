//! Runs one function of the probe script on this machine, in every shell and awk there is.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use super::{ProbeId, script};
use crate::transcript::{Frame, Transcript};

const MARKER: &str = "%%0123456789abcdef";

/// A shell, its arguments, and an awk to use in it instead of the machine's own.
const HOSTS: [(&str, &[&str], &str); 5] = [
    ("dash", &["-s"], "mawk"),
    ("bash", &["--posix", "-s"], "gawk"),
    ("busybox", &["sh", "-s"], "busybox awk"),
    ("dash", &["-s"], "original-awk"),
    ("dash", &["-s"], "awk"),
];

/// The frame of `call`, a line of shell, on each host. What is not installed here is skipped aloud.
pub fn frames(call: &str) -> Vec<(String, Frame)> {
    run(call, &[])
}

/// The same for a user without any right, whoever runs the test; nothing where this user cannot be become.
pub fn frames_as_nobody(call: &str) -> Vec<(String, Frame)> {
    const NOBODY: [&str; 4] = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
    let able = Command::new(NOBODY[0]).args(&NOBODY[1..]).arg("true").output().is_ok_and(|done| done.status.success());
    if !able {
        eprintln!("skipped: cannot become another user");
        return Vec::new();
    }
    run(call, &NOBODY)
}

fn run(call: &str, before: &[&str]) -> Vec<(String, Frame)> {
    let mut frames = Vec::new();
    for (shell, arguments, awk) in HOSTS {
        let program = awk.split(' ').next().unwrap();
        if ![shell, program].iter().all(|name| Path::new("/usr/bin").join(name).exists()) {
            eprintln!("skipped: `{shell}` with `{awk}` is not installed");
            continue;
        }
        let awk = if awk == "awk" { String::new() } else { format!("awk() {{ {awk} \"$@\"; }}\n") };
        let functions: String = ProbeId::ALL.into_iter().map(script::text).collect();
        let text = format!(
            "#!/bin/sh\nmarker='{MARKER}'\n{}\n{functions}\n{awk}x() {{\n{call}\n}}\n\
             main() {{ start; frame x 1048576 x; printf '%s done\\n' \"$marker\"; }}\nmain\n",
            script::SHARED
        );
        let words: Vec<&str> = before.iter().copied().chain([shell]).chain(arguments.iter().copied()).collect();
        let mut child = Command::new(words[0])
            .args(&words[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let host = format!("{shell} {program}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{host}");
        let transcript = Transcript::parse(&output.stdout, Some(MARKER));
        assert!(transcript.complete, "{host}: {:?}", transcript.running);
        frames.push((host, transcript.frame("x").unwrap().clone()));
    }
    frames
}

/// Holds what `function FILE` prints for each `samples/NAME.log` against `samples/NAME.txt`, in which the file is `shown`.
/// With `GPUSWEEP_BLESS=1` the latter are written anew.
pub fn check(folder: &str, function: &str, shown: &str) {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/probe").join(folder).join("samples");
    let mut seen = 0;
    for entry in fs::read_dir(samples).unwrap() {
        let log = entry.unwrap().path();
        if log.extension().is_none_or(|extension| extension != "log") {
            continue;
        }
        seen += 1;
        let body = log.with_extension("txt");
        for (host, frame) in frames(&format!("{function} '{}'", log.display())) {
            let got = frame.body.replace(&log.display().to_string(), shown);
            if std::env::var_os("GPUSWEEP_BLESS").is_some() {
                fs::write(&body, &got).unwrap();
            }
            assert_eq!(got, fs::read_to_string(&body).unwrap_or_default(), "{host}: {}", log.display());
        }
    }
    assert!(seen > 0, "no logs in {folder}");
}
