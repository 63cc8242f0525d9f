//! apt's own journal: who changed which driver packages, from what to what.

mod parse;
pub use parse::parse;

use jiff::civil::DateTime;

/// history.log and its rotated files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AptHistory {
    /// Stanzas that touch driver or kernel packages (and, with `Error:` or cut, any), oldest first.
    pub stanzas: Vec<Stanza>,
    /// The oldest `Start-Date` in any file: how far back the journal reaches.
    pub reaches_back_to: Option<DateTime>,
    /// Files that exist and could not be read.
    pub unread_files: Vec<String>,
}

/// One transaction.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stanza {
    /// `Start-Date`, local time without zone.
    pub start: DateTime,
    /// `End-Date`; `None` in a transaction that was killed or still runs.
    pub end: Option<DateTime>,
    /// `Commandline`, when there is one.
    pub commandline: Option<String>,
    /// `Requested-By`, as `name (uid)`.
    pub requested_by: Option<String>,
    /// What was done, in order: driver and kernel packages only; of a transaction that failed or has no end also the
    /// first others.
    pub items: Vec<Item>,
    /// `Error`.
    pub error: Option<String>,
    /// The file it stands in.
    pub file: String,
}

/// One package of a transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// What happened to it.
    pub action: Action,
    /// Bare name.
    pub name: String,
    /// Architecture as printed (native for `all`).
    pub arch: String,
    /// The version before, where the action has one.
    pub old: Option<String>,
    /// The version after; for a removal the removed one stands in `old`.
    pub new: Option<String>,
}

/// The lists of a stanza.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// `Install`.
    Install,
    /// `Reinstall`.
    Reinstall,
    /// `Upgrade`.
    Upgrade,
    /// `Downgrade`.
    Downgrade,
    /// `Remove`.
    Remove,
    /// `Purge`.
    Purge,
}
