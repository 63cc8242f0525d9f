//! Private key files: each is read once and shared by every session.

use std::collections::HashMap;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use russh::keys::ssh_key::public::KeyData;
use russh::keys::{Certificate, PrivateKey, PublicKey};
use tokio::sync::OnceCell;

use crate::transport::Passphrases;

/// A key file larger than this is none.
const LIMIT: u64 = 64 << 10;

/// A key file as far as it could be read.
pub(crate) struct FileKey {
    pub path: PathBuf,
    /// The public half; an encrypted PEM file without a `.pub` beside it has none to show.
    pub public: Option<KeyData>,
    /// The certificate beside it (`-cert.pub`).
    pub certificate: Option<Certificate>,
    secret: Secret,
    unlocked: OnceCell<Result<Arc<PrivateKey>, String>>,
}

enum Secret {
    Open(Arc<PrivateKey>),
    /// The text of the file, to be decrypted.
    Locked(String),
    /// The file holds a public key: only an agent can sign for it.
    Elsewhere,
}

/// Why a key file is of no use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fault {
    Missing,
    Other(String),
}

type Loaded = Result<Arc<FileKey>, Fault>;

/// Every key file of one sweep.
#[derive(Default)]
pub(crate) struct KeyRing {
    files: Mutex<HashMap<PathBuf, Arc<OnceCell<Loaded>>>>,
    passphrases: Option<Arc<dyn Passphrases>>,
}

impl KeyRing {
    pub fn new(passphrases: Option<Arc<dyn Passphrases>>) -> Self {
        Self { files: Mutex::default(), passphrases }
    }

    /// The key of a file.
    pub async fn load(&self, path: &Path) -> Loaded {
        let cell = {
            let mut files = self.files.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            Arc::clone(files.entry(path.to_owned()).or_default())
        };
        let path = path.to_owned();
        let load = || async move {
            let task = tokio::task::spawn_blocking(move || read(&path).map(Arc::new));
            task.await.unwrap_or_else(|_| Err(Fault::Other("reading it was aborted".into())))
        };
        cell.get_or_init(load).await.clone()
    }

    /// The secret half, asking for the passphrase at most once. The error says what to do.
    pub async fn secret(&self, key: &Arc<FileKey>) -> Result<Arc<PrivateKey>, String> {
        let shown = key.path.display();
        match &key.secret {
            Secret::Open(secret) => Ok(Arc::clone(secret)),
            Secret::Elsewhere => Err(format!("{shown} is a public key, and no agent holds its private half")),
            Secret::Locked(_) => {
                let Some(passphrases) = self.passphrases.clone() else {
                    return Err(format!("{shown} is encrypted and no agent holds it; run `ssh-add {shown}` first"));
                };
                let unlock = || async {
                    let key = Arc::clone(key);
                    let task = tokio::task::spawn_blocking(move || key.unlock(passphrases.as_ref()));
                    task.await.unwrap_or_else(|_| Err("asking for a passphrase was aborted".into()))
                };
                key.unlocked.get_or_init(unlock).await.clone()
            }
        }
    }
}

impl FileKey {
    /// True when the secret half can be had without asking anyone.
    pub fn is_open(&self) -> bool {
        matches!(self.secret, Secret::Open(_))
    }

    fn unlock(&self, passphrases: &dyn Passphrases) -> Result<Arc<PrivateKey>, String> {
        let Secret::Locked(text) = &self.secret else { return Err("the key is not encrypted".into()) };
        let shown = self.path.display();
        let passphrase = passphrases.ask(&self.path).ok_or_else(|| format!("no passphrase was given for {shown}"))?;
        russh::keys::decode_secret_key(text, Some(&passphrase))
            .map(Arc::new)
            .map_err(|_| format!("the passphrase does not open {shown}"))
    }
}

