//! What can go wrong on the way to a session, and which of it is worth a second attempt.

use std::io;

use russh::ChannelOpenFailure;

use crate::reading::{Reason, Unread};

/// A failed attempt to get to an authenticated session.
#[derive(Debug, Clone)]
pub(crate) struct Trouble {
    pub unread: Unread,
    pub again: Again,
}

/// Whether the same attempt may be made once more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    Never,
    /// The connection was refused.
    Refused,
    /// The connection was dropped before the banner: too many at once, most likely.
    Dropped,
}

impl Trouble {
    pub fn new(reason: Reason, detail: impl Into<String>) -> Self {
        let again = match reason {
            Reason::Refused => Again::Refused,
            Reason::BastionSaturated => Again::Dropped,
            _ => Again::Never,
        };
        Self { unread: Unread::new(reason, detail), again }
    }
}

impl From<Unread> for Trouble {
    fn from(unread: Unread) -> Self {
        Self { unread, again: Again::Never }
    }
}

/// A TCP connection that could not be made.
pub(crate) fn connect_error(to: &str, error: &io::Error) -> Trouble {
    use io::ErrorKind::{ConnectionRefused, ConnectionReset, HostUnreachable, NetworkUnreachable};
    match error.kind() {
        ConnectionRefused | ConnectionReset => Trouble::new(Reason::Refused, format!("{to} refused the connection")),
        HostUnreachable | NetworkUnreachable => Trouble::new(Reason::Unreachable, format!("no route to {to}")),
        _ => Trouble::new(Reason::Unreachable, format!("cannot connect to {to}: {error}")),
    }
}

/// A connection that a bastion did not make.
pub(crate) fn forward_error(bastion: &str, to: &str, error: &russh::Error) -> Trouble {
    let russh::Error::ChannelOpenFailure(failure) = error else {
        return Trouble::new(Reason::Bastion, format!("bastion {bastion} dropped the connection ({error})"));
    };
    match failure {
        ChannelOpenFailure::ConnectFailed => {
            Trouble::new(Reason::Unreachable, format!("bastion {bastion} cannot connect to {to}"))
        }
        ChannelOpenFailure::ResourceShortage => {
            Trouble::new(Reason::BastionSaturated, format!("bastion {bastion} has no room for another connection"))
        }
        ChannelOpenFailure::AdministrativelyProhibited => {
            let why = "see AllowTcpForwarding and PermitOpen there";
            Trouble::new(Reason::Bastion, format!("bastion {bastion} does not allow forwarding to {to}; {why}"))
        }
        other => Trouble::new(Reason::Bastion, format!("bastion {bastion} refused to forward to {to} ({other:?})")),
    }
}
