//! Every setting of the transport, as the command line or a test gives it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use russh::keys::PrivateKey;

/// Renders the probe script for one connection's marker.
pub type Script = Arc<dyn Fn(&str) -> String + Send + Sync>;

/// Where ssh_config settings come from (`-F`).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum ConfigSource {
    /// `~/.ssh/config`, then the system's file.
    #[default]
    Default,
    /// This file alone.
    File(PathBuf),
    /// No file at all: `-F none`.
    None,
}

/// What to do with a host key that nobody recorded. A key that differs from a recorded one is always refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostKeyPolicy {
    /// Refuse it.
    Strict,
    /// Record it and go on.
    AcceptNew,
}

/// Asks a person for the passphrase of a key file. Called at most once per file, never during a fleet sweep.
pub trait Passphrases: Send + Sync {
    /// The passphrase, or `None` when the person gave none.
    fn ask(&self, key: &Path) -> Option<String>;
}

/// A known_hosts text and a private key that never touch a file: for the demo and for tests.
#[derive(Clone, Default)]
pub struct InMemory {
    /// Used instead of every known_hosts file.
    pub known_hosts: Option<String>,
    /// Used instead of every key file and agent.
    pub key: Option<Arc<PrivateKey>>,
}

/// Settings of the transport. A target's own value (user, keys, jump, become, ssh_config) goes before the one here.
#[derive(Clone)]
pub struct Options {
    /// Limit of one TCP connection attempt, per address; `None` leaves it to ssh_config's ConnectTimeout, else 5 s.
    pub connect_timeout: Option<Duration>,
    /// Limit of banner and key exchange together.
    pub handshake_timeout: Duration,
    /// Limit of authentication.
    pub auth_timeout: Duration,
    /// The hard deadline of one host over everything.
    pub host_timeout: Duration,
    /// Further attempts after connection-level trouble. Authentication is never repeated.
    pub retries: u32,
    /// `-F`.
    pub ssh_config: ConfigSource,
    /// `--user` for targets that name none.
    pub user: Option<String>,
    /// `--key` for targets that name none.
    pub keys: Vec<PathBuf>,
    /// `--jump` for targets that name none.
    pub jump: Option<String>,
    /// `--known-hosts`: instead of the files that ssh_config names. Empty: those.
    pub known_hosts: Vec<PathBuf>,
    /// `--host-keys`; `None` leaves it to ssh_config, where only `accept-new` loosens anything.
    pub host_keys: Option<HostKeyPolicy>,
    /// `--become` for targets that name no user of their own: whom `sudo -n` switches to.
    pub become_user: Option<String>,
    /// Bytes of output after which a host is cut off.
    pub output_cap: usize,
    /// Targets through one bastion at a time.
    pub per_bastion: usize,
    /// Targets through one bastion at a time that are not authenticated yet.
    pub per_bastion_unauthenticated: usize,
    /// Who to ask for passphrases; `None` never asks.
    pub passphrases: Option<Arc<dyn Passphrases>>,
    /// Material that replaces files.
    pub memory: InMemory,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            connect_timeout: None,
            handshake_timeout: Duration::from_secs(10),
            auth_timeout: Duration::from_secs(10),
            host_timeout: Duration::from_secs(60),
            retries: 1,
            ssh_config: ConfigSource::Default,
            user: None,
            keys: Vec::new(),
            jump: None,
            known_hosts: Vec::new(),
            host_keys: None,
            become_user: None,
            output_cap: 16 << 20,
            per_bastion: 64,
            per_bastion_unauthenticated: 8,
            passphrases: None,
            memory: InMemory::default(),
        }
    }
}

impl fmt::Debug for InMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InMemory")
            .field("known_hosts", &self.known_hosts.is_some())
            .field("key", &self.key.is_some())
            .finish()
    }
}
