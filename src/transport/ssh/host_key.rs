//! The decision about the key a host shows.

use std::collections::HashMap;
use std::io::{Read as _, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use russh::keys::ssh_key::certificate::CertType;
use russh::keys::ssh_key::public::KeyData;
use russh::keys::{Algorithm, Certificate, HashAlg, PublicKeyOrCertificate};

use super::known_hosts::{Judgement, KnownHosts, Subject, line_for};
use super::{Resolved, tokens};
use crate::reading::{Reason, Unread};
use crate::transport::{HostKeyPolicy, Options};

/// A list of files as it was read.
type Read = Result<Arc<KnownHosts>, Unread>;

/// The known_hosts of one sweep: every list of files read once, and what was accepted meanwhile.
#[derive(Default)]
pub(crate) struct HostKeys {
    read: Mutex<HashMap<Vec<PathBuf>, Read>>,
    memory: Option<Arc<KnownHosts>>,
    accepted: Mutex<Vec<(String, KeyData)>>,
}

/// What decides about one host's key.
#[derive(Clone)]
pub(crate) struct Trust {
    store: Arc<HostKeys>,
    known: Arc<KnownHosts>,
    subject: Subject,
    policy: HostKeyPolicy,
    /// StrictHostKeyChecking was `no`: worth a word when the key is unknown.
    lax: bool,
    /// The file that new keys go to, and whether names are hashed there.
    record: Option<(PathBuf, bool)>,
    port: u16,
}

impl HostKeys {
    pub fn new(options: &Options) -> Self {
        let memory = options.memory.known_hosts.as_deref();
        Self { memory: memory.map(|text| Arc::new(KnownHosts::from_text("known_hosts", text))), ..Self::default() }
    }

    /// The judge for one host. An unreadable file is an error: it may hold the line that revokes a key.
    pub fn trust(self: &Arc<Self>, resolved: &Resolved, options: &Options) -> Result<Trust, Unread> {
        let expand = |files: &[String]| files.iter().map(|file| tokens::path(file, resolved)).collect::<Vec<_>>();
        let user = if options.known_hosts.is_empty() {
            expand(&resolved.user_known_hosts)
        } else {
            options.known_hosts.clone()
        };
        let record = user.first().cloned().map(|file| (file, resolved.hash_known_hosts));
        let mut files = user;
        if options.known_hosts.is_empty() {
            files.extend(expand(&resolved.global_known_hosts));
        }
        let (known, record) = match &self.memory {
            Some(memory) => (Arc::clone(memory), None),
            None => (self.read(files)?, record),
        };
        let policy = options.host_keys.or(resolved.host_keys).unwrap_or(HostKeyPolicy::Strict);
        let subject = Subject::new(&resolved.host_name, resolved.port, resolved.host_key_alias.as_deref());
        let store = Arc::clone(self);
        Ok(Trust { store, known, subject, policy, lax: resolved.lax_host_keys, record, port: resolved.port })
    }

    fn read(&self, files: Vec<PathBuf>) -> Read {
        let mut read = self.read.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let load = |files: &Vec<PathBuf>| {
            KnownHosts::read(files.iter().map(PathBuf::as_path)).map(Arc::new).map_err(|(file, error)| {
                Unread::new(Reason::HostKeyUnknown, format!("known_hosts file {file} cannot be read: {error}"))
            })
        };
        read.entry(files).or_insert_with_key(load).clone()
    }
}

impl Trust {
    /// Key types recorded for the host.
    pub fn recorded(&self) -> Vec<Algorithm> {
        self.known.recorded(&self.subject)
    }

    /// Whether a certificate could be believed.
    pub fn has_authority(&self) -> bool {
        self.known.authorities(&self.subject).next().is_some()
    }

    /// Decides. `now` is in seconds since 1970.
    pub fn judge(&self, shown: &PublicKeyOrCertificate, now: u64) -> Result<(), Unread> {
        let why = match shown {
            PublicKeyOrCertificate::Certificate(certificate) => match self.certificate(certificate, now)? {
                None => return Ok(()),
                Some(why) => Some(why),
            },
            PublicKeyOrCertificate::PublicKey { .. } => None,
        };
        let verdict = self.plain(shown.public_key().key_data());
        verdict.map_err(|unread| match why {
            Some(why) => Unread::new(unread.reason, format!("{}; {why}", unread.detail)),
            None => unread,
        })
    }

    /// `None`: the certificate is good. `Some`: it is no reason for trust, and why; the key inside may still be known.
    fn certificate(&self, certificate: &Certificate, now: u64) -> Result<Option<String>, Unread> {
        for key in [certificate.signature_key(), certificate.public_key()] {
            if let Some(place) = self.known.revoked(&self.subject, key) {
                return Err(Unread::new(Reason::HostKeyRevoked, revoked(key, &place.to_string())));
            }
        }
        let authority = certificate.signature_key();
        if !self.known.authorities(&self.subject).any(|known| known == authority) {
            return Ok(Some(format!("its certificate is signed by {}, no recorded authority", fingerprint(authority))));
        }
        let principals = certificate.valid_principals();
        let named = principals.is_empty()
            || principals.iter().any(|pattern| super::known_hosts::name_matches(pattern, &self.subject.principal));
        let fault = if certificate.cert_type() != CertType::Host {
            "is not a host certificate".to_owned()
        } else if !named {
            format!("is for {}", crate::transport::one_line(&principals.join(",")))
        } else if !certificate.critical_options().is_empty() {
            "has critical options, which nobody understands".to_owned()
        } else if let Err(error) = certificate.validate_at(now, [&authority.fingerprint(HashAlg::Sha256)]) {
            format!("is not valid now ({error})")
        } else {
            return Ok(None);
        };
        Ok(Some(format!("its certificate {fault}")))
    }

    fn plain(&self, key: &KeyData) -> Result<(), Unread> {
        let host = &self.subject.name;
        let print = fingerprint(key);
        match self.known.judge(&self.subject, key) {
            Judgement::Known => Ok(()),
            Judgement::Revoked(place) => Err(Unread::new(Reason::HostKeyRevoked, revoked(key, &place.to_string()))),
            Judgement::Changed(lines) => {
                let kept: Vec<_> =
                    lines.iter().map(|(place, key)| format!("{place} records {}", fingerprint(key))).collect();
                let advice = format!("if the host was reinstalled: ssh-keygen -R '{host}'");
                let detail = format!("{host} shows {print}, but {}; {advice}", kept.join(" and "));
                Err(Unread::new(Reason::HostKeyMismatch, detail))
            }
            Judgement::Unknown(_) if self.policy == HostKeyPolicy::AcceptNew => self.accept(key),
            Judgement::Unknown(others) => {
                let others: Vec<_> = others.iter().map(ToString::to_string).collect();
                let others =
                    if others.is_empty() { String::new() } else { format!(" (other types: {})", others.join(", ")) };
                let lax = if self.lax { "; StrictHostKeyChecking no is not honoured" } else { "" };
                let port = if self.port == 22 { String::new() } else { format!("-p {} ", self.port) };
                let advice = format!("see its key with: ssh-keyscan {port}{}", self.subject.principal);
                let detail = format!("{host} shows {print}, which is not recorded{others}{lax}; {advice}");
                Err(Unread::new(Reason::HostKeyUnknown, detail))
            }
        }
    }

    /// Records a new key. Two targets behind one name must agree.
    fn accept(&self, key: &KeyData) -> Result<(), Unread> {
        let mut accepted = self.store.accepted.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let name = &self.subject.name;
        let same_type = |(known, own): &&(String, KeyData)| known == name && own.algorithm() == key.algorithm();
        if let Some((_, own)) = accepted.iter().find(same_type) {
            return if own == key {
                Ok(())
            } else {
                let detail = format!("{name} showed {} a moment ago and now {}", fingerprint(own), fingerprint(key));
                Err(Unread::new(Reason::HostKeyMismatch, detail))
            };
        }
        if let Some((file, hashed)) = &self.record {
            append(file, name, key, *hashed).map_err(|error| {
                let detail = format!("cannot record the new key of {name} in {}: {error}", file.display());
                Unread::new(Reason::HostKeyUnknown, detail)
            })?;
        }
        accepted.push((name.clone(), key.clone()));
        Ok(())
    }
}

/// A key as people compare it.
pub(crate) fn fingerprint(key: &KeyData) -> String {
    format!("{} {}", key.algorithm().as_str(), key.fingerprint(HashAlg::Sha256))
}

fn revoked(key: &KeyData, place: &str) -> String {
    format!("{} is revoked at {place}", fingerprint(key))
}

/// Appends one line under an exclusive lock, creating folder (0700) and file (0600) as OpenSSH does.
fn append(file: &Path, name: &str, key: &KeyData, hashed: bool) -> std::io::Result<()> {
    let line = line_for(name, key, hashed).ok_or_else(|| std::io::Error::other("the key cannot be written"))?;
    if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists()) {
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    let mut out = std::fs::OpenOptions::new().read(true).append(true).create(true).mode(0o600).open(file)?;
    out.lock()?;
    let mut text = String::new();
    if out.metadata()?.is_file() && out.seek(SeekFrom::End(0))? > 0 {
        out.seek(SeekFrom::End(-1))?;
        let mut last = [0];
        out.read_exact(&mut last)?;
        if last != *b"\n" {
            text.push('\n');
        }
    }
    text.push_str(&line);
    text.push('\n');
    out.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests;
