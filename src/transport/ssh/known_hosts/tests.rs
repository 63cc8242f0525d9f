//! Each row is a way in which a simpler reader of known_hosts goes wrong.

use russh::keys::{EcdsaCurve, PrivateKey};

use super::*;

fn key(algorithm: Algorithm) -> KeyData {
    PrivateKey::random(&mut russh::keys::key::safe_rng(), algorithm).unwrap().public_key().key_data().clone()
}

fn ed25519() -> KeyData {
    key(Algorithm::Ed25519)
}

fn text(key: &KeyData) -> String {
    russh::keys::PublicKey::new(key.clone(), "").to_openssh().unwrap().trim().to_owned()
}

fn judge(lines: &str, host: &str, port: u16, key: &KeyData) -> Judgement {
    KnownHosts::from_text("kh", lines).judge(&Subject::new(host, port, None), key)
}

fn at(line: usize) -> Place {
    Place { file: "kh".into(), line }
}

#[test]
fn plain_names_ports_and_lists() {
    let k = ed25519();
    let line = format!("gpu-1,10.0.0.1,[gpu-1]:2222 {}", text(&k));
    for (host, port) in [("gpu-1", 22), ("10.0.0.1", 22), ("gpu-1", 2222), ("GPU-1", 22)] {
        assert_eq!(judge(&line, host, port, &k), Judgement::Known, "{host} {port}");
    }
    assert_eq!(judge(&line, "gpu-2", 22, &k), Judgement::Unknown(vec![]));
}

#[test]
fn upper_case_in_the_file_matches() {
    let k = ed25519();
    assert_eq!(judge(&format!("GPU-1.Example.COM {}", text(&k)), "gpu-1.example.com", 22, &k), Judgement::Known);
}

#[test]
fn a_hashed_name_matches_as_ssh_keygen_writes_it() {
    let k = ed25519();
    for name in ["gpu-1", "[gpu-1]:2222"] {
        let line = line_for(name, &k, true).unwrap();
        assert!(line.starts_with("|1|") && !line.contains("gpu-1"));
        let port = if name.starts_with('[') { 2222 } else { 22 };
        assert_eq!(judge(&line, "gpu-1", port, &k), Judgement::Known);
        assert_eq!(judge(&line, "gpu-2", port, &k), Judgement::Unknown(vec![]));
    }
    // As `ssh-keygen -H` wrote the names `known.example.org` and `[known.example.org]:2222`.
    let key_text = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILPEDpr0r7fR6uZJXVHyRU52Yg5iTeSJdMrs7kV8pdv5";
    let lines = format!(
        "|1|3vAEv298RNvpfwmxqZ/dhXgkv+I=|ookiPjHneFjY6JAf5GvYE2PRF8E= {key_text}\n\
         |1|wfGK3TTaHmVaAOK3FPcGjc01V8g=|cef0/mLZjRF2AJvpkPSUrTzaLwQ= {key_text}\n"
    );
    let known = KnownHosts::from_text("kh", &lines);
    let k = russh::keys::PublicKey::from_openssh(key_text).unwrap().key_data().clone();
    assert_eq!(known.judge(&Subject::new("Known.example.org", 22, None), &k), Judgement::Known);
    assert_eq!(known.of("[known.example.org]:2222").count(), 1);
}

#[test]
fn any_recorded_key_of_a_type_may_match() {
    let (first, second, third) = (ed25519(), ed25519(), ed25519());
    let lines = format!("gpu-1 {}\ngpu-1 {}\n", text(&first), text(&second));
    assert_eq!(judge(&lines, "gpu-1", 22, &second), Judgement::Known);
    assert_eq!(judge(&lines, "gpu-1", 22, &third), Judgement::Changed(vec![(at(1), first), (at(2), second)]));
}

#[test]
fn a_revoked_key_is_refused_even_where_it_is_recorded() {
    let k = ed25519();
    let lines = format!("gpu-1 {0}\n@revoked * {0}\n", text(&k));
    assert_eq!(judge(&lines, "gpu-1", 22, &k), Judgement::Revoked(at(2)));
    let elsewhere = format!("gpu-1 {0}\n@revoked other {0}\n", text(&k));
    assert_eq!(judge(&elsewhere, "gpu-1", 22, &k), Judgement::Known);
}

