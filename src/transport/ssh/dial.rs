//! Names to addresses to a connected socket.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::sync::{OnceCell, Semaphore};

use super::trouble::{Trouble, connect_error};
use crate::reading::Reason;
use crate::transport::Phase;
use crate::transport::partial::Partial;

/// Lookups at a time: they block threads.
const LOOKUPS: usize = 32;

/// Addresses of one name that are tried at most.
const ADDRESSES: usize = 8;

type Answer = Result<Vec<SocketAddr>, String>;

/// The dialler of one sweep: looks each name up once.
pub(crate) struct Dialler {
    turns: Arc<Semaphore>,
    names: Mutex<HashMap<String, Arc<OnceCell<Answer>>>>,
}

impl Default for Dialler {
    fn default() -> Self {
        Self { turns: Arc::new(Semaphore::new(LOOKUPS)), names: Mutex::default() }
    }
}

impl Dialler {
    /// Connects to the first address of a name that answers.
    pub async fn dial(
        &self,
        host: &str,
        port: u16,
        limit: Duration,
        partial: &Partial<'_>,
    ) -> Result<TcpStream, Trouble> {
        partial.phase(Phase::Resolving);
        let addresses = self.look_up(host).await.map_err(|why| {
            Trouble::new(Reason::Dns, format!("`{}` does not resolve: {why}", crate::transport::one_line(host)))
        })?;
        partial.phase(Phase::Connecting);
        let mut troubles: Vec<Trouble> = Vec::new();
        for address in addresses.iter().take(ADDRESSES) {
            let address = SocketAddr::new(address.ip(), port);
            match tokio::time::timeout(limit, TcpStream::connect(address)).await {
                Ok(Ok(stream)) => {
                    partial.address(address.to_string());
                    return Ok(stream);
                }
                Ok(Err(error)) => troubles.push(connect_error(&address.to_string(), &error)),
                Err(_) => troubles.push(Trouble::new(
                    Reason::ConnectTimeout,
                    format!("no answer from {address} within {}", seconds(limit)),
                )),
            }
        }
        Err(join(troubles).unwrap_or_else(|| Trouble::new(Reason::Dns, format!("`{host}` has no address"))))
    }

    async fn look_up(&self, host: &str) -> Answer {
        if let Ok(ip) = host.parse() {
            return Ok(vec![SocketAddr::new(ip, 0)]);
        }
        let cell = {
            let mut names = self.names.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            Arc::clone(names.entry(host.to_owned()).or_default())
        };
        cell.get_or_init(|| self.ask(host.to_owned())).await.clone()
    }

    /// The lookup runs in a task of its own, so one that is given up still holds its turn: a dead resolver can then
    /// not fill the thread pool.
    async fn ask(&self, host: String) -> Answer {
        let turns = Arc::clone(&self.turns);
        let turn = turns.acquire_owned().await;
        let task = tokio::spawn(async move {
            let _turn = turn;
            tokio::net::lookup_host((host, 0)).await.map(Iterator::collect::<Vec<_>>)
        });
        match task.await {
            Ok(Ok(found)) => Ok(found),
            Ok(Err(error)) => Err(crate::transport::one_line(&error.to_string())),
            Err(_) => Err("the lookup was aborted".to_owned()),
        }
    }
}

/// One trouble out of one per address: the first one's reason, everyone's words.
fn join(troubles: Vec<Trouble>) -> Option<Trouble> {
    let mut troubles = troubles.into_iter();
    let mut first = troubles.next()?;
    for other in troubles {
        first.unread.detail.push_str("; ");
        first.unread.detail.push_str(&other.unread.detail);
    }
    Some(first)
}

/// A limit as a person writes it: `5 s`, `0.2 s`.
pub(crate) fn seconds(limit: Duration) -> String {
    format!("{} s", limit.as_millis() as f64 / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::Watch;

    #[tokio::test]
    async fn a_closed_port_is_refused_and_an_empty_name_does_not_resolve() {
        let watch = Watch::default();
        let partial = Partial::new(&watch);
        let dialler = Dialler::default();
        let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let limit = Duration::from_secs(5);
        let refused = dialler.dial("127.0.0.1", closed.port(), limit, &partial).await.unwrap_err();
        assert_eq!(refused.unread.reason, Reason::Refused);
        assert_eq!(refused.unread.detail, format!("{closed} refused the connection"));
        let dns = dialler.dial("no such host", 22, limit, &partial).await.unwrap_err();
        assert_eq!(dns.unread.reason, Reason::Dns);
    }

    #[test]
    fn every_address_is_told() {
        let both = join(vec![Trouble::new(Reason::ConnectTimeout, "a"), Trouble::new(Reason::Refused, "b")]).unwrap();
        assert_eq!((both.unread.reason, both.unread.detail.as_str()), (Reason::ConnectTimeout, "a; b"));
        assert_eq!(seconds(Duration::from_millis(1500)), "1.5 s");
        assert_eq!(seconds(Duration::from_secs(5)), "5 s");
    }
}
