//! Bastions: one shared session each, opened once, with room for so many targets.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use futures::FutureExt;
use futures::future::{BoxFuture, Shared};
use russh::ChannelStream;
use russh::client::Msg;
use tokio::sync::{Semaphore, oneshot};

use super::client::Client;
use super::config::Query;
use super::session::Live;
use super::{Proxy, Resolved};
use crate::reading::{Reason, Unread};

/// Bastions behind bastions that a configuration may name before it counts as a circle.
const DEPTH: usize = 8;

/// Times a lost bastion session is opened anew.
const REOPEN: usize = 3;

type Opened = Result<Arc<Live>, Unread>;

/// The way to one bastion: the bastions in front of it, its own name, and the configuration that names them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Hop {
    pub before: Vec<String>,
    pub name: String,
    pub config: Option<PathBuf>,
    pub depth: usize,
}

impl Hop {
    /// The last bastion on the way to a host, if it has any.
    pub fn last(resolved: &Resolved, config: Option<&PathBuf>, depth: usize) -> Result<Option<Self>, Unread> {
        let Proxy::Jump(names) = &resolved.proxy else { return Ok(None) };
        let mut before = names.clone();
        let Some(name) = before.pop() else { return Ok(None) };
        if depth >= DEPTH {
            let detail = format!("ProxyJump of `{name}` leads in a circle, or through more than {DEPTH} bastions");
            return Err(Unread::new(Reason::ConfigRefused, detail));
        }
        Ok(Some(Self { before, name, config: config.cloned(), depth: depth + 1 }))
    }

    /// What to ask the resolver about this bastion.
    pub fn query(&self) -> Result<Query, Unread> {
        let (user, host, port) = destination(&self.name).ok_or_else(|| {
            Unread::new(Reason::ConfigRefused, format!("`{}` is no bastion: [user@]host[:port]", self.name))
        })?;
        Ok(Query { host, port, user, config: self.config.clone(), ..Query::default() })
    }
}

/// Reads `[user@]host[:port]`, `[user@][v6]:port` or `ssh://…`.
fn destination(text: &str) -> Option<(Option<String>, String, Option<u16>)> {
    let text = text.strip_prefix("ssh://").unwrap_or(text).trim_end_matches('/');
    let (user, rest) = text.rsplit_once('@').map_or((None, text), |(user, rest)| (Some(user.to_owned()), rest));
    let (host, port) = if let Some(v6) = rest.strip_prefix('[') {
        let (host, port) = v6.split_once(']')?;
        (host, port.strip_prefix(':'))
    } else if rest.matches(':').count() == 1 {
        let (host, port) = rest.split_once(':')?;
        (host, Some(port))
    } else {
        (rest, None)
    };
    let port = port.map(str::parse).transpose().ok()?;
    let good = !host.is_empty() && !user.as_deref().is_some_and(str::is_empty);
    good.then(|| (user, host.to_owned(), port))
}

/// One bastion of a sweep.
pub(crate) struct Bastion {
    pub hop: Hop,
    pub targets: Arc<Semaphore>,
    pub unauthenticated: Arc<Semaphore>,
    session: Mutex<Session>,
}

#[derive(Default)]
struct Session {
    opening: Option<Shared<BoxFuture<'static, Opened>>>,
    opened: usize,
}

/// Every bastion of a sweep.
#[derive(Default)]
pub(crate) struct Bastions(Mutex<HashMap<Hop, Arc<Bastion>>>);

impl Bastions {
    pub fn get(&self, hop: Hop, targets: usize, unauthenticated: usize) -> Arc<Bastion> {
        let mut all = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let new = || {
            let (targets, unauthenticated) = (Semaphore::new(targets.max(1)), Semaphore::new(unauthenticated.max(1)));
            Arc::new(Bastion {
                hop: hop.clone(),
                targets: Arc::new(targets),
                unauthenticated: Arc::new(unauthenticated),
                session: Mutex::default(),
            })
        };
        Arc::clone(all.entry(hop.clone()).or_insert_with(new))
    }
}

