//! Signals in mid-sweep.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use serde_json::Value;

/// `timeout` sends its signal to the child and to the child's group: heard twice, meant once.
#[test]
fn a_signal_heard_twice_at_once_still_leaves_the_report_of_what_finished() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_gpusweep"))
            .args(["demo", "--format", "jsonl", "--no-progress"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut text = String::new();
        // One of the demo's hosts hangs until its deadline, so the sweep still runs when the first host is in.
        while !text.contains("\"type\":\"host\"") {
            assert_ne!(out.read_line(&mut text).unwrap(), 0, "{text}");
        }
        let id = child.id().to_string();
        let kill = || Command::new("kill").args([signal, &id]).status().unwrap();
        kill();
        kill();
        out.read_to_string(&mut text).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(code));
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let last = lines.last().unwrap();
        assert_eq!((&last["type"], &last["complete"]), (&"summary".into(), &false.into()));
        assert_eq!(lines.iter().filter(|line| line["type"] == "host").count(), 12);
    }
}
