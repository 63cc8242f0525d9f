//! The probes' own script on every host, over OpenSSH's client: each frame comes, ends and can be read.

use std::sync::Mutex;

use gpusweep::check::{HostContext, Look};
use gpusweep::derive::Derived;
use gpusweep::evidence::Evidence;
use gpusweep::probe::{ProbeId, script};
use gpusweep::reading::{Reason, Unread};
use gpusweep::transcript::Transcript;

use crate::fleet::{Lab, lab};
use crate::ground::clock::now;
use crate::ground::machine::cache;
use crate::ground::shell::feed;

/// What OpenSSH's client brings back when the script runs as this user.
fn collect(lab: &Lab, machine: &str, user: &str, shell: &str) -> Transcript {
    let marker = "%%00112233445566aa";
    let text = script::render(marker, &ProbeId::ALL);
    let mut command = lab.inside_net("ssh");
    command.args(["-F", "none", "-o", "BatchMode=yes", "-o", "IdentitiesOnly=yes", "-i"]).arg(cache().join("id_lab"));
    command.arg("-o").arg(format!("UserKnownHostsFile={}", lab.folder().join("known_hosts").display()));
    command.arg(format!("{user}@{}", lab.running(machine).address)).arg(shell);
    let done = feed(&mut command, &text);
    assert_eq!(done.code, 0, "{machine} as {user}: {}", done.err);
    Transcript::parse(done.out.as_bytes(), Some(marker))
}

#[test]
fn every_frame_comes_from_every_host() {
    let Some(lab) = lab() else { return };
    let mut runs: Vec<(&str, &str, &str)> = lab
        .machines()
        .filter(|name| !["stranger", "changed"].contains(name))
        .map(|name| (name, "ops", "/bin/sh -s"))
        .collect();
    runs.extend(["gpu-4", "p-list", "dkms-no-headers"].map(|name| (name, "ops", "sudo -n /bin/sh -s")));
    runs.extend(["audit", "csh", "fish", "noisy", "dash"].map(|user| ("gpu-4", user, "/bin/sh -s")));
    let (queue, wrong) = (Mutex::new(runs.into_iter()), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                loop {
                    let Some((machine, user, shell)) = queue.lock().expect("no panic while held").next() else {
                        return;
                    };
                    let transcript = collect(lab, machine, user, shell);
                    let mut lines = trouble(&transcript);
                    if let Some(folder) = std::env::var_os("GPUSWEEP_LAB_DUMP") {
                        dump(&transcript, &std::path::Path::new(&folder).join(format!("{machine}-{user}.txt")));
                    }
                    lines.iter_mut().for_each(|line| *line = format!("{machine} as {user} ({shell}): {line}"));
                    wrong.lock().expect("no panic while held").append(&mut lines);
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no panic while held");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is wrong with a transcript as such: cut short, a probe that failed, output that no parser reads.
fn trouble(transcript: &Transcript) -> Vec<String> {
    let mut lines = Vec::new();
    if !transcript.complete {
        lines.push(format!("incomplete while running {:?}", transcript.running));
    }
    for probe in ProbeId::ALL {
        match transcript.frame(probe.name()) {
            None => lines.push(format!("no frame of {}", probe.name())),
            Some(frame) if frame.state == gpusweep::transcript::State::Failed => {
                lines.push(format!("{} failed: {}", frame.probe, frame.body));
            }
            Some(_) => {}
        }
    }
    let missing = Unread::new(Reason::Truncated, "no frame");
    let evidence = format!("{:?}", Evidence::read(transcript, &missing));
    if evidence.contains("reason: Unparseable") {
        let at = evidence.find("reason: Unparseable").unwrap_or(0);
        lines.push(evidence.chars().skip(at).take(300).collect());
    }
    lines
}

/// Everything that follows from a transcript, for reading by a person.
fn dump(transcript: &Transcript, file: &std::path::Path) {
    let evidence = Evidence::read(transcript, &Unread::new(Reason::Truncated, "no frame"));
    let context = HostContext {
        host: "lab".into(),
        now: jiff::Timestamp::from_second(now()).expect("in range"),
        now_source: Default::default(),
        expect_driver: None,
        probes: ProbeId::ALL.to_vec(),
    };
    let look = Look::new(&evidence, &context);
    let derived = Derived::from(&look);
    let bodies: String = transcript
        .frames
        .iter()
        .map(|frame| format!("## {} {:?}\n{}\n", frame.probe, frame.state, frame.body))
        .collect();
    drop(std::fs::write(file, format!("{derived:#?}\n{:?}\n{bodies}", look.unread())));
}