#[test]
fn wildcards_and_negation_match() {
    let k = ed25519();
    let line = format!("*.example.com,!bad.example.com {}", text(&k));
    assert_eq!(judge(&line, "gpu-1.example.com", 22, &k), Judgement::Known);
    assert_eq!(judge(&line, "bad.example.com", 22, &k), Judgement::Unknown(vec![]));
}

#[test]
fn a_portless_record_confirms_but_never_contradicts() {
    let (k, other) = (ed25519(), ed25519());
    let line = format!("gpu-1 {}", text(&k));
    assert_eq!(judge(&line, "gpu-1", 2222, &k), Judgement::Known);
    assert_eq!(judge(&line, "gpu-1", 2222, &other), Judgement::Unknown(vec![]));
    assert_eq!(judge(&line, "gpu-1", 22, &other), Judgement::Changed(vec![(at(1), k)]));
}

#[test]
fn blanks_comments_and_unreadable_lines_do_no_harm() {
    let k = ed25519();
    let lines = format!(
        "# a comment\n\ngpu-1 ssh-ed25519 not-base64\ngpu-1 1024 35 123456789\n@future gpu-1 {0}\n|2|x|y {0}\n\t gpu-1\t \t{0} root@gpu-1 since may\r\n",
        text(&k)
    );
    assert_eq!(judge(&lines, "gpu-1", 22, &k), Judgement::Known);
    assert_eq!(KnownHosts::from_text("kh", &lines).entries.len(), 1);
}

#[test]
fn another_type_is_unknown_and_says_where_it_stands() {
    let (k, shown) = (key(Algorithm::Ecdsa { curve: EcdsaCurve::NistP256 }), ed25519());
    let known = KnownHosts::from_text("kh", &format!("gpu-1 {}", text(&k)));
    let subject = Subject::new("gpu-1", 22, None);
    assert_eq!(known.judge(&subject, &shown), Judgement::Unknown(vec![at(1)]));
    assert_eq!(known.recorded(&subject), vec![Algorithm::Ecdsa { curve: EcdsaCurve::NistP256 }]);
}

#[test]
fn an_authority_is_no_host_key() {
    let k = ed25519();
    let known = KnownHosts::from_text("kh", &format!("@cert-authority *.example.com {}", text(&k)));
    let subject = Subject::new("gpu-1.example.com", 2222, None);
    assert_eq!(known.judge(&subject, &k), Judgement::Unknown(vec![]));
    assert_eq!(known.authorities(&subject).collect::<Vec<_>>(), vec![&k]);
    assert_eq!(known.authorities(&Subject::new("gpu-1.example.org", 22, None)).count(), 0);
}

#[test]
fn an_alias_stands_for_name_and_port() {
    let k = ed25519();
    let known = KnownHosts::from_text("kh", &format!("cluster-head {}", text(&k)));
    assert_eq!(known.judge(&Subject::new("10.0.0.9", 2222, Some("Cluster-Head")), &k), Judgement::Known);
    assert_eq!(known.judge(&Subject::new("10.0.0.9", 2222, None), &k), Judgement::Unknown(vec![]));
}

#[test]
fn files_that_are_missing_are_empty_and_files_that_cannot_be_read_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let (k, other) = (ed25519(), ed25519());
    let (user, global) = (folder.path().join("user"), folder.path().join("global"));
    std::fs::write(&user, format!("gpu-1 {}\n", text(&other))).unwrap();
    std::fs::write(&global, format!("gpu-1 {}\n", text(&k))).unwrap();
    let missing = folder.path().join("missing");
    let known = KnownHosts::read([user.as_path(), missing.as_path(), global.as_path()]).unwrap();
    assert_eq!(known.judge(&Subject::new("gpu-1", 22, None), &k), Judgement::Known);
    let (named, _) = KnownHosts::read([folder.path()]).unwrap_err();
    assert_eq!(named, folder.path().display().to_string());
}
