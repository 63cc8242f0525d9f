//! The only room that touches the network: SSH, this machine itself, recorded transcripts and simulated hosts.

mod contact;
mod dispatch;
mod gate;
mod group;
mod local;
mod marker;
mod options;
mod output;
mod partial;
mod replay;
pub mod sim;
pub mod ssh;
mod sudo;
mod text;

use std::time::Duration;

use jiff::Timestamp;

use crate::reading::Unread;

pub use contact::{Contact, Phase, Watch};
pub use dispatch::Dispatcher;
pub use gate::{AuthGate, Pass, Shut};
pub use marker::new_marker;
pub use options::{ConfigSource, HostKeyPolicy, InMemory, Options, Passphrases, Script};
pub use replay::Replay;
pub use text::one_line;

/// What one contact with one host brought back. Always a value: a host in trouble is data, not an error.
#[derive(Debug, Clone)]
pub struct Collected {
    /// Every byte the host's script wrote to stdout; may be empty or cut.
    pub bytes: Vec<u8>,
    /// The random marker the script was told to use.
    pub marker: String,
    /// Why it ended early, if it did. `bytes` may still hold whole frames.
    pub failure: Option<Unread>,
    /// Why the script ran without the root rights that were asked for, if so.
    pub become_failure: Option<Unread>,
    /// The controller's clock when the last byte came.
    pub received: Timestamp,
    /// The address that answered, as text.
    pub address: String,
    /// How long it took.
    pub timing: Timing,
}

/// Durations of one contact.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Timing {
    /// Until the connection was authenticated.
    pub connect: Option<Duration>,
    /// From the first step to the last byte.
    pub total: Duration,
}
