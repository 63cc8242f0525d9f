//! Where apt could get each driver package from, as `apt-cache policy` prints it.

mod parse;
pub use parse::parse;

/// apt's view of sources and candidates.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AptPolicy {
    /// Every package file apt knows, with its release line.
    pub sources: Vec<PolicySource>,
    /// Installed packages of interest with all their versions.
    pub packages: Vec<PolicyPackage>,
    /// /var/lib/apt/lists holds at least one package list. Without any, origins are unknown, not absent.
    pub lists_present: bool,
    /// The newest list's time, as an epoch second: how old apt's knowledge is.
    pub lists_updated: Option<i64>,
}

/// One package file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PolicySource {
    /// `http://archive.ubuntu.com/ubuntu jammy-security/restricted amd64 Packages`, as printed.
    pub line: String,
    /// Pin priority.
    pub priority: i64,
    /// `o=`.
    pub origin: String,
    /// `l=`.
    pub label: String,
    /// `a=` (archive or suite).
    pub archive: String,
    /// `n=` (codename).
    pub codename: String,
    /// `c=` (component).
    pub component: String,
    /// The site on the `origin` line below (`archive.ubuntu.com`; empty for file:).
    pub site: String,
}

/// One package.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PolicyPackage {
    /// `name` or `name:i386` as printed.
    pub name: String,
    /// `Installed:`; `None` for `(none)`.
    pub installed: Option<String>,
    /// `Candidate:`.
    pub candidate: Option<String>,
    /// The version table, newest first.
    pub versions: Vec<PolicyVersion>,
}

/// One row of a version table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PolicyVersion {
    /// The version.
    pub version: String,
    /// Its pin priority.
    pub priority: i64,
    /// The `line`s of the sources that carry it (joined with [`PolicySource::line`]); empty for the installed state alone.
    pub sources: Vec<String>,
}
