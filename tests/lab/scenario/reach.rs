//! Hosts that cannot be reached or do not answer: each unverified for its own reason, and nobody else's result is lost.

use crate::fleet::{Entry, Known, Part, lab};
use crate::host::machine::{Gpu, Machine};
use crate::host::net::{CLOSED, SILENT};
use crate::host::recipe::ubuntu;

/// Listens, lets connections come in, and never says a word.
const TARPIT: &str = r#"python3 -c 'import socket,os,time
s=socket.socket(); s.bind(("0.0.0.0",2222)); s.listen(64)
os.fork() and os._exit(0)
time.sleep(1e6)'
python3 -c 'import socket,os,time
s=socket.socket(); s.bind(("0.0.0.0",2223)); s.listen(64)
os.fork() and os._exit(0)
c=s.accept()[0]
while True:
    c.send(b"not a version line\r\n"); time.sleep(2)'"#;

pub fn part() -> Part {
    let plain = |name| Machine::new(name, ubuntu()).gpu(Gpu::None);
    let entry = |name| Entry::new(name, "reach");
    Part::default()
        .machine(plain("stranger"))
        .machine(plain("changed"))
        .machine(plain("pit").start(TARPIT))
        .entry(entry("key-unknown").on("stranger").known(Known::Missing))
        .entry(entry("key-changed").on("changed").known(Known::Wrong))
        .entry(entry("key-refused").on("gpu-1").user("nokey"))
        .entry(entry("port-closed").on(CLOSED))
        .entry(entry("silent").on(SILENT))
        .entry(entry("tarpit").on("pit").port(2222))
        .entry(entry("endless").on("pit").port(2223))
        .entry(entry("mute").on("gpu-1").user("mute"))
        .entry(entry("no-shell").on("gpu-1").user("nologin"))
}

#[test]
fn each_is_unverified_for_its_own_reason() {
    let Some(lab) = lab() else { return };
    for (name, reason) in [
        ("key-unknown", "host-key-unknown"),
        ("key-changed", "host-key-mismatch"),
        ("key-refused", "auth-refused"),
        ("port-closed", "refused"),
        ("silent", "connect-timeout"),
        ("tarpit", "banner-timeout"),
        ("endless", "banner-timeout"),
        ("mute", "deadline"),
        ("no-shell", "shell"),
    ] {
        lab.report(name).expect_unverified(reason);
    }
}

#[test]
fn the_sweep_is_complete_and_its_exit_code_is_the_findings() {
    let Some(lab) = lab() else { return };
    let outcome = lab.sweep();
    assert_eq!(outcome.code, 1, "{}", outcome.err);
    assert_eq!(outcome.json["sweep"]["complete"], true);
    let summary = &outcome.json["summary"];
    let sum: u64 = ["critical", "unverified", "warning", "ok", "not_applicable"]
        .iter()
        .map(|verdict| summary[*verdict].as_u64().unwrap_or(0))
        .sum();
    assert_eq!(Some(sum), summary["hosts"].as_u64());
}

#[test]
fn unreachable_alone_exits_3_and_0_on_request() {
    let Some(lab) = lab() else { return };
    let args = ["sweep", "--limit", "port-closed"];
    assert_eq!(lab.gpusweep(&args).code, 3);
    assert_eq!(lab.gpusweep(&["sweep", "--limit", "port-closed", "--allow-unverified"]).code, 0);
}
