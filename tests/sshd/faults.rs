//! Servers and shells that misbehave.

use std::sync::Arc;
use std::time::Duration;

use gpusweep::reading::Reason;
use gpusweep::transport::{Contact, Dispatcher, Options, Watch};

use crate::server::{self, Sshd, free_port};
use crate::{assert_whole, collect, options, target};

#[tokio::test]
async fn a_closed_port_and_a_silent_one_are_told_apart() {
    if !server::available() {
        return;
    }
    let server = Sshd::start("ed25519", &[]);
    let quick = Options { handshake_timeout: Duration::from_millis(300), retries: 0, ..options(&server) };
    let why = collect(quick.clone(), &target(free_port())).await.failure.unwrap();
    assert_eq!(why.reason, Reason::Refused);
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let why = collect(quick, &target(silent.local_addr().unwrap().port())).await.failure.unwrap();
    assert_eq!(why.reason, Reason::BannerTimeout);
}

#[tokio::test]
async fn something_that_speaks_another_protocol_is_quoted() {
    if !server::available() {
        return;
    }
    let server = Sshd::start("ed25519", &[]);
    let web = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = web.local_addr().unwrap().port();
    let serve = std::thread::spawn(move || {
        use std::io::Write;
        let (mut stream, _) = web.accept().unwrap();
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\nServer: x\x1b[31my\r\n\r\n").unwrap();
    });
    let why = collect(Options { retries: 0, ..options(&server) }, &target(port)).await.failure.unwrap();
    serve.join().unwrap();
    assert_eq!(why.reason, Reason::Kex);
    assert!(why.detail.ends_with("is no SSH server; it sent: HTTP/1.1 400 Bad Request Server: xy"), "{}", why.detail);
}

#[tokio::test]
async fn algorithms_without_overlap_name_both_sides() {
    if !server::available() {
        return;
    }
    let server = Sshd::start("ed25519", &["MACs umac-64@openssh.com", "Ciphers aes128-ctr"]);
    let why = collect(options(&server), &target(server.port)).await.failure.unwrap();
    assert_eq!(why.reason, Reason::Kex);
    assert!(why.detail.contains("it offers umac-64@openssh.com; we offer hmac-sha2-256-etm"), "{}", why.detail);
}

#[tokio::test]
async fn servers_with_narrow_lists_are_spoken_to() {
    if !server::available() {
        return;
    }
    for line in [
        "KexAlgorithms ecdh-sha2-nistp256",
        "KexAlgorithms diffie-hellman-group14-sha256",
        "KexAlgorithms diffie-hellman-group-exchange-sha256",
        "Ciphers aes128-gcm@openssh.com",
        "Ciphers chacha20-poly1305@openssh.com",
        "RekeyLimit 1K",
        "MaxSessions 1",
    ] {
        let server = Sshd::start("ed25519", &[line]);
        let answer = collect(options(&server), &target(server.port)).await;
        assert_eq!(answer.failure, None, "{line}");
        assert_whole(&answer);
    }
}

#[tokio::test]
async fn a_shell_that_runs_something_else_is_quoted() {
    if !server::available() {
        return;
    }
    let server = Sshd::start("ed25519", &["ForceCommand echo This account is parked.; exit 3"]);
    let why = collect(options(&server), &target(server.port)).await.failure.unwrap();
    assert_eq!(why.reason, Reason::Shell);
    assert_eq!(
        why.detail,
        "the login shell did not run the script (exit status 3); it printed: This account is parked."
    );
}

#[tokio::test]
async fn a_shell_that_never_answers_ends_at_the_deadline_and_no_session_is_a_reason() {
    if !server::available() {
        return;
    }
    let server = Sshd::start("ed25519", &["ForceCommand sleep 600"]);
    let options_ = Options { host_timeout: Duration::from_millis(1200), ..options(&server) };
    let why = collect(options_, &target(server.port)).await.failure.unwrap();
    assert_eq!(why.reason, Reason::Deadline);
    assert_eq!(why.detail, "the host's deadline of 1.2 s passed while running the script");
    let server = Sshd::start("ed25519", &["MaxSessions 0"]);
    let why = collect(options(&server), &target(server.port)).await.failure.unwrap();
    assert_eq!(why.reason, Reason::Shell, "{}", why.detail);
}

#[tokio::test]
async fn a_banner_and_a_noisy_login_do_no_harm_and_the_banner_explains_a_refusal() {
    if !server::available() {
        return;
    }
    let server = Sshd::start("ed25519", &["Banner @DIR/banner"]);
    std::fs::write(server.path("banner"), "Maintenance\x1b[2J until\nnoon\n").unwrap();
    assert_whole(&collect(options(&server), &target(server.port)).await);
    let stranger = server.path("stranger");
    server::keygen(&stranger, &["-t", "ed25519", "-N", ""]);
    let refused = Options { keys: vec![stranger], ..options(&server) };
    let why = collect(refused, &target(server.port)).await.failure.unwrap();
    assert!(why.detail.ends_with("; its banner says: Maintenance until noon"), "{}", why.detail);
}

#[tokio::test]
async fn a_large_script_and_a_large_answer_pass_whole() {
    if !server::available() {
        return;
    }
    let server = Sshd::start("ed25519", &[]);
    let script = Arc::new(|marker: &str| {
        let padding = "# padding\n".repeat(40_000);
        format!(
            "marker='{marker}'\n{padding}echo gpusweep-transcript/1 $marker\nhead -c 5000000 /dev/zero | tr '\\0' x\necho\necho $marker done\n"
        )
    });
    let dispatcher = Dispatcher::new(options(&server), script);
    let answer = dispatcher.collect(&target(server.port), &Watch::default()).await;
    assert_eq!(answer.failure, None);
    assert!(answer.bytes.len() > 5_000_000);
    let capped = Options { output_cap: 100_000, ..options(&server) };
    let script = Arc::new(|marker: &str| format!("echo gpusweep-transcript/1 '{marker}'\nyes\n"));
    let answer = Dispatcher::new(capped, script).collect(&target(server.port), &Watch::default()).await;
    assert_eq!(answer.failure.unwrap().reason, Reason::OutputCap);
    assert_eq!(answer.bytes.len(), 100_000);
}

#[tokio::test]
async fn the_channel_closes_at_the_end_line_whatever_still_runs() {
    if !server::available() {
        return;
    }
    let server = Sshd::start("ed25519", &[]);
    let script = Arc::new(|marker: &str| {
        format!("echo gpusweep-transcript/1 '{marker}'\nsleep 300 &\necho '{marker} done'\nwait\n")
    });
    let answer = Dispatcher::new(options(&server), script).collect(&target(server.port), &Watch::default()).await;
    assert_eq!(answer.failure, None);
    assert!(answer.timing.total < Duration::from_secs(15));
}

#[tokio::test]
async fn the_login_shell_does_not_matter() {
    if !server::available() {
        return;
    }
    for shell in ["tcsh", "fish", "bash", "dash"] {
        if std::process::Command::new(shell).args(["-c", "true"]).status().is_err() {
            server::skip(&format!("{shell} is not installed"));
            continue;
        }
        // What sshd does with a login shell, with a noisy start-up file before it.
        let line = format!("ForceCommand echo Welcome; echo noise >&2; exec {shell} -c \"$SSH_ORIGINAL_COMMAND\"");
        let server = Sshd::start("ed25519", &[&line]);
        let answer = collect(options(&server), &target(server.port)).await;
        assert_eq!(answer.failure, None, "{shell}");
        assert!(answer.bytes.starts_with(b"Welcome\ngpusweep-transcript/1 "), "{shell}");
    }
}
