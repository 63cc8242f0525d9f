//! Packages whose name has to do with NVIDIA, CUDA, the kernel or the updater.

mod parse;
pub use parse::parse;

/// The package database's rows of interest.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Packages {
    /// Rows in the database's order; rows of removed packages (`rc`) included.
    pub rows: Vec<Package>,
}

/// One row.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Package {
    /// Bare name, without `:arch`.
    pub name: String,
    /// `amd64`, `i386`, `all`; rpm's word on an rpm host.
    pub arch: String,
    /// Its architecture is the native one (or `all`).
    pub native: bool,
    /// The full version with epoch and revision.
    pub version: String,
    /// dpkg's three letters; empty on an rpm host.
    pub status: Status,
    /// The source package; empty when it equals the name.
    pub source: String,
    /// `Pre-Depends` and `Depends` as dpkg prints them.
    pub depends: String,
    /// `Provides` as dpkg prints them.
    pub provides: String,
    /// `Conflicts` and `Breaks` are not read; a transitional (dummy) package says so in its description.
    pub transitional: bool,
}

/// dpkg's `db:Status-Abbrev`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Status {
    /// `u i r p h`: what an administrator wants; `h` is a hold.
    pub want: char,
    /// `n i c U F H W t`: where it stands.
    pub state: char,
    /// `R` when it must be reinstalled.
    pub error: bool,
}
