//! dpkg's own journal: real unpacks only, without an author.

mod parse;
pub use parse::parse;

use jiff::civil::DateTime;

/// dpkg.log and its rotated files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DpkgLog {
    /// `install`, `upgrade` and `remove` lines of driver packages, oldest first.
    pub events: Vec<DpkgEvent>,
    /// The oldest stamp in any file.
    pub reaches_back_to: Option<DateTime>,
    /// Files that exist and could not be read.
    pub unread_files: Vec<String>,
}

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DpkgEvent {
    /// Local time without zone.
    pub at: DateTime,
    /// `install`, `upgrade`, `remove` or `purge`. dpkg writes a downgrade as `upgrade` too.
    pub action: DpkgAction,
    /// Bare name.
    pub name: String,
    /// Architecture.
    pub arch: String,
    /// Version before.
    pub old: Option<String>,
    /// Version after.
    pub new: Option<String>,
}

/// What dpkg did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DpkgAction {
    /// First installation.
    Install,
    /// Another version over an installed one, newer or older.
    Upgrade,
    /// Removed or purged.
    Remove,
}
