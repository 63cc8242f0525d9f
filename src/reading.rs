//! What one look at a host can yield: a value, the certainty that there is none, or no answer.
//!
//! The third case is what keeps an audit honest: a file that could not be read must never look like a file that is
//! not there.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A fact about a host, with the two ways of not having it kept apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading<T> {
    /// The value was read.
    Known(T),
    /// The probe looked and there is nothing there.
    Absent,
    /// The probe could not tell; nothing may be concluded.
    Unread(Unread),
}

/// Why something could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// The word the report carries.
    pub reason: Reason,
    /// What was seen, in one line, already free of control characters.
    pub detail: String,
}

impl Unread {
    /// A reason with the line that explains it.
    pub fn new(reason: Reason, detail: impl Into<String>) -> Self {
        Self { reason, detail: detail.into() }
    }
}

impl<T> Reading<T> {
    /// An unread fact.
    pub fn unread(reason: Reason, detail: impl Into<String>) -> Self {
        Self::Unread(Unread::new(reason, detail))
    }

    /// The value, if it was read.
    pub fn known(&self) -> Option<&T> {
        match self {
            Self::Known(value) => Some(value),
            _ => None,
        }
    }

    /// True when the probe looked and found nothing.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// The reason, if the fact is unread.
    pub fn why_unread(&self) -> Option<&Unread> {
        match self {
            Self::Unread(unread) => Some(unread),
            _ => None,
        }
    }

    /// The same outcome with the value borrowed.
    pub fn as_ref(&self) -> Reading<&T> {
        match self {
            Self::Known(value) => Reading::Known(value),
            Self::Absent => Reading::Absent,
            Self::Unread(unread) => Reading::Unread(unread.clone()),
        }
    }

    /// The same outcome with the value transformed.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Reading<U> {
        match self {
            Self::Known(value) => Reading::Known(f(value)),
            Self::Absent => Reading::Absent,
            Self::Unread(unread) => Reading::Unread(unread),
        }
    }

    /// The outcome of a second look that depends on the first.
    pub fn and_then<U>(self, f: impl FnOnce(T) -> Reading<U>) -> Reading<U> {
        match self {
            Self::Known(value) => f(value),
            Self::Absent => Reading::Absent,
            Self::Unread(unread) => Reading::Unread(unread),
        }
    }
}

/// The words of the report's `reason` field. They are API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The host name did not resolve.
    Dns,
    /// The connection was refused.
    Refused,
    /// No route, or the network said unreachable.
    Unreachable,
    /// No answer to the connection attempt in time.
    ConnectTimeout,
    /// Connected, but no SSH banner came in time.
    BannerTimeout,
    /// Key exchange failed or found no common algorithm.
    Kex,
    /// The host key is not in known_hosts.
    HostKeyUnknown,
    /// The host key differs from the recorded one.
    HostKeyMismatch,
    /// The host key is marked `@revoked`.
    HostKeyRevoked,
    /// The server refused every identity.
    AuthRefused,
    /// The bastion in front of the host failed.
    Bastion,
    /// The bastion, or the host's own sshd, is dropping connections before the banner.
    BastionSaturated,
    /// A shell started but did not run the script.
    Shell,
    /// `sudo -n` wants a password.
    SudoPassword,
    /// `sudo` does not allow this user the command.
    SudoDenied,
    /// No usable key or agent on the controller.
    Identity,
    /// The ssh configuration asks for something that is refused by name.
    ConfigRefused,
    /// The sweep stopped before this host's turn.
    NotTried,
    /// The host's hard deadline passed.
    Deadline,
    /// The connection broke.
    Disconnected,
    /// The script's end was not seen and no exit status came.
    NoExitStatus,
    /// The host sent more than the cap.
    OutputCap,
    /// apt or dpkg was running during the sweep.
    UpgradeRunning,
    /// apt has no package lists, so it knows no origins.
    NoAptLists,
    /// A file or command was closed to the login user.
    PermissionDenied,
    /// It was read and could not be understood.
    Unparseable,
    /// The output was cut before it was complete.
    Truncated,
    /// A probe ran into its own time limit.
    TimedOut,
    /// This kind of host is not judged yet.
    NotSupported,
    /// The logs do not reach back far enough.
    Retention,
    /// The order of two events cannot be told from the clocks.
    AmbiguousTime,
}

impl Reason {
    /// The word as the report spells it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Dns => "dns",
            Self::Refused => "refused",
            Self::Unreachable => "unreachable",
            Self::ConnectTimeout => "connect-timeout",
            Self::BannerTimeout => "banner-timeout",
            Self::Kex => "kex",
            Self::HostKeyUnknown => "host-key-unknown",
            Self::HostKeyMismatch => "host-key-mismatch",
            Self::HostKeyRevoked => "host-key-revoked",
            Self::AuthRefused => "auth-refused",
            Self::Bastion => "bastion",
            Self::BastionSaturated => "bastion-saturated",
            Self::Shell => "shell",
            Self::SudoPassword => "sudo-password",
            Self::SudoDenied => "sudo-denied",
            Self::Identity => "identity",
            Self::ConfigRefused => "config-refused",
            Self::NotTried => "not-tried",
            Self::Deadline => "deadline",
            Self::Disconnected => "disconnected",
            Self::NoExitStatus => "no-exit-status",
            Self::OutputCap => "output-cap",
            Self::UpgradeRunning => "upgrade-running",
            Self::NoAptLists => "no-apt-lists",
            Self::PermissionDenied => "permission-denied",
            Self::Unparseable => "unparseable",
            Self::Truncated => "truncated",
            Self::TimedOut => "timed-out",
            Self::NotSupported => "not-supported",
            Self::Retention => "retention",
            Self::AmbiguousTime => "ambiguous-time",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serde_and_display_spell_a_reason_alike() {
        for reason in [Reason::HostKeyUnknown, Reason::NoAptLists, Reason::Dns, Reason::AmbiguousTime] {
            assert_eq!(serde_json::to_string(&reason).unwrap(), format!("\"{reason}\""));
        }
    }

    #[test]
    fn and_then_keeps_the_first_reason() {
        let first: Reading<u8> = Reading::unread(Reason::PermissionDenied, "x");
        assert_eq!(first.and_then(|_| Reading::Known(1)), Reading::unread(Reason::PermissionDenied, "x"));
        assert_eq!(Reading::Known(1).and_then(|v| Reading::Known(v + 1)), Reading::Known(2));
    }
}
