//! Bastions and proxy commands.

use gpusweep::inventory::Target;
use gpusweep::reading::Reason;
use gpusweep::sweep::{self, Event};
use gpusweep::transport::{Dispatcher, Options};
use std::sync::Arc;

use crate::server::{self, Sshd, free_port};
use crate::{assert_whole, collect, options, script, target};

/// Options that know both servers; the bastion lets the same key in.
fn through(bastion: &Sshd, host: &Sshd) -> Options {
    let key = std::fs::read_to_string(host.path("user.pub")).unwrap();
    std::fs::write(bastion.path("authorized"), key).unwrap();
    let known = [bastion.known_hosts(), host.known_hosts()].map(|file| std::fs::read_to_string(file).unwrap()).concat();
    let file = host.path("both_known_hosts");
    std::fs::write(&file, known).unwrap();
    Options { known_hosts: vec![file], jump: Some(format!("127.0.0.1:{}", bastion.port)), ..options(host) }
}

#[tokio::test]
async fn one_bastion_session_carries_many_hosts() {
    if !server::available() {
        return;
    }
    let (bastion, host) = (Sshd::start("ed25519", &["LogLevel VERBOSE"]), Sshd::start("ed25519", &[]));
    let options = through(&bastion, &host);
    let targets: Vec<Target> = (0..30).map(|_| target(host.port)).collect();
    let (sender, mut receiver) = tokio::sync::mpsc::channel(64);
    let contact = Arc::new(Dispatcher::new(options, script()));
    let task = tokio::spawn(sweep::run(
        targets,
        contact,
        sweep::Options::default(),
        sender,
        tokio_util::sync::CancellationToken::new(),
    ));
    let mut whole = 0;
    while let Some(event) = receiver.recv().await {
        if let Event::Finished { collected, .. } = event {
            assert_whole(&collected);
            whole += 1;
        }
    }
    task.await.unwrap();
    assert_eq!(whole, 30);
    assert_eq!(bastion.log().matches("Accepted publickey").count(), 1, "{}", bastion.log());
    // With the sweep its shared session ends, too.
    for _ in 0..300 {
        if server::connections_to(bastion.port) == 0 {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("the bastion still has a session: {}", bastion.log());
}

#[tokio::test]
async fn a_chain_of_bastions_is_passed_in_order() {
    if !server::available() {
        return;
    }
    let (first, second, host) = (Sshd::start("ed25519", &[]), Sshd::start("ed25519", &[]), Sshd::start("ed25519", &[]));
    let mut options = through(&second, &host);
    std::fs::copy(second.path("authorized"), first.path("authorized")).unwrap();
    let file = options.known_hosts[0].clone();
    let known = std::fs::read_to_string(&file).unwrap() + &std::fs::read_to_string(first.known_hosts()).unwrap();
    std::fs::write(&file, known).unwrap();
    options.jump = Some(format!("127.0.0.1:{},127.0.0.1:{}", first.port, second.port));
    assert_whole(&collect(options, &target(host.port)).await);
}

#[tokio::test]
async fn a_bastions_own_trouble_is_told_as_its_own() {
    if !server::available() {
        return;
    }
    let (bastion, host) = (Sshd::start("ed25519", &[]), Sshd::start("ed25519", &[]));
    let mut options = through(&bastion, &host);
    options.retries = 0;
    let why = |options: Options, port| async move { collect(options, &target(port)).await.failure.unwrap() };
    let unknown = Options { known_hosts: vec![host.known_hosts()], ..options.clone() };
    let failure = why(unknown, host.port).await;
    assert_eq!(failure.reason, Reason::Bastion);
    let start = format!("bastion 127.0.0.1:{}: host-key-unknown: ", bastion.port);
    assert!(failure.detail.starts_with(&start), "{}", failure.detail);
    let closed = free_port();
    let dead = Options { jump: Some(format!("127.0.0.1:{closed}")), ..options.clone() };
    let failure = why(dead, host.port).await;
    assert_eq!(failure.reason, Reason::Bastion);
    assert_eq!(
        failure.detail,
        format!("bastion 127.0.0.1:{closed}: refused: 127.0.0.1:{closed} refused the connection")
    );
    let failure = why(options.clone(), closed).await;
    assert_eq!(failure.reason, Reason::Unreachable, "{}", failure.detail);
    let forbidding = Sshd::start("ed25519", &["AllowTcpForwarding no"]);
    let failure = why(through(&forbidding, &host), host.port).await;
    assert_eq!(failure.reason, Reason::Bastion);
    assert!(failure.detail.contains("does not allow forwarding"), "{}", failure.detail);
}

#[tokio::test]
async fn a_proxy_command_is_a_way_and_its_words_explain_its_failure() {
    if !server::available() {
        return;
    }
    let server = Sshd::start("ed25519", &[]);
    let mut at = target(server.port);
    at.ssh_options =
        vec![("ProxyCommand".into(), format!("bash -c 'exec 3<>/dev/tcp/%h/{}; cat <&3 & cat >&3'", server.port))];
    assert_whole(&collect(options(&server), &at).await);
    at.ssh_options = vec![("ProxyCommand".into(), "sh -c 'echo no way to %h >&2; exit 1'".into())];
    let why = collect(Options { retries: 0, ..options(&server) }, &at).await.failure.unwrap();
    assert_eq!(why.reason, Reason::Bastion);
    assert!(why.detail.ends_with("it says: no way to 127.0.0.1"), "{}", why.detail);
}
