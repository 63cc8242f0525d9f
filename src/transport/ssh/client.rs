//! One host from its settings to its answer.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{timeout, timeout_at};
use tokio_util::sync::CancellationToken;

use super::config::{Query, Resolver};
use super::dial::{Dialler, seconds};
use super::exec::Job;
use super::host_key::HostKeys;
use super::identity::{Identities, Wallet};
use super::jump::{Bastion, Bastions, Hop};
use super::proxy_command::{self, Stderr};
use super::session::{self, Live};
use super::stream::{Guard, HostStream};
use super::trouble::{Again, Trouble, forward_error};
use super::{Proxy, Resolved, auth, exec};
use crate::inventory::Target;
use crate::reading::{Reason, Unread};
use crate::transport::partial::Partial;
use crate::transport::{Collected, Options, Phase, Script, Shut, Watch, new_marker};

/// Limit of a connection attempt when nobody set one.
const CONNECT: Duration = Duration::from_secs(5);

/// The SSH side of one sweep: everything that its sessions share.
pub(crate) struct Client {
    options: Options,
    resolver: Arc<dyn Resolver>,
    host_keys: Arc<HostKeys>,
    identities: Identities,
    dialler: Dialler,
    bastions: Bastions,
    /// Ends the tasks that no single host owns.
    pub stop: CancellationToken,
}

/// A host that is ready to be contacted.
struct Prepared {
    resolved: Arc<Resolved>,
    bastion: Option<Arc<Bastion>>,
    keys: Vec<PathBuf>,
}

/// A stream with all that hangs on it.
struct Way {
    stream: (HostStream, Guard),
    to: String,
    places: Vec<OwnedSemaphorePermit>,
    /// Given back once the host is authenticated.
    unauthenticated: Option<OwnedSemaphorePermit>,
    stderr: Option<Stderr>,
}

impl Client {
    pub fn new(options: Options, resolver: Arc<dyn Resolver>) -> Self {
        Self {
            host_keys: Arc::new(HostKeys::new(&options)),
            identities: Identities::new(&options),
            dialler: Dialler::default(),
            bastions: Bastions::default(),
            stop: CancellationToken::new(),
            options,
            resolver,
        }
    }

    /// Contacts one host and runs the script there.
    pub async fn collect(self: &Arc<Self>, target: &Target, script: &Script, watch: &Watch) -> Collected {
        let partial = Partial::new(watch);
        let marker = new_marker();
        partial.phase(Phase::Preparing);
        let limit = self.options.host_timeout;
        let failure = match timeout_at(watch.deadline(limit), self.prepare(target)).await {
            Err(_) => Some(watch.late(limit, partial.doing())),
            Ok(Err(unread)) => Some(unread),
            Ok(Ok(prepared)) => {
                // Waiting for a place on a bastion is our own doing and does not count against the host.
                let _place = place(prepared.bastion.as_deref(), watch).await;
                let run = self.run(target, &prepared, &marker, script, &partial);
                match timeout_at(watch.deadline(limit), run).await {
                    Err(_) => Some(watch.late(limit, partial.doing())),
                    Ok(Err(unread)) => Some(unread),
                    Ok(Ok((live, result))) => {
                        live.close().await;
                        result.err()
                    }
                }
            }
        };
        partial.finish(marker, failure)
    }

    async fn prepare(&self, target: &Target) -> Result<Prepared, Unread> {
        let query = Query {
            host: target.address.clone(),
            port: target.port,
            user: target.user.clone().or_else(|| self.options.user.clone()),
            jump: target.jump.clone().or_else(|| self.options.jump.clone()),
            options: target.ssh_options.clone(),
            config: target.ssh_config.clone(),
        };
        let resolved = self.resolver.resolve(&query).await?;
        let hop = Hop::last(&resolved, target.ssh_config.as_ref(), 0)?;
        let bastion = hop.map(|hop| self.bastion(hop));
        let keys = if target.keys.is_empty() { self.options.keys.clone() } else { target.keys.clone() };
        Ok(Prepared { resolved, bastion, keys })
    }

