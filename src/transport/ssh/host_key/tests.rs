use std::os::unix::fs::PermissionsExt;

use russh::keys::key::safe_rng;
use russh::keys::ssh_key::certificate::Builder;
use russh::keys::{PrivateKey, PublicKey};

use super::*;

fn private() -> PrivateKey {
    PrivateKey::random(&mut safe_rng(), Algorithm::Ed25519).unwrap()
}

fn text(key: &PrivateKey) -> String {
    PublicKey::new(key.public_key().key_data().clone(), "").to_openssh().unwrap()
}

fn trust(lines: &str, policy: HostKeyPolicy, file: Option<PathBuf>) -> Trust {
    let mut options = Options { host_keys: Some(policy), ..Options::default() };
    options.memory.known_hosts = Some(lines.to_owned());
    let mut trust = Arc::new(HostKeys::new(&options)).trust(&host(22), &options).unwrap();
    trust.record = file.map(|file| (file, false));
    trust
}

fn host(port: u16) -> Resolved {
    Resolved { port, ..Resolved::defaults("gpu-1.example.com", "ann".into()) }
}

fn shown(key: &PrivateKey) -> PublicKeyOrCertificate {
    PublicKeyOrCertificate::from(key.public_key().clone())
}

fn certificate(authority: &PrivateKey, host: &PrivateKey, principal: &str, kind: CertType) -> PublicKeyOrCertificate {
    let mut builder = Builder::new_with_random_nonce(&mut safe_rng(), host.public_key(), 1000, 2000).unwrap();
    builder.cert_type(kind).unwrap();
    builder.valid_principal(principal).unwrap();
    PublicKeyOrCertificate::Certificate(builder.sign(authority).unwrap())
}

#[test]
fn a_changed_key_names_the_line_both_fingerprints_and_the_cure() {
    let (old, new) = (private(), private());
    let trust = trust(&format!("# mine\ngpu-1.example.com {}\n", text(&old)), HostKeyPolicy::AcceptNew, None);
    let why = trust.judge(&shown(&new), 0).unwrap_err();
    assert_eq!(why.reason, Reason::HostKeyMismatch);
    let (old, new) = (fingerprint(old.public_key().key_data()), fingerprint(new.public_key().key_data()));
    assert_eq!(
        why.detail,
        format!(
            "gpu-1.example.com shows {new}, but known_hosts:2 records {old}; \
             if the host was reinstalled: ssh-keygen -R 'gpu-1.example.com'"
        )
    );
}

#[test]
fn an_unknown_key_is_refused_with_the_command_that_shows_it() {
    let key = private();
    let options = Options { known_hosts: vec!["/nonexistent/known_hosts".into()], ..Options::default() };
    let trust = Arc::new(HostKeys::new(&options)).trust(&host(2222), &options).unwrap();
    let why = trust.judge(&shown(&key), 0).unwrap_err();
    assert_eq!(why.reason, Reason::HostKeyUnknown);
    assert!(why.detail.ends_with("see its key with: ssh-keyscan -p 2222 gpu-1.example.com"), "{}", why.detail);
}

#[test]
fn an_unreadable_file_is_an_error_that_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { known_hosts: vec![folder.path().to_owned()], ..Options::default() };
    let why = Arc::new(HostKeys::new(&options)).trust(&host(22), &options).err().unwrap();
    assert_eq!(why.reason, Reason::HostKeyUnknown);
    assert!(why.detail.contains(&folder.path().display().to_string()));
}

#[test]
fn accept_new_appends_once_and_keeps_the_second_key_out() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ssh/known_hosts");
    let (key, other) = (private(), private());
    let trust = trust("", HostKeyPolicy::AcceptNew, Some(file.clone()));
    trust.judge(&shown(&key), 0).unwrap();
    trust.judge(&shown(&key), 0).unwrap();
    assert_eq!(trust.judge(&shown(&other), 0).unwrap_err().reason, Reason::HostKeyMismatch);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), format!("gpu-1.example.com {}\n", text(&key).trim()));
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(std::fs::metadata(file.parent().unwrap()).unwrap().permissions().mode() & 0o777, 0o700);
}

#[test]
fn a_file_without_a_last_newline_is_not_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("known_hosts");
    std::fs::write(&file, "other ssh-ed25519 AAAA").unwrap();
    let key = private();
    append(&file, "gpu-1", key.public_key().key_data(), false).unwrap();
    let lines = std::fs::read_to_string(&file).unwrap();
    assert_eq!(lines, format!("other ssh-ed25519 AAAA\ngpu-1 {}\n", text(&key).trim()));
}

#[test]
fn a_host_certificate_is_judged_by_authority_type_name_and_date() {
    let (ca, key) = (private(), private());
    let lines = format!("@cert-authority *.example.com {}\n", text(&ca));
    let judge = |certificate, now| trust(&lines, HostKeyPolicy::Strict, None).judge(&certificate, now);
    assert_eq!(judge(certificate(&ca, &key, "gpu-?.example.com", CertType::Host), 1500), Ok(()));
    for (certificate, now, word) in [
        (certificate(&private(), &key, "gpu-1.example.com", CertType::Host), 1500, "no recorded authority"),
        (certificate(&ca, &key, "gpu-2.example.com", CertType::Host), 1500, "is for gpu-2.example.com"),
        (certificate(&ca, &key, "gpu-1.example.com", CertType::User), 1500, "is not a host certificate"),
        (certificate(&ca, &key, "gpu-1.example.com", CertType::Host), 2500, "is not valid now"),
    ] {
        let why = judge(certificate, now).unwrap_err();
        assert_eq!(why.reason, Reason::HostKeyUnknown);
        assert!(why.detail.contains(word), "{} lacks {word}", why.detail);
    }
}

#[test]
fn a_revoked_authority_or_key_beats_everything() {
    let (ca, key) = (private(), private());
    let authority = format!("@cert-authority * {}\n", text(&ca));
    for revoked in [&ca, &key] {
        let lines = format!("{authority}gpu-1.example.com {}\n@revoked * {}\n", text(&key), text(revoked));
        let shown = certificate(&ca, &key, "gpu-1.example.com", CertType::Host);
        let why = trust(&lines, HostKeyPolicy::AcceptNew, None).judge(&shown, 1500).unwrap_err();
        assert_eq!(why.reason, Reason::HostKeyRevoked);
    }
}
