//! Which identities a host is offered, and in which order.

use std::path::PathBuf;
use std::sync::Arc;

use russh::keys::agent::AgentIdentity;
use russh::keys::ssh_key::public::KeyData;
use russh::keys::{Certificate, PrivateKey};

use super::agent::{self, Agents};
use super::keys::{Fault, FileKey, KeyRing};
use super::{Resolved, tokens};
use crate::transport::Options;

/// OpenSSH's own key files, in the order they are tried here.
const DEFAULT_FILES: &[&str] = &["~/.ssh/id_ed25519", "~/.ssh/id_ecdsa", "~/.ssh/id_rsa"];

/// One identity to offer.
#[derive(Clone)]
pub(crate) enum Candidate {
    /// A key file, perhaps still encrypted; with a certificate, that is offered.
    File(Arc<FileKey>, Option<Box<Certificate>>),
    /// A key that an agent signs for.
    Agent(PathBuf, Box<AgentIdentity>),
    /// A key that never was in a file.
    Memory(Arc<PrivateKey>),
}

impl Candidate {
    fn public(&self) -> Option<KeyData> {
        match self {
            Self::File(key, _) => key.public.clone(),
            Self::Agent(_, identity) => Some(identity.public_key().key_data().clone()),
            Self::Memory(key) => Some(key.public_key().key_data().clone()),
        }
    }

    fn certified(&self) -> bool {
        match self {
            Self::File(_, certificate) => certificate.is_some(),
            Self::Agent(_, identity) => matches!(**identity, AgentIdentity::Certificate { .. }),
            Self::Memory(_) => false,
        }
    }
}

/// What can be offered to one host.
#[derive(Default)]
pub(crate) struct Wallet {
    pub candidates: Vec<Candidate>,
    /// Keys that were named or expected and are of no use.
    pub problems: Vec<String>,
}

/// Where identities come from.
pub(crate) struct Identities {
    pub ring: KeyRing,
    agents: Agents,
    memory: Option<Arc<PrivateKey>>,
}

impl Identities {
    pub fn new(options: &Options) -> Self {
        let ring = KeyRing::new(options.passphrases.clone());
        Self { ring, agents: Agents::default(), memory: options.memory.key.clone() }
    }

    /// The identities for a host. `named` are key files that a flag or the inventory names: only those are offered.
    /// `extra` are further files that may be offered (a flag's keys at a bastion).
    pub async fn wallet(&self, resolved: &Resolved, named: &[PathBuf], extra: &[PathBuf]) -> Wallet {
        if let Some(key) = &self.memory {
            return Wallet { candidates: vec![Candidate::Memory(Arc::clone(key))], problems: Vec::new() };
        }
        let mut wallet = Wallet::default();
        let mut files: Vec<PathBuf> = named.iter().map(|path| tokens::home_path(&path.to_string_lossy())).collect();
        if named.is_empty() {
            files.extend(resolved.identity_files.iter().map(|file| tokens::path(file, resolved)));
            files.extend(extra.iter().cloned());
        }
        let only = !named.is_empty() || resolved.identities_only;
        let mut loaded = Vec::new();
        for file in &files {
            self.load(file, true, &mut loaded, &mut wallet.problems).await;
        }
        let socket = agent::socket(resolved);
        let wanted = !only || files.is_empty() || loaded.iter().any(|key: &Arc<FileKey>| !key.is_open());
        let held = match socket.as_ref().filter(|_| wanted) {
            Some(socket) => match self.agents.list(socket).await {
                Ok(list) => list,
                Err(why) => {
                    wallet.problems.push(why);
                    Arc::default()
                }
            },
            None => Arc::default(),
        };
        let from_agent = |identity: &AgentIdentity| Some(Candidate::Agent(socket.clone()?, Box::new(identity.clone())));
        let certificates = self.certificates(resolved);
        let mut offer = |candidate: Candidate| {
            let known = |own: &Candidate| {
                own.public() == candidate.public()
                    && candidate.public().is_some()
                    && own.certified() == candidate.certified()
            };
            if !wallet.candidates.iter().any(known) {
                wallet.candidates.push(candidate);
            }
        };
        let offer_file = |key: &Arc<FileKey>, offer: &mut dyn FnMut(Candidate)| {
            let own = key
                .certificate
                .iter()
                .chain(certificates.iter().filter(|c| Some(c.public_key()) == key.public.as_ref()));
            for certificate in own {
                offer(Candidate::File(Arc::clone(key), Some(Box::new(certificate.clone()))));
            }
            let at_agent = held.iter().filter(|held| Some(held.public_key().key_data()) == key.public.as_ref());
            match (key.is_open(), at_agent.filter_map(from_agent).collect::<Vec<_>>()) {
                (false, signed) if !signed.is_empty() => signed.into_iter().for_each(offer),
                _ => offer(Candidate::File(Arc::clone(key), None)),
            }
        };
        for key in &loaded {
            offer_file(key, &mut offer);
        }
        if !only {
            held.iter().filter_map(from_agent).for_each(&mut offer);
        }
        if files.is_empty() {
            let mut defaults = Vec::new();
            for file in DEFAULT_FILES {
                self.load(&tokens::home_path(file), false, &mut defaults, &mut wallet.problems).await;
            }
            let mut offer = |candidate: Candidate| {
                if !wallet
                    .candidates
                    .iter()
                    .any(|own| own.public() == candidate.public() && own.certified() == candidate.certified())
                {
                    wallet.candidates.push(candidate);
                }
            };
            for key in &defaults {
                offer_file(key, &mut offer);
            }
        }
        wallet
    }

    async fn load(
        &self,
        file: &std::path::Path,
        named: bool,
        into: &mut Vec<Arc<FileKey>>,
        problems: &mut Vec<String>,
    ) {
        match self.ring.load(file).await {
            Ok(key) => into.push(key),
            Err(Fault::Missing) if named => problems.push(format!("{} does not exist", file.display())),
            Err(Fault::Missing) => {}
            Err(Fault::Other(why)) => problems.push(why),
        }
    }

    fn certificates(&self, resolved: &Resolved) -> Vec<Certificate> {
        let read = |file: &String| std::fs::read_to_string(tokens::path(file, resolved)).ok();
        let parse = |text: String| Certificate::from_openssh(text.trim()).ok();
        resolved.certificate_files.iter().filter_map(read).filter_map(parse).collect()
    }
}
