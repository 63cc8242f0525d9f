//! What a fleet check knows of each host: little enough to be rebuilt from a stored report.

use crate::derive::protection::Level;

/// One host among its peers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FleetHost {
    /// Its name.
    pub host: String,
    /// Its groups.
    pub groups: Vec<String>,
    /// It was verified and has a driver: only such hosts vote and are compared.
    pub votes: bool,
    /// The library version on disk.
    pub library_version: Option<String>,
    /// The loaded version.
    pub loaded_version: Option<String>,
    /// The running kernel.
    pub kernel: Option<String>,
    /// How far the driver is protected from automatic upgrades.
    pub protection: Option<Level>,
    /// What it is declared to run: an exact version or a branch.
    pub expect_driver: Option<String>,
    /// Whom it is compared with: hosts of one key, when set (group, GPU model or variable value); `None` compares with
    /// every host that has no key either.
    pub baseline_key: Option<String>,
}
