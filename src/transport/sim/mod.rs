//! Simulated hosts: each a real SSH server on a loopback port of its own, answering as it is told to.
//!
//! The controller's side is nothing special: it reaches these hosts through the real client, with real host-key checks
//! and real public-key authentication.

mod answer;
mod server;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use russh::keys::key::safe_rng;
use russh::keys::{Algorithm, PrivateKey, PublicKey};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::InMemory;
use crate::inventory::Target;

/// What a simulated host does.
#[derive(Debug, Clone)]
pub enum Behaviour {
    /// Answers with a transcript, whose marker is replaced by the one that the client's script announces.
    Answer(Vec<u8>),
    /// The same after a while.
    Slow(Duration, Vec<u8>),
    /// Nothing listens on its port.
    Refused,
    /// Accepts the connection and never says a word.
    Tarpit,
    /// Sends its banner and nothing after it.
    StallKex,
    /// Never answers an authentication request.
    StallAuth,
    /// Takes the script and never answers.
    StallExec,
    /// Answers with so many bytes of a transcript and then falls silent.
    StallOutput(usize, Vec<u8>),
    /// Answers with so many bytes of a transcript and then drops the connection.
    DropOutput(usize, Vec<u8>),
    /// Answers with so many bytes of a transcript and closes the channel without an exit status.
    NoExitStatus(usize, Vec<u8>),
    /// Never stops printing.
    Endless,
    /// Prints a line instead of running anything, and exits 1, as `nologin` does.
    NoShell(String),
    /// Shows another host key than the recorded one.
    WrongHostKey,
    /// Its host key is not recorded.
    UnknownHostKey,
    /// Accepts nobody's key.
    RefusesKeys,
    /// Closes every connection before its banner.
    DropConnection,
}

/// What `sudo -n` does on a simulated host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sudo {
    /// It runs the script.
    #[default]
    Allowed,
    /// It wants a password.
    Password,
    /// It refuses.
    Denied,
}

/// One simulated host.
#[derive(Debug, Clone)]
pub struct Host {
    /// Its name in the report.
    pub name: String,
    /// What it does.
    pub behaviour: Behaviour,
    /// What its sudo does.
    pub sudo: Sudo,
}

impl Host {
    /// A host whose sudo allows everything.
    pub fn new(name: impl Into<String>, behaviour: Behaviour) -> Self {
        Self { name: name.into(), behaviour, sudo: Sudo::Allowed }
    }
}

/// Running hosts. They end when the value is dropped.
pub struct Fleet {
    targets: Vec<Target>,
    known_hosts: String,
    key: Arc<PrivateKey>,
    stop: CancellationToken,
}

impl Fleet {
    /// Starts the hosts on ports that the system picks.
    pub async fn start(hosts: Vec<Host>) -> io::Result<Self> {
        let key = Arc::new(new_key()?);
        let mut fleet = Self { targets: Vec::new(), known_hosts: String::new(), key, stop: CancellationToken::new() };
        for host in hosts {
            let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
            let address = listener.local_addr()?;
            fleet.add(&host, address)?;
            if !matches!(host.behaviour, Behaviour::Refused) {
                let own = fleet.own_key(&host, address)?;
                let server = server::Server::new(host, own, fleet.key.public_key().clone(), fleet.stop.clone());
                tokio::spawn(server.run(listener));
            }
        }
        Ok(fleet)
    }

    /// The hosts as targets, in their order.
    pub fn targets(&self) -> Vec<Target> {
        self.targets.clone()
    }

    /// What a client must know: the recorded host keys and the one key that is let in.
    pub fn credentials(&self) -> InMemory {
        InMemory { known_hosts: Some(self.known_hosts.clone()), key: Some(Arc::clone(&self.key)) }
    }

    /// The recorded host keys as a known_hosts text.
    pub fn known_hosts(&self) -> &str {
        &self.known_hosts
    }

    fn add(&mut self, host: &Host, address: SocketAddr) -> io::Result<()> {
        self.targets.push(Target {
            name: host.name.clone(),
            address: address.ip().to_string(),
            port: Some(address.port()),
            user: Some("gpusweep".into()),
            ..Target::default()
        });
        Ok(())
    }

    /// The key a host shows; what is recorded for it may be another or nothing.
    fn own_key(&mut self, host: &Host, address: SocketAddr) -> io::Result<PrivateKey> {
        let own = new_key()?;
        let recorded = match host.behaviour {
            Behaviour::UnknownHostKey => return Ok(own),
            Behaviour::WrongHostKey => new_key()?.public_key().clone(),
            _ => own.public_key().clone(),
        };
        let recorded = PublicKey::new(recorded.key_data().clone(), "").to_openssh().map_err(io::Error::other)?;
        self.known_hosts.push_str(&format!("[{}]:{} {}\n", address.ip(), address.port(), recorded.trim()));
        Ok(own)
    }
}

impl Drop for Fleet {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

fn new_key() -> io::Result<PrivateKey> {
    PrivateKey::random(&mut safe_rng(), Algorithm::Ed25519).map_err(io::Error::other)
}