    fn bastion(&self, hop: Hop) -> Arc<Bastion> {
        self.bastions.get(hop, self.options.per_bastion, self.options.per_bastion_unauthenticated)
    }

    async fn run(
        self: &Arc<Self>,
        target: &Target,
        prepared: &Prepared,
        marker: &str,
        script: &Script,
        partial: &Partial<'_>,
    ) -> Result<(Live, Result<(), Unread>), Unread> {
        let gate = partial.watch().gate.as_deref();
        if let Some(shut) = gate.and_then(crate::transport::AuthGate::is_shut) {
            return Err(not_tried(shut));
        }
        let resolved = &prepared.resolved;
        let wallet = self.identities.wallet(resolved, &prepared.keys, &[]).await;
        if wallet.candidates.is_empty() {
            return Err(auth::no_key(&resolved.user, &resolved.host_name, &wallet));
        }
        let (mut live, to, waiting) =
            self.reach(resolved, prepared.bastion.as_ref(), partial).await.map_err(|trouble| trouble.unread)?;
        partial.phase(Phase::Authenticating);
        let pass = match gate {
            Some(gate) => Some(gate.enter().await.map_err(not_tried)?),
            None => None,
        };
        let result = self.authenticate(&mut live, &to, resolved, &wallet).await;
        drop(waiting);
        match (&result, pass) {
            (Ok(()), Some(pass)) => pass.accepted(),
            (Err(unread), Some(pass)) if unread.reason == Reason::AuthRefused => pass.refused(),
            _ => {}
        }
        result?;
        partial.connected();
        partial.phase(Phase::Running);
        let become_user = target.become_user.as_deref().or(self.options.become_user.as_deref());
        let script = script(marker);
        let job = Job { marker, script: &script, become_user, cap: self.options.output_cap };
        let result = exec::run(&live, &job, partial).await;
        Ok((live, result))
    }

    async fn authenticate(
        &self,
        live: &mut Live,
        to: &str,
        resolved: &Resolved,
        wallet: &Wallet,
    ) -> Result<(), Unread> {
        auth::authenticate(live, to, &resolved.user, wallet, &self.identities, self.options.auth_timeout).await
    }

    /// A session past its key exchange, after one or a few attempts.
    async fn reach(
        self: &Arc<Self>,
        resolved: &Resolved,
        bastion: Option<&Arc<Bastion>>,
        partial: &Partial<'_>,
    ) -> Result<(Live, String, Option<OwnedSemaphorePermit>), Trouble> {
        let mut attempt = 0;
        loop {
            let trouble = match self.once(resolved, bastion, partial).await {
                Ok(reached) => return Ok(reached),
                Err(trouble) => trouble,
            };
            let retries = match trouble.again {
                Again::Never => 0,
                Again::Refused => self.options.retries,
                // A saturated sshd lets the next one in by chance: worth one attempt more.
                Again::Dropped if self.options.retries > 0 => self.options.retries + 1,
                Again::Dropped => 0,
            };
            if attempt >= retries {
                return Err(trouble);
            }
            tokio::time::sleep(backoff(attempt)).await;
            attempt += 1;
        }
    }

    async fn once(
        self: &Arc<Self>,
        resolved: &Resolved,
        bastion: Option<&Arc<Bastion>>,
        partial: &Partial<'_>,
    ) -> Result<(Live, String, Option<OwnedSemaphorePermit>), Trouble> {
        let trust = self.host_keys.trust(resolved, &self.options)?;
        let way = self.way(resolved, bastion, partial).await?;
        partial.phase(Phase::Handshake);
        let shaken = session::handshake(way.stream, &way.to, resolved, trust, self.options.handshake_timeout).await;
        let mut live = match shaken {
            Ok(live) => live,
            Err(trouble) => return Err(explain(trouble, &way.to, way.stderr.as_ref()).await),
        };
        live.places = way.places;
        Ok((live, way.to, way.unauthenticated))
    }

