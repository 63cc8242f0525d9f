//! Keys and agents.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use gpusweep::reading::Reason;
use gpusweep::transport::{Options, Passphrases};

use crate::server::{self, Sshd, keygen};
use crate::{assert_whole, collect, options, target};

#[tokio::test]
async fn rsa_ecdsa_and_pem_keys_are_accepted() {
    if !server::available() {
        return;
    }
    let server = Sshd::start("ed25519", &[]);
    let kinds: [(&str, &[&str]); 4] = [
        ("rsa", &["-t", "rsa", "-b", "2048", "-N", ""]),
        ("rsa-pem", &["-t", "rsa", "-b", "2048", "-N", "", "-m", "PEM"]),
        ("ecdsa256", &["-t", "ecdsa", "-b", "256", "-N", ""]),
        ("ecdsa521", &["-t", "ecdsa", "-b", "521", "-N", ""]),
    ];
    for (name, arguments) in kinds {
        let key = server.authorise(name, arguments);
        let answer = collect(Options { keys: vec![key], ..options(&server) }, &target(server.port)).await;
        assert_eq!(answer.failure, None, "{name}");
        assert_whole(&answer);
    }
}

#[tokio::test]
async fn a_refused_key_names_user_and_fingerprint_and_is_offered_once() {
    if !server::available() {
        return;
    }
    let server = Sshd::start("ed25519", &["LogLevel VERBOSE"]);
    let stranger = server.path("stranger");
    keygen(&stranger, &["-t", "ed25519", "-N", ""]);
    let answer = collect(Options { keys: vec![stranger], ..options(&server) }, &target(server.port)).await;
    let why = answer.failure.unwrap();
    assert_eq!(why.reason, Reason::AuthRefused);
    assert!(why.detail.contains("SHA256:") && why.detail.contains("it takes publickey"), "{}", why.detail);
    assert_eq!(server.log().matches("Failed publickey").count(), 1, "{}", server.log());
}

#[tokio::test]
async fn no_more_than_three_keys_are_offered() {
    if !server::available() {
        return;
    }
    let server = Sshd::start("ed25519", &["LogLevel VERBOSE"]);
    let keys: Vec<PathBuf> = (0..5)
        .map(|n| {
            let path = server.path(&format!("stranger{n}"));
            keygen(&path, &["-t", "ed25519", "-N", ""]);
            path
        })
        .collect();
    let answer = collect(Options { keys, ..options(&server) }, &target(server.port)).await;
    let why = answer.failure.unwrap();
    assert_eq!(why.reason, Reason::AuthRefused);
    assert!(why.detail.contains("2 more not tried"), "{}", why.detail);
    assert_eq!(server.log().matches("Failed publickey").count(), 3, "{}", server.log());
}

struct Words(&'static str);

impl Passphrases for Words {
    fn ask(&self, _: &Path) -> Option<String> {
        Some(self.0.to_owned())
    }
}

#[tokio::test]
async fn an_encrypted_key_needs_an_agent_or_someone_to_ask() {
    if !server::available() {
        return;
    }
    let server = Sshd::start("ed25519", &[]);
    let key = server.authorise("locked", &["-t", "ed25519", "-N", "open sesame"]);
    let mut asked = Options { keys: vec![key.clone()], ..options(&server) };
    let mut at = target(server.port);
    at.ssh_options = vec![("IdentityAgent".into(), "none".into())];
    let why = collect(asked.clone(), &at).await.failure.unwrap();
    assert_eq!(why.reason, Reason::Identity);
    assert!(why.detail.contains(&format!("{} is encrypted", key.display())), "{}", why.detail);
    asked.passphrases = Some(Arc::new(Words("open sesame")));
    assert_whole(&collect(asked.clone(), &at).await);
    asked.passphrases = Some(Arc::new(Words("guess")));
    let why = collect(asked, &at).await.failure.unwrap();
    assert_eq!(why.reason, Reason::Identity);
    assert!(why.detail.contains("the passphrase does not open"), "{}", why.detail);
}

#[tokio::test]
async fn a_key_file_that_is_not_there_is_named() {
    if !server::available() {
        return;
    }
    let server = Sshd::start("ed25519", &[]);
    let keys = vec![server.path("nowhere")];
    let why = collect(Options { keys, ..options(&server) }, &target(server.port)).await.failure.unwrap();
    assert_eq!(why.reason, Reason::Identity);
    assert!(why.detail.contains("nowhere does not exist"), "{}", why.detail);
}

struct Agent {
    socket: PathBuf,
    child: std::process::Child,
}

impl Agent {
    fn start(folder: &Path) -> Option<Self> {
        let socket = folder.join("agent.sock");
        let child = Command::new("ssh-agent").arg("-D").arg("-a").arg(&socket).stdout(Stdio::null()).spawn().ok()?;
        let agent = Self { socket, child };
        for _ in 0..200 {
            if agent.socket.exists() {
                return Some(agent);
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        None
    }

    fn add(&self, key: &Path) {
        let output = Command::new("ssh-add").arg("-q").arg(key).env("SSH_AUTH_SOCK", &self.socket).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

#[tokio::test]
async fn an_agent_signs_for_keys_without_files_and_for_named_public_keys() {
    if !server::available() {
        return;
    }
    let server = Sshd::start("ed25519", &[]);
    let Some(agent) = Agent::start(server.folder.path()) else {
        return server::skip("ssh-agent does not start here");
    };
    for (name, arguments) in [("a-ed", ["-t", "ed25519", "-N", ""]), ("a-rsa", ["-t", "rsa", "-N", ""])] {
        let key = server.authorise(name, &arguments);
        agent.add(&key);
        let mut at = target(server.port);
        at.ssh_options = vec![("IdentityAgent".into(), agent.socket.display().to_string())];
        let named = Options { keys: vec![key.with_extension("pub")], ..options(&server) };
        std::fs::remove_file(&key).unwrap();
        let answer = collect(named, &at).await;
        assert_eq!(answer.failure, None, "{name} named by its public half");
        let answer = collect(Options { keys: vec![], ..options(&server) }, &at).await;
        assert_eq!(answer.failure, None, "{name} from the agent's list");
        assert_whole(&answer);
    }
}

#[tokio::test]
async fn certificates_of_ed25519_and_rsa_users_are_accepted() {
    if !server::available() {
        return;
    }
    let server = Sshd::start("ed25519", &["TrustedUserCAKeys @DIR/ca.pub", "AuthorizedKeysFile none"]);
    keygen(&server.path("ca"), &["-t", "ed25519", "-N", ""]);
    let user = whoami();
    for (name, arguments) in [("c-ed", ["-t", "ed25519", "-N", ""]), ("c-rsa", ["-t", "rsa", "-N", ""])] {
        let key = server.path(name);
        keygen(&key, &arguments);
        let signed = Command::new("ssh-keygen")
            .args(["-q", "-s"])
            .arg(server.path("ca"))
            .args(["-I", "test", "-n", &user])
            .arg(key.with_extension("pub"))
            .output()
            .unwrap();
        assert!(signed.status.success(), "{}", String::from_utf8_lossy(&signed.stderr));
        let answer = collect(Options { keys: vec![key], ..options(&server) }, &target(server.port)).await;
        assert_eq!(answer.failure, None, "{name}: {}", server.log());
        assert_whole(&answer);
    }
}

fn whoami() -> String {
    String::from_utf8(Command::new("id").arg("-un").output().unwrap().stdout).unwrap().trim().to_owned()
}
