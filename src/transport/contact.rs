//! The seam between the sweep and the ways of reaching a host.

use std::sync::Arc;

use futures::future::BoxFuture;

use super::{AuthGate, Collected};
use crate::inventory::Target;

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
    on_phase: Option<Arc<dyn Fn(Phase) + Send + Sync>>,
}

impl Watch {
    /// A watch that hears of every phase. The listener must not block.
    pub fn new(gate: Option<Arc<AuthGate>>, on_phase: impl Fn(Phase) + Send + Sync + 'static) -> Self {
        Self { gate, on_phase: Some(Arc::new(on_phase)) }
    }

    /// Tells the listener.
    pub fn phase(&self, phase: Phase) {
        if let Some(listener) = &self.on_phase {
            listener(phase);
        }
    }
}
