//! The SSH client against OpenSSH's own server on loopback.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod authentication;
mod configuration;
mod faults;
mod host_keys;
mod jump;
mod server;

use std::sync::Arc;
use std::time::Duration;

use gpusweep::inventory::Target;
use gpusweep::transport::{Collected, ConfigSource, Contact, Dispatcher, Options, Script, Watch};
use server::Sshd;

/// A script that stands for the probe script: whole in three lines.
pub fn script() -> Script {
    Arc::new(|marker| {
        format!("#!/bin/sh\nmarker='{marker}'\necho \"gpusweep-transcript/1 $marker\"\nid -u\necho \"$marker done\"\n")
    })
}

pub fn target(port: u16) -> Target {
    Target { name: "host".into(), address: "127.0.0.1".into(), port: Some(port), ..Target::default() }
}

/// Options that read nothing of the person who runs the tests.
pub fn options(server: &Sshd) -> Options {
    Options {
        ssh_config: ConfigSource::None,
        known_hosts: vec![server.known_hosts()],
        keys: vec![server.path("user")],
        host_timeout: Duration::from_secs(20),
        ..Options::default()
    }
}

pub async fn collect(options: Options, target: &Target) -> Collected {
    Dispatcher::new(options, script()).collect(target, &Watch::default()).await
}

pub fn assert_whole(answer: &Collected) {
    assert_eq!(answer.failure, None);
    let text = String::from_utf8(answer.bytes.clone()).unwrap();
    assert!(text.starts_with(&format!("gpusweep-transcript/1 {}\n", answer.marker)), "{text}");
    assert!(text.ends_with(&format!("{} done\n", answer.marker)), "{text}");
}

#[tokio::test]
async fn a_script_runs_and_its_answer_is_whole() {
    if !server::available() {
        return;
    }
    let server = Sshd::start("ed25519", &[]);
    let answer = collect(options(&server), &target(server.port)).await;
    assert_whole(&answer);
    assert_eq!(answer.address, format!("127.0.0.1:{}", server.port));
    assert!(answer.timing.connect.is_some_and(|connect| connect <= answer.timing.total));
}