    async fn way(
        self: &Arc<Self>,
        resolved: &Resolved,
        bastion: Option<&Arc<Bastion>>,
        partial: &Partial<'_>,
    ) -> Result<Way, Trouble> {
        let limit = self.options.connect_timeout.or(resolved.connect_timeout).unwrap_or(CONNECT);
        let (host, port) = (&resolved.host_name, resolved.port);
        let to = if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") };
        if let Proxy::Command(command) = &resolved.proxy {
            let (stream, guard, stderr) = proxy_command::start(command, resolved)?;
            partial.address(to.clone());
            let to = format!("{to} through its ProxyCommand");
            return Ok(Way {
                stream: (stream, guard),
                to,
                places: Vec::new(),
                unauthenticated: None,
                stderr: Some(stderr),
            });
        }
        let Some(bastion) = bastion else {
            let stream = self.dialler.dial(host, port, limit, partial).await?;
            let stream = HostStream::tcp(stream);
            return Ok(Way { stream, to, places: Vec::new(), unauthenticated: None, stderr: None });
        };
        partial.phase(Phase::Connecting);
        bastion.session(self).await?;
        let waiting = Arc::clone(&bastion.unauthenticated).acquire_owned().await.ok();
        let name = &bastion.hop.name;
        let opened = timeout(limit, bastion.forward(self, host, port)).await.map_err(|_| {
            Trouble::new(
                Reason::ConnectTimeout,
                format!("bastion {name} got no answer from {to} within {}", seconds(limit)),
            )
        })?;
        let channel = opened?.map_err(|error| forward_error(name, &to, &error))?;
        partial.address(to.clone());
        let to = format!("{to} via {name}");
        Ok(Way { stream: HostStream::other(channel), to, places: Vec::new(), unauthenticated: waiting, stderr: None })
    }

    /// Opens the session of a bastion.
    pub async fn open_bastion(self: &Arc<Self>, hop: &Hop) -> Result<Live, Unread> {
        let resolved = self.resolver.resolve(&hop.query()?).await?;
        let mut resolved = Resolved::clone(&resolved);
        if !hop.before.is_empty() {
            resolved.proxy = Proxy::Jump(hop.before.clone());
        }
        let before = Hop::last(&resolved, hop.config.as_ref(), hop.depth)?.map(|hop| self.bastion(hop));
        let wallet = self.identities.wallet(&resolved, &[], &self.options.keys).await;
        if wallet.candidates.is_empty() {
            return Err(auth::no_key(&resolved.user, &resolved.host_name, &wallet));
        }
        let watch = Watch::default();
        let partial = Partial::new(&watch);
        let reached = self.reach(&resolved, before.as_ref(), &partial).await;
        let (mut live, to, _waiting) = reached.map_err(|trouble| trouble.unread)?;
        self.authenticate(&mut live, &to, &resolved, &wallet).await?;
        Ok(live)
    }
}

/// A place among a bastion's targets, waited for no longer than the sweep lasts.
async fn place(bastion: Option<&Bastion>, watch: &Watch) -> Option<OwnedSemaphorePermit> {
    let place = Arc::clone(&bastion?.targets).acquire_owned();
    match watch.until {
        Some(until) => timeout_at(until, place).await.ok()?.ok(),
        None => place.await.ok(),
    }
}

fn not_tried(shut: Shut) -> Unread {
    let detail = format!(
        "the first {} hosts that answered all refused authentication, so no further host was bothered; check user and key \
         on one host first",
        shut.refused
    );
    Unread::new(Reason::NotTried, detail)
}

/// Adds what a ProxyCommand said to the trouble it caused.
async fn explain(mut trouble: Trouble, to: &str, stderr: Option<&Stderr>) -> Trouble {
    let Some(stderr) = stderr else { return trouble };
    let said = stderr.last_words().await;
    if trouble.again == Again::Dropped {
        trouble.unread = Unread::new(Reason::Bastion, format!("{to}: it ended before an SSH banner came"));
    }
    if !said.is_empty() {
        trouble.unread.detail.push_str(&format!("; it says: {said}"));
    }
    trouble
}

/// How long to wait before the next attempt: doubling, with as much chance again.
fn backoff(attempt: u32) -> Duration {
    let base = 200u64 << attempt.min(4);
    Duration::from_millis(base + rand::random_range(0..=base))
}
