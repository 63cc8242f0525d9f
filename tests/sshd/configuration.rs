//! ssh_config files, read through `ssh -G`, and a server that is not OpenSSH.

use std::process::{Child, Command, Stdio};

use gpusweep::inventory::Target;
use gpusweep::reading::Reason;
use gpusweep::transport::{ConfigSource, Options};

use crate::server::{self, Sshd, free_port, keygen, wait_for};
use crate::{assert_whole, collect, options};

fn ssh_available() -> bool {
    let found = Command::new("ssh").arg("-V").stderr(Stdio::null()).status().is_ok();
    if !found {
        server::skip("ssh is not installed (Debian: openssh-client)");
    }
    found && server::available()
}

fn named(name: &str) -> Target {
    Target { name: name.into(), address: name.into(), ..Target::default() }
}

#[tokio::test]
async fn host_blocks_jumps_aliases_and_files_are_honoured() {
    if !ssh_available() {
        return;
    }
    let (bastion, host) = (Sshd::start("ed25519", &[]), Sshd::start("ed25519", &[]));
    std::fs::copy(host.path("authorized"), bastion.path("authorized")).unwrap();
    let public = std::fs::read_to_string(host.path("host.pub")).unwrap();
    let known = format!("{}gpu-nodes {public}", std::fs::read_to_string(bastion.known_hosts()).unwrap());
    std::fs::write(host.path("config_known_hosts"), known).unwrap();
    let at = host.folder.path().display();
    let config = format!(
        "Host gate\n  HostName 127.0.0.1\n  Port {}\nHost gpu-*\n  HostName 127.0.0.1\n  Port {}\n  ProxyJump gate\n  \
         HostKeyAlias gpu-nodes\nHost *\n  IdentityFile {at}/user\n  IdentitiesOnly yes\n  \
         UserKnownHostsFile {at}/config_known_hosts\n",
        bastion.port, host.port
    );
    let file = host.path("ssh_config");
    std::fs::write(&file, config).unwrap();
    let options = Options { ssh_config: ConfigSource::File(file.clone()), ..Options::default() };
    let answer = collect(options, &named("gpu-7")).await;
    assert_eq!(answer.failure, None);
    assert_whole(&answer);
    // A target's own -F goes before the flag's.
    let target = Target { ssh_config: Some(file), ..named("gpu-8") };
    assert_whole(&collect(Options { ssh_config: ConfigSource::None, ..Options::default() }, &target).await);
}

#[tokio::test]
async fn a_configuration_that_ssh_refuses_or_we_do_is_named() {
    if !ssh_available() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config");
    for (line, words) in [
        ("NoSuchOption yes", "Bad configuration option: nosuchoption"),
        ("KnownHostsCommand /bin/keys %H", "knownhostscommand"),
        ("Ciphers aes256-cbc", "names nothing that gpusweep has"),
    ] {
        std::fs::write(&file, format!("{line}\n")).unwrap();
        let mut options = Options { ssh_config: ConfigSource::File(file.clone()), ..Options::default() };
        options.memory.key = Some(std::sync::Arc::new(
            russh::keys::PrivateKey::random(&mut russh::keys::key::safe_rng(), russh::keys::Algorithm::Ed25519)
                .unwrap(),
        ));
        let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let target = Target { port: Some(silent.local_addr().unwrap().port()), ..named("127.0.0.1") };
        let why = collect(options, &target).await.failure.unwrap();
        assert_eq!(why.reason, Reason::ConfigRefused, "{line}: {}", why.detail);
        assert!(why.detail.contains(words), "{line}: {}", why.detail);
    }
}

struct Dropbear(Child);

impl Drop for Dropbear {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

#[tokio::test]
async fn dropbear_is_spoken_to() {
    if !server::available() {
        return;
    }
    if Command::new("dropbear").arg("-V").stderr(Stdio::null()).status().is_err() {
        return server::skip("dropbear is not installed (Debian: dropbear-bin)");
    }
    // dropbear reads only the login user's own authorized_keys, so the refusal is what can be shown anywhere.
    let home = tempfile::tempdir().unwrap();
    let key = home.path().join("dropbear_host");
    let made = Command::new("dropbearkey").args(["-t", "ed25519", "-f"]).arg(&key).output().unwrap();
    let public =
        String::from_utf8_lossy(&made.stdout).lines().find(|l| l.starts_with("ssh-ed25519 ")).unwrap().to_owned();
    let port = free_port();
    let child = Command::new("dropbear")
        .args(["-F", "-E", "-s", "-p", &format!("127.0.0.1:{port}"), "-P"])
        .arg(home.path().join("pid"))
        .arg("-r")
        .arg(&key)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let _server = Dropbear(child);
    wait_for(port, String::new);
    let known = home.path().join("known_hosts");
    std::fs::write(&known, format!("[127.0.0.1]:{port} {public}\n")).unwrap();
    let user = home.path().join("user");
    keygen(&user, &["-t", "rsa", "-N", ""]);
    let sshd = Sshd::start("ed25519", &[]);
    let options = Options { known_hosts: vec![known], keys: vec![user], ..options(&sshd) };
    let why = collect(options, &crate::target(port)).await.failure.unwrap();
    assert_eq!(why.reason, Reason::AuthRefused, "{}", why.detail);
}
