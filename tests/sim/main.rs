//! Whole sweeps over simulated hosts: the real client, real SSH, one process.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use gpusweep::reading::{Reason, Unread};
use gpusweep::sweep::{self, End, Event};
use gpusweep::transcript::Transcript;
use gpusweep::transport::sim::{Behaviour, Fleet, Host, Sudo};
use gpusweep::transport::{Collected, ConfigSource, Contact, Dispatcher, Options, Script, Watch};
use tokio::sync::mpsc::channel;
use tokio_util::sync::CancellationToken;

const STORED: &str = "gpusweep-received 2026-05-01T10:00:00Z\ngpusweep-transcript/1 %%feedfacecafebeef\n\
    %%feedfacecafebeef begin clock\n|utc 1777629600\n%%feedfacecafebeef end clock ok 0\n\
    %%feedfacecafebeef begin module\n|x\n%%feedfacecafebeef end module ok 0\n%%feedfacecafebeef done\n";

fn stored() -> Vec<u8> {
    STORED.as_bytes().to_vec()
}

fn script() -> Script {
    Arc::new(|marker| format!("#!/bin/sh\nmarker='{marker}'\necho never runs here\n"))
}

fn options(fleet: &Fleet) -> Options {
    Options {
        ssh_config: ConfigSource::None,
        memory: fleet.credentials(),
        handshake_timeout: Duration::from_millis(700),
        auth_timeout: Duration::from_millis(700),
        host_timeout: Duration::from_millis(2500),
        output_cap: 200_000,
        ..Options::default()
    }
}

async fn sweep_with(fleet: &Fleet, options: Options, brake: usize) -> BTreeMap<String, Collected> {
    let targets = fleet.targets();
    let names: Vec<String> = targets.iter().map(|target| target.name.clone()).collect();
    let contact: Arc<dyn Contact> = Arc::new(Dispatcher::new(options, script()));
    let (sender, mut receiver) = channel(64);
    let settings = sweep::Options { auth_brake: brake, ..sweep::Options::default() };
    let task = tokio::spawn(sweep::run(targets, contact, settings, sender, CancellationToken::new()));
    let mut results = BTreeMap::new();
    while let Some(event) = receiver.recv().await {
        if let Event::Finished { index, collected } = event {
            assert!(results.insert(names[index].clone(), collected).is_none());
        }
    }
    assert_eq!(task.await.unwrap().end, End::Complete);
    results
}

