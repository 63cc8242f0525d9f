//! unattended-upgrades.log, read without relying on its language.

mod parse;
mod run;
pub use parse::parse;

use jiff::civil::DateTime;

/// The log and its rotated files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UpdaterLog {
    /// Runs that upgraded, or tried to upgrade, driver packages, or that failed; and the last run of all. Oldest first.
    pub runs: Vec<UpdaterRun>,
    /// The oldest stamp in any file.
    pub reaches_back_to: Option<DateTime>,
    /// Files that exist and could not be read.
    pub unread_files: Vec<String>,
}

/// One run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UpdaterRun {
    /// Its first line, local time without zone.
    pub started: DateTime,
    /// Names in the line of packages to upgrade (`name` or `name:i386`); empty when there was none.
    pub packages: Vec<String>,
    /// The blacklist in force, as far as blanks let the patterns be told apart; `None` when it was not logged.
    pub blacklist: Option<Vec<String>>,
    /// A dry run: nothing was done.
    pub dry_run: bool,
    /// ERROR lines, and the last line of a traceback.
    pub errors: Vec<String>,
}