fn read(path: &Path) -> Result<FileKey, Fault> {
    let other = |error: &dyn std::fmt::Display| Fault::Other(format!("{}: {error}", path.display()));
    let file = std::fs::File::open(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Fault::Missing,
        _ => other(&error),
    })?;
    let meta = file.metadata().map_err(|error| other(&error))?;
    let mut text = String::new();
    file.take(LIMIT).read_to_string(&mut text).map_err(|_| other(&"is no key file"))?;
    let beside = |suffix: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        std::fs::read_to_string(PathBuf::from(name)).ok()
    };
    let certificate = beside("-cert.pub").and_then(|text| Certificate::from_openssh(text.trim()).ok());
    let key =
        |public, secret| FileKey { path: path.to_owned(), public, certificate, secret, unlocked: OnceCell::new() };
    if let Ok(public) = PublicKey::from_openssh(text.trim()) {
        return Ok(key(Some(public.key_data().clone()), Secret::Elsewhere));
    }
    let own = std::fs::metadata("/proc/self").is_ok_and(|process| process.uid() == meta.uid());
    if own && meta.mode() & 0o077 != 0 {
        let mode = meta.mode() & 0o777;
        return Err(other(&format!("mode {mode:04o} is too open for a private key; run chmod 600 on it")));
    }
    if text.contains("BEGIN OPENSSH PRIVATE KEY") {
        let secret = PrivateKey::from_openssh(&text).map_err(|error| other(&error))?;
        let public = Some(secret.public_key().key_data().clone());
        let secret = if secret.is_encrypted() { Secret::Locked(text) } else { Secret::Open(Arc::new(secret)) };
        return Ok(key(public, secret));
    }
    if text.contains("ENCRYPTED") {
        let public = beside(".pub").and_then(|text| PublicKey::from_openssh(text.trim()).ok());
        return Ok(key(public.map(|public| public.key_data().clone()), Secret::Locked(text)));
    }
    let secret = russh::keys::decode_secret_key(&text, None).map_err(|error| other(&error))?;
    Ok(key(Some(secret.public_key().key_data().clone()), Secret::Open(Arc::new(secret))))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::process::Command;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Makes a key as OpenSSH writes it; the tests that need it say so where there is no `ssh-keygen`.
    fn keygen(path: &Path, arguments: &[&str]) -> bool {
        let run = Command::new("ssh-keygen").arg("-q").args(arguments).arg("-f").arg(path).output();
        let made = run.is_ok_and(|output| output.status.success());
        if !made {
            let words = format!("SKIPPED: ssh-keygen cannot make {}\n", path.display());
            _ = std::io::Write::write_all(&mut std::io::stderr(), words.as_bytes());
        }
        made
    }

    struct Answer(&'static str, AtomicUsize);

    impl Passphrases for Answer {
        fn ask(&self, _: &Path) -> Option<String> {
            self.1.fetch_add(1, Ordering::Relaxed);
            Some(self.0.to_owned())
        }
    }

    #[tokio::test]
    async fn every_kind_of_plain_key_loads() {
        let folder = tempfile::tempdir().unwrap();
        let kinds: [(&str, &[&str]); 6] = [
            ("ed25519", &["-t", "ed25519", "-N", ""]),
            ("ecdsa", &["-t", "ecdsa", "-b", "384", "-N", ""]),
            ("rsa", &["-t", "rsa", "-b", "2048", "-N", ""]),
            ("rsa-pem", &["-t", "rsa", "-b", "2048", "-N", "", "-m", "PEM"]),
            ("rsa-pkcs8", &["-t", "rsa", "-b", "2048", "-N", "", "-m", "PKCS8"]),
            ("ecdsa-pem", &["-t", "ecdsa", "-N", "", "-m", "PEM"]),
        ];
        let ring = KeyRing::default();
        for (name, arguments) in kinds {
            let path = folder.path().join(name);
            if !keygen(&path, arguments) {
                return;
            }
            let key = ring.load(&path).await.unwrap_or_else(|fault| panic!("{name}: {fault:?}"));
            assert!(key.is_open(), "{name}");
            let public = std::fs::read_to_string(path.with_extension("pub")).unwrap();
            assert_eq!(key.public.as_ref(), Some(PublicKey::from_openssh(&public).unwrap().key_data()), "{name}");
        }
    }

    #[tokio::test]
    async fn an_encrypted_key_is_asked_for_once_or_explains_itself() {
        let folder = tempfile::tempdir().unwrap();
        for (name, format) in [("openssh", "RFC4716"), ("pkcs8", "PKCS8"), ("pem", "PEM")] {
            let path = folder.path().join(name);
            if !keygen(&path, &["-t", "rsa", "-b", "2048", "-N", "secret words", "-m", format]) {
                return;
            }
            let silent = KeyRing::default();
            let key = silent.load(&path).await.unwrap();
            assert!(!key.is_open() && key.public.is_some());
            let shown = path.display();
            let expected = format!("{shown} is encrypted and no agent holds it; run `ssh-add {shown}` first");
            assert_eq!(silent.secret(&key).await.err(), Some(expected));

            let answer = Arc::new(Answer("secret words", AtomicUsize::new(0)));
            let asking = KeyRing::new(Some(Arc::clone(&answer) as Arc<dyn Passphrases>));
            let key = asking.load(&path).await.unwrap();
            for _ in 0..2 {
                let secret = asking.secret(&key).await.unwrap_or_else(|why| panic!("{name}: {why}"));
                assert_eq!(Some(secret.public_key().key_data()), key.public.as_ref());
            }
            assert_eq!(answer.1.load(Ordering::Relaxed), 1);

            let wrong = KeyRing::new(Some(Arc::new(Answer("guess", AtomicUsize::new(0)))));
            let key = wrong.load(&path).await.unwrap();
            assert_eq!(wrong.secret(&key).await.err(), Some(format!("the passphrase does not open {shown}")));
        }
    }

    #[tokio::test]
    async fn what_is_no_usable_key_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let ring = KeyRing::default();
        assert_eq!(ring.load(&folder.path().join("none")).await.err(), Some(Fault::Missing));
        let path = folder.path().join("junk");
        std::fs::write(&path, "hello").unwrap();
        let Err(Fault::Other(open)) = ring.load(&path).await else { panic!("junk loaded") };
        assert!(open.ends_with("is too open for a private key; run chmod 600 on it"), "{open}");
        let closed = folder.path().join("closed");
        std::fs::write(&closed, "hello").unwrap();
        std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o600)).unwrap();
        let Err(Fault::Other(why)) = ring.load(&closed).await else { panic!("junk loaded") };
        assert!(why.starts_with(&closed.display().to_string()), "{why}");
    }
}
