//! Our reading of ssh_config against `ssh -G` over generated files.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::super::{AgentChoice, tokens};
use super::*;

/// Files that are compared.
const CASES: u64 = 300;

/// A small generator of its own, so that a failing case has a number.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % sides
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.roll(from.len())]
    }
}

const HOSTS: &[&str] = &["gpu-1", "gpu-22", "GPU-3", "login", "10.0.0.9", "a.example.com"];

const HEADS: &[&str] = &[
    "Host gpu-*",
    "Host gpu-? login",
    "Host *",
    "Host !gpu-1 gpu-*",
    "Host GPU-3",
    "Host=login",
    "Host \"gpu-1\" # the first",
    "Host *.example.com !a.example.com",
    "Match all",
    "Match host gpu-1,10.*",
    "Match originalhost gpu-*,!gpu-22",
    "Match user ann",
    "Match !user ann",
    "Match host 192.0.2.* user ann",
    "Match localuser *",
    "Match !host gpu-*",
];

const SETTINGS: &[&str] = &[
    "HostName 192.0.2.7",
    "HostName %h.Internal",
    "hostname=%h",
    "Port 2222",
    "Port = 24",
    "User ann",
    "User bob",
    "IdentityFile ~/.ssh/fleet",
    "IdentityFile \"/keys/%r at %h\"",
    "IdentitiesOnly yes",
    "IdentitiesOnly no",
    "ProxyJump gate",
    "ProxyJump ann@a:24,b",
    "ProxyJump none",
    "ProxyCommand nc -X 5 %h %p",
    "ProxyCommand none",
    "HostKeyAlias fleet",
    "UserKnownHostsFile /kh/one ~/kh/two",
    "UserKnownHostsFile none",
    "GlobalKnownHostsFile /etc/kh",
    "StrictHostKeyChecking accept-new",
    "StrictHostKeyChecking yes",
    "StrictHostKeyChecking no",
    "ConnectTimeout 7",
    "ConnectTimeout none",
    "IdentityAgent none",
    "IdentityAgent ~/agent.sock",
    "CertificateFile ~/.ssh/c-cert.pub",
    "HashKnownHosts yes",
    "Ciphers aes256-gcm@openssh.com,aes128-ctr",
    "KexAlgorithms curve25519-sha256",
    "Compression yes",
    "ServerAliveInterval 30",
    "ForwardAgent yes",
    "# a comment",
    "",
    "  LogLevel ERROR",
];

fn block(dice: &mut Dice, include: Option<&Path>) -> String {
    let mut text = String::new();
    for _ in 0..=dice.roll(5) {
        for _ in 0..dice.roll(5) {
            writeln!(text, "{}{}", dice.pick(&["", "  ", "\t"]), dice.pick(SETTINGS)).unwrap();
        }
        if let Some(include) = include.filter(|_| dice.roll(3) == 0) {
            writeln!(text, "Include {}/*.conf", include.display()).unwrap();
        }
        writeln!(text, "{}", dice.pick(HEADS)).unwrap();
        for _ in 0..=dice.roll(4) {
            writeln!(text, "  {}", dice.pick(SETTINGS)).unwrap();
        }
    }
    text
}

/// Both sides with what `ssh -G` has already expanded expanded on ours, too.
fn comparable(resolved: &Resolved) -> Resolved {
    let mut out = resolved.clone();
    let expand = |files: &mut Vec<String>| {
        for file in files {
            *file = tokens::home_path(file).display().to_string();
        }
    };
    expand(&mut out.user_known_hosts);
    expand(&mut out.global_known_hosts);
    expand(&mut out.identity_files);
    expand(&mut out.certificate_files);
    if let AgentChoice::Socket(path) = &mut out.agent {
        *path = tokens::home_path(path).display().to_string();
    }
    out
}

#[tokio::test]
async fn our_reading_is_the_one_of_ssh() {
    if Command::new("ssh").arg("-V").stderr(std::process::Stdio::null()).status().await.is_err() {
        // Written past the test runner's capture: a skip is to be seen.
        _ = std::io::Write::write_all(&mut std::io::stderr(), b"SKIPPED: ssh is not installed\n");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let parts = folder.path().join("parts");
    std::fs::create_dir(&parts).unwrap();
    let cached = Cached {
        source: ConfigSource::None,
        baseline: OnceCell::new(),
        cache: Mutex::default(),
        files: Mutex::default(),
        turns: turns(),
    };
    for case in 1..=CASES {
        let mut dice = Dice(case.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        for name in ["a.conf", "b.conf", ".hidden.conf"] {
            std::fs::write(parts.join(name), block(&mut dice, None)).unwrap();
        }
        let text = block(&mut dice, Some(&parts));
        let path: PathBuf = folder.path().join(format!("config{case}"));
        std::fs::write(&path, &text).unwrap();
        let mut query = Query { host: dice.pick(HOSTS).to_owned(), ..Query::default() };
        match dice.roll(5) {
            0 => query.user = Some("ann".into()),
            1 => query.port = Some(99),
            2 => query.jump = Some("flagged".into()),
            3 => query.options = vec![("User".into(), "carl".into()), ("ProxyCommand".into(), "nc a".into())],
            _ => {}
        }
        let source = ConfigSource::File(path);
        let files = cached.files(&source);
        let ours = match files.as_ref() {
            Ok(files) => evaluate::evaluate(files, &query),
            Err(odd) => panic!("case {case}: {odd:?}\n{text}"),
        };
        let Ok(ours) = ours else { panic!("case {case} was left to ssh\n{text}") };
        let theirs = cached.ask_openssh(&source, &query).await.unwrap();
        assert_eq!(comparable(&ours), comparable(&theirs), "case {case}: {query:?}\n{text}");
    }
}
