//! The seam between the sweep and the ways of reaching a host.

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::time::Instant;

use super::{AuthGate, Collected};
use crate::inventory::Target;
use crate::reading::{Reason, Unread};

/// A way of running the probe script on a host.
pub trait Contact: Send + Sync {
    /// Contacts one host. Never fails: trouble is part of what was collected. Dropping the future must leave nothing
    /// behind, neither a task nor a socket nor a child process.
    fn collect<'a>(&'a self, target: &'a Target, watch: &'a Watch) -> BoxFuture<'a, Collected>;
}

/// What a contact is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Phase {
    /// Settings of the host are being resolved.
    #[default]
    Preparing,
    /// The host's name is being looked up.
    Resolving,
    /// The connection is being made.
    Connecting,
    /// Banner and key exchange.
    Handshake,
    /// Waiting for a turn to authenticate, or authenticating.
    Authenticating,
    /// The script runs.
    Running,
}

impl Phase {
    /// The phase in the words of a sentence: "60 s passed while ...".
    pub fn doing(self) -> &'static str {
        match self {
            Self::Preparing => "preparing the connection",
            Self::Resolving => "looking up the name",
            Self::Connecting => "connecting",
            Self::Handshake => "exchanging keys",
            Self::Authenticating => "authenticating",
            Self::Running => "running the script",
        }
    }
}

/// What the sweep hands to one contact.
#[derive(Clone, Default)]
pub struct Watch {
    /// Who may authenticate; `None` lets everyone.
    pub gate: Option<Arc<AuthGate>>,
    /// The end of the whole sweep, which cuts a host's own deadline short.
    pub until: Option<Instant>,
    on_phase: Option<Arc<dyn Fn(Phase) + Send + Sync>>,
}

impl Watch {
    /// A watch that hears of every phase. The listener must not block.
    pub fn new(gate: Option<Arc<AuthGate>>, on_phase: impl Fn(Phase) + Send + Sync + 'static) -> Self {
        Self { gate, until: None, on_phase: Some(Arc::new(on_phase)) }
    }

    /// When a contact that begins now and may take `limit` has to end.
    pub fn deadline(&self, limit: Duration) -> Instant {
        let own = Instant::now() + limit;
        self.until.map_or(own, |until| until.min(own))
    }

    /// What to say about a deadline that has passed.
    pub(crate) fn late(&self, limit: Duration, doing: &str) -> Unread {
        let what = match self.until {
            Some(until) if until <= Instant::now() => "the sweep's time limit".to_owned(),
            _ => format!("the host's deadline of {}", super::ssh::seconds(limit)),
        };
        Unread::new(Reason::Deadline, format!("{what} passed while {doing}"))
    }

    /// Tells the listener.
    pub fn phase(&self, phase: Phase) {
        if let Some(listener) = &self.on_phase {
            listener(phase);
        }
    }
}
