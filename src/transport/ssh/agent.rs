//! ssh-agent: what it holds is asked once, signatures over a stream of their own per session.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use russh::keys::agent::AgentIdentity;
use russh::keys::agent::client::AgentClient;
use tokio::net::UnixStream;
use tokio::sync::OnceCell;

use super::resolved::AgentChoice;
use super::{Resolved, tokens};

/// An agent that does not answer a question within this time is not there.
const LIMIT: Duration = Duration::from_secs(5);

type List = Result<Arc<Vec<AgentIdentity>>, String>;

/// The agents of one sweep.
#[derive(Default)]
pub(crate) struct Agents {
    lists: Mutex<HashMap<PathBuf, Arc<OnceCell<List>>>>,
}

/// The socket of the agent that a host may be authenticated with.
pub(crate) fn socket(resolved: &Resolved) -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    match &resolved.agent {
        AgentChoice::None => None,
        AgentChoice::Environment => variable("SSH_AUTH_SOCK"),
        AgentChoice::Socket(path) => match path.strip_prefix('$') {
            Some(name) => variable(name.trim_start_matches('{').trim_end_matches('}')),
            None => Some(tokens::path(path, resolved)),
        },
    }
}

impl Agents {
    /// What an agent holds.
    pub async fn list(&self, socket: &Path) -> List {
        let cell = {
            let mut lists = self.lists.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            Arc::clone(lists.entry(socket.to_owned()).or_default())
        };
        cell.get_or_init(|| async {
            let ask = async {
                let mut agent = connect(socket).await?;
                agent.request_identities().await.map(Arc::new).map_err(|error| error.to_string())
            };
            tokio::time::timeout(LIMIT, ask).await.unwrap_or_else(|_| Err("no answer".into())).map_err(|why| {
                format!("the agent at {} is of no use: {}", socket.display(), crate::transport::one_line(&why))
            })
        })
        .await
        .clone()
    }
}

/// A fresh stream to an agent.
pub(crate) async fn connect(socket: &Path) -> Result<AgentClient<UnixStream>, String> {
    AgentClient::connect_uds(socket).await.map_err(|error| error.to_string())
}
