//! The server's key against what is recorded.

use gpusweep::reading::Reason;
use gpusweep::transport::{HostKeyPolicy, Options};

use crate::server::{self, Sshd, keygen};
use crate::{assert_whole, collect, options, target};

#[tokio::test]
async fn every_type_is_recognised_even_when_it_is_not_our_first_choice() {
    if !server::available() {
        return;
    }
    for kind in ["rsa", "ecdsa", "ed25519"] {
        let server = Sshd::start(kind, &[]);
        let answer = collect(options(&server), &target(server.port)).await;
        assert_eq!(answer.failure, None, "{kind}");
        assert_whole(&answer);
    }
}

#[tokio::test]
async fn a_host_recorded_by_one_of_its_keys_is_asked_for_that_one() {
    if !server::available() {
        return;
    }
    let server = Sshd::start("rsa", &["HostKey @DIR/second"]);
    drop(server);
    let folder = tempfile::tempdir().unwrap();
    keygen(&folder.path().join("second"), &["-t", "ed25519", "-N", ""]);
    let second = format!("HostKey {}/second", folder.path().display());
    let server = Sshd::start("rsa", &[&second]);
    // Only the RSA key is recorded, and both are on offer.
    assert_whole(&collect(options(&server), &target(server.port)).await);
}

#[tokio::test]
async fn an_unknown_key_is_refused_and_accepted_only_on_request() {
    if !server::available() {
        return;
    }
    let server = Sshd::start("ed25519", &[]);
    let empty = server.path("empty_known_hosts");
    let strict = Options { known_hosts: vec![empty.clone()], ..options(&server) };
    let why = collect(strict.clone(), &target(server.port)).await.failure.unwrap();
    assert_eq!(why.reason, Reason::HostKeyUnknown);
    assert!(why.detail.contains(&format!("ssh-keyscan -p {} 127.0.0.1", server.port)), "{}", why.detail);
    assert!(!empty.exists());
    let accepting = Options { host_keys: Some(HostKeyPolicy::AcceptNew), ..strict.clone() };
    assert_whole(&collect(accepting, &target(server.port)).await);
    assert_whole(&collect(strict, &target(server.port)).await);
}

#[tokio::test]
async fn a_changed_key_is_refused_even_when_new_ones_are_accepted() {
    if !server::available() {
        return;
    }
    let server = Sshd::start("ed25519", &[]);
    keygen(&server.path("other"), &["-t", "ed25519", "-N", ""]);
    let other = std::fs::read_to_string(server.path("other.pub")).unwrap();
    let file = server.path("stale_known_hosts");
    std::fs::write(&file, format!("[127.0.0.1]:{} {other}", server.port)).unwrap();
    let options =
        Options { known_hosts: vec![file.clone()], host_keys: Some(HostKeyPolicy::AcceptNew), ..options(&server) };
    let why = collect(options, &target(server.port)).await.failure.unwrap();
    assert_eq!(why.reason, Reason::HostKeyMismatch);
    assert!(why.detail.contains(&format!("{}:1 records ssh-ed25519 SHA256:", file.display())), "{}", why.detail);
}

#[tokio::test]
async fn a_host_certificate_of_a_recorded_authority_is_trusted() {
    if !server::available() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    keygen(&at("ca"), &["-t", "ed25519", "-N", ""]);
    for kind in ["ed25519", "rsa"] {
        keygen(&at(kind), &["-t", kind, "-N", ""]);
        let signed = std::process::Command::new("ssh-keygen")
            .args(["-q", "-h", "-I", "host", "-n", "127.0.0.1", "-s"])
            .arg(at("ca"))
            .arg(at(&format!("{kind}.pub")))
            .output()
            .unwrap();
        assert!(signed.status.success(), "{}", String::from_utf8_lossy(&signed.stderr));
        let key = format!("HostKey {}", at(kind).display());
        let certificate = format!("HostCertificate {}-cert.pub", at(kind).display());
        let server = Sshd::start("ecdsa", &[&key, &certificate]);
        let file = at("known_hosts");
        let authority = std::fs::read_to_string(at("ca.pub")).unwrap();
        std::fs::write(&file, format!("@cert-authority [127.0.0.1]:* {authority}")).unwrap();
        let answer = collect(Options { known_hosts: vec![file], ..options(&server) }, &target(server.port)).await;
        assert_eq!(answer.failure, None, "{kind}");
        assert_whole(&answer);
    }
}