impl Bastion {
    /// The shared session. The first who asks opens it; a failure stands for the whole sweep.
    pub async fn session(self: &Arc<Self>, client: &Arc<Client>) -> Opened {
        let opening = {
            let mut session = self.session.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let lost = session.opening.as_ref().and_then(Shared::peek).is_some_and(|opened| match opened {
                Ok(live) => live.is_closed(),
                Err(_) => false,
            });
            match &session.opening {
                Some(opening) if !lost || session.opened > REOPEN => opening.clone(),
                _ => {
                    session.opened += 1;
                    let opening = open(Arc::clone(client), self.hop.clone()).shared();
                    session.opening = Some(opening.clone());
                    opening
                }
            }
        };
        opening.await
    }

    /// A stream to a host as the bastion sees it.
    pub async fn forward(
        self: &Arc<Self>,
        client: &Arc<Client>,
        host: &str,
        port: u16,
    ) -> Result<Result<ChannelStream<Msg>, russh::Error>, Unread> {
        let live = self.session(client).await?;
        let (sender, receiver) = oneshot::channel();
        let (host, stop) = (host.to_owned(), client.stop.clone());
        // A task of its own: a channel whose asker has given up is closed when the bastion confirms it after all.
        tokio::spawn(async move {
            let open = live.handle.channel_open_direct_tcpip(host, u32::from(port), "127.0.0.1", 0);
            let Some(opened) = stop.run_until_cancelled(open).await else { return };
            if let Err(Ok(unwanted)) = sender.send(opened) {
                _ = unwanted.close().await;
            }
        });
        Ok(receiver.await.unwrap_or(Err(russh::Error::Disconnect)).map(russh::Channel::into_stream))
    }
}

/// Opens a bastion's session in a task of its own: the target that asked first may run into its deadline, the others
/// still want the session.
fn open(client: Arc<Client>, hop: Hop) -> BoxFuture<'static, Opened> {
    let stop = client.stop.clone();
    let name = hop.name.clone();
    let task = tokio::spawn(async move {
        let open = async {
            match client.open_bastion(&hop).await {
                Ok(live) => Ok(Arc::new(live)),
                Err(unread) => Err(through(&hop.name, unread)),
            }
        };
        match stop.run_until_cancelled(open).await {
            Some(opened) => opened,
            None => Err(Unread::new(Reason::Bastion, format!("bastion {}: the sweep ended", hop.name))),
        }
    });
    async move {
        task.await
            .unwrap_or_else(|_| Err(Unread::new(Reason::Bastion, format!("bastion {name}: opening it was aborted"))))
    }
    .boxed()
}

/// A bastion's own trouble as its targets' trouble.
fn through(name: &str, unread: Unread) -> Unread {
    let reason = if unread.reason == Reason::BastionSaturated { Reason::BastionSaturated } else { Reason::Bastion };
    let cause = if unread.reason == Reason::Bastion { String::new() } else { format!("{}: ", unread.reason) };
    Unread::new(reason, format!("bastion {name}: {cause}{}", unread.detail))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn destinations() {
        let read = |text| destination(text).map(|(user, host, port)| (user.unwrap_or_default(), host, port));
        assert_eq!(read("b"), Some((String::new(), "b".into(), None)));
        assert_eq!(read("ann@b:2222"), Some(("ann".into(), "b".into(), Some(2222))));
        assert_eq!(read("ann@[2001:db8::1]:24"), Some(("ann".into(), "2001:db8::1".into(), Some(24))));
        assert_eq!(read("2001:db8::1"), Some((String::new(), "2001:db8::1".into(), None)));
        assert_eq!(read("ssh://ann@b:24/"), Some(("ann".into(), "b".into(), Some(24))));
        for bad in ["", "@b", "ann@", "b:x", "b:70000", "[::1"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_circle_ends() {
        let resolved = Resolved { proxy: Proxy::Jump(vec!["a".into()]), ..Resolved::default() };
        assert!(Hop::last(&resolved, None, 0).unwrap().is_some());
        assert_eq!(Hop::last(&resolved, None, DEPTH).unwrap_err().reason, Reason::ConfigRefused);
    }

    #[test]
    fn a_bastions_cause_is_kept() {
        let why = through("b", Unread::new(Reason::HostKeyUnknown, "b shows x"));
        assert_eq!((why.reason, why.detail.as_str()), (Reason::Bastion, "bastion b: host-key-unknown: b shows x"));
        assert_eq!(through("b", Unread::new(Reason::BastionSaturated, "x")).reason, Reason::BastionSaturated);
    }
}