fn assert_whole(collected: &Collected) {
    assert_eq!(collected.failure, None);
    let transcript = Transcript::parse(&collected.bytes, Some(&collected.marker));
    assert!(transcript.complete && transcript.frames.len() == 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_way_of_failing_has_its_reason_and_healthy_hosts_are_untouched() {
    let broken = [
        ("refused", Behaviour::Refused, Reason::Refused, "refused the connection"),
        ("tarpit", Behaviour::Tarpit, Reason::BannerTimeout, "sent no SSH banner within 0.7 s"),
        ("stall-kex", Behaviour::StallKex, Reason::Kex, "did not finish the key exchange within 0.7 s"),
        ("stall-auth", Behaviour::StallAuth, Reason::Deadline, "did not answer the authentication of `gpusweep`"),
        ("stall-exec", Behaviour::StallExec, Reason::Deadline, "deadline of 2.5 s passed while running the script"),
        ("stall-output", Behaviour::StallOutput(170, stored()), Reason::Deadline, "while running the script"),
        ("drop-output", Behaviour::DropOutput(120, stored()), Reason::Disconnected, "the machine is going down"),
        ("no-exit", Behaviour::NoExitStatus(120, stored()), Reason::NoExitStatus, "stopped before its end"),
        ("endless", Behaviour::Endless, Reason::OutputCap, "more than 200000 bytes"),
        ("nologin", Behaviour::NoShell("This account is closed.".into()), Reason::Shell, "This account is closed."),
        ("wrong-key", Behaviour::WrongHostKey, Reason::HostKeyMismatch, "ssh-keygen -R"),
        ("unknown-key", Behaviour::UnknownHostKey, Reason::HostKeyUnknown, "ssh-keyscan -p"),
        ("refuses-keys", Behaviour::RefusesKeys, Reason::AuthRefused, "refused `gpusweep` with ssh-ed25519 SHA256:"),
        ("drops", Behaviour::DropConnection, Reason::BastionSaturated, "before its banner"),
    ];
    let mut hosts: Vec<Host> = broken.iter().map(|(name, behaviour, ..)| Host::new(*name, behaviour.clone())).collect();
    hosts.extend((0..30).map(|n| Host::new(format!("ok-{n:02}"), Behaviour::Answer(stored()))));
    hosts.push(Host::new("slow", Behaviour::Slow(Duration::from_millis(300), stored())));
    let fleet = Fleet::start(hosts).await.unwrap();
    let results = sweep_with(&fleet, options(&fleet), 10).await;
    assert_eq!(results.len(), broken.len() + 31);
    for (name, _, reason, words) in &broken {
        let failure = results[*name].failure.as_ref().unwrap_or_else(|| panic!("{name} did not fail"));
        assert_eq!(failure.reason, *reason, "{name}: {}", failure.detail);
        assert!(failure.detail.contains(words), "{name}: {}", failure.detail);
        assert!(!failure.detail.contains(['\n', '\r', '\u{1b}']), "{name}: {}", failure.detail);
    }
    for (name, collected) in &results {
        if name.starts_with("ok-") || name == "slow" {
            assert_whole(collected);
        }
    }
    let cut = &results["stall-output"];
    let transcript = Transcript::parse(&cut.bytes, Some(&cut.marker));
    assert!(transcript.frame("clock").is_some() && transcript.running.as_deref() == Some("module"));
}

#[tokio::test]
async fn sudo_that_refuses_is_a_reason_and_the_script_still_runs() {
    let host = |name: &str, sudo| Host { sudo, ..Host::new(name, Behaviour::Answer(stored())) };
    let fleet = Fleet::start(vec![
        host("allowed", Sudo::Allowed),
        host("password", Sudo::Password),
        host("denied", Sudo::Denied),
    ])
    .await
    .unwrap();
    let options = Options { become_user: Some("root".into()), ..options(&fleet) };
    let results = sweep_with(&fleet, options, 10).await;
    results.values().for_each(assert_whole);
    let why = |name: &str| results[name].become_failure.as_ref().map(|Unread { reason, .. }| *reason);
    assert_eq!(why("allowed"), None);
    assert_eq!(why("password"), Some(Reason::SudoPassword));
    assert_eq!(why("denied"), Some(Reason::SudoDenied));
}

#[tokio::test]
async fn ten_refusals_stop_a_sweep_before_it_bans_anyone() {
    let hosts = (0..40).map(|n| Host::new(format!("h{n}"), Behaviour::RefusesKeys)).collect();
    let fleet = Fleet::start(hosts).await.unwrap();
    let slow = Options {
        host_timeout: Duration::from_secs(20),
        handshake_timeout: Duration::from_secs(10),
        ..options(&fleet)
    };
    let results = sweep_with(&fleet, slow, 10).await;
    let count = |reason| results.values().filter(|c| c.failure.as_ref().is_some_and(|f| f.reason == reason)).count();
    assert_eq!((count(Reason::AuthRefused), count(Reason::NotTried)), (10, 30));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn timed_out_sessions_leave_no_socket_and_no_task() {
    let hosts = (0..50)
        .map(|n| {
            let behaviour = match n % 4 {
                0 => Behaviour::Tarpit,
                1 => Behaviour::StallKex,
                2 => Behaviour::StallAuth,
                _ => Behaviour::StallExec,
            };
            Host::new(format!("h{n}"), behaviour)
        })
        .collect();
    let fleet = Fleet::start(hosts).await.unwrap();
    let ports: Vec<u16> = fleet.targets().iter().filter_map(|target| target.port).collect();
    let client = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let options = Options { host_timeout: Duration::from_millis(900), ..options(&fleet) };
    let (targets, metrics) = (fleet.targets(), client.metrics());
    let run = client.spawn(async move {
        let contact: Arc<dyn Contact> = Arc::new(Dispatcher::new(options, script()));
        let (sender, mut receiver) = channel(64);
        let listen = tokio::spawn(async move {
            let mut finished = 0;
            while let Some(event) = receiver.recv().await {
                finished += usize::from(matches!(event, Event::Finished { .. }));
            }
            finished
        });
        sweep::run(targets, contact, sweep::Options::default(), sender, CancellationToken::new()).await;
        listen.await.unwrap()
    });
    assert_eq!(run.await.unwrap(), 50);
    // Ending takes the tasks a few turns, not a wait for anybody.
    for _ in 0..200 {
        if metrics.num_alive_tasks() == 0 && open_sockets(&ports) == 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!((metrics.num_alive_tasks(), open_sockets(&ports)), (0, 0));
    client.shutdown_background();
}

/// Sockets of this machine that are still connected *to* one of the ports.
fn open_sockets(ports: &[u16]) -> usize {
    let table = std::fs::read_to_string("/proc/net/tcp").unwrap_or_default();
    table
        .lines()
        .skip(1)
        .filter(|line| {
            let mut words = line.split_ascii_whitespace().skip(2);
            let remote = words
                .next()
                .and_then(|at| at.rsplit_once(':'))
                .and_then(|(_, port)| u16::from_str_radix(port, 16).ok());
            let established = words.next() == Some("01");
            established && remote.is_some_and(|port| ports.contains(&port))
        })
        .count()
}

#[tokio::test]
async fn a_dropped_contact_ends_its_session() {
    let fleet = Fleet::start(vec![Host::new("h", Behaviour::StallExec)]).await.unwrap();
    let targets = fleet.targets();
    let port = targets[0].port.unwrap();
    let dispatcher = Dispatcher::new(Options { host_timeout: Duration::from_secs(30), ..options(&fleet) }, script());
    let watch = Watch::default();
    let waiting = dispatcher.collect(&targets[0], &watch);
    assert!(tokio::time::timeout(Duration::from_millis(500), waiting).await.is_err());
    for _ in 0..200 {
        if open_sockets(&[port]) == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the socket is still open");
}

/// A raw server that says each of the pieces a moment after the one before, then keeps the connection open.
fn talker(pieces: Vec<&'static [u8]>, again: bool) -> u16 {
    use std::io::Write;
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        while let Ok((mut stream, _)) = listener.accept() {
            let pieces = pieces.clone();
            std::thread::spawn(move || {
                loop {
                    for piece in &pieces {
                        if stream.write_all(piece).is_err() {
                            return;
                        }
                        std::thread::sleep(Duration::from_millis(20));
                    }
                    if !again {
                        std::thread::sleep(Duration::from_secs(5));
                        return;
                    }
                }
            });
        }
    });
    port
}

#[tokio::test]
async fn raw_nonsense_is_bounded_and_quoted() {
    let fleet = Fleet::start(vec![]).await.unwrap();
    let ask = async |port| {
        let target = gpusweep::inventory::Target {
            name: "raw".into(),
            address: "127.0.0.1".into(),
            port: Some(port),
            user: Some("x".into()),
            ..Default::default()
        };
        let options = Options { retries: 0, ..options(&fleet) };
        Dispatcher::new(options, script()).collect(&target, &Watch::default()).await.failure.unwrap()
    };
    let drip = ask(talker(vec![b"S"], true)).await;
    assert_eq!(drip.reason, Reason::BannerTimeout, "{}", drip.detail);
    let endless =
        ask(talker(vec![b"hello\r\nhello\r\nhello\r\nhello\r\nhello\r\nhello\r\nhello\r\nhello\r\n"], true)).await;
    assert!(matches!(endless.reason, Reason::Kex | Reason::BannerTimeout), "{}", endless.detail);
    assert!(endless.detail.len() < 600 && endless.detail.contains("hello hello"), "{}", endless.detail);
    let junk = ask(talker(vec![b"SSH-2.0-junk\r\n", b"\xff\xff\xff\xff\xff\xff\xff\xff"], false)).await;
    assert_eq!(junk.reason, Reason::Kex, "{}", junk.detail);
    let excuse = ask(talker(vec![b"Not allowed at this time\r\n"], false)).await;
    assert_eq!(excuse.reason, Reason::BannerTimeout);
    assert!(excuse.detail.ends_with("it sent only: Not allowed at this time"), "{}", excuse.detail);
}
