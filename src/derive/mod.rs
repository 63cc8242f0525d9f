//! What follows from several probes together, worked out once per host and shared by checks and report.

#![cfg_attr(not(test), forbid(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros))]

pub mod driver;
#[cfg(test)]
pub(crate) mod fixture;
pub mod next_boot;
pub mod package_role;
pub mod protection;
pub mod upgrade;
pub mod version;

use crate::check::Look;

/// Everything derived for one host.
#[derive(Debug, Clone, PartialEq)]
pub struct Derived {
    /// Loaded against on disk, and whether there is anything to judge at all.
    pub driver: driver::Driver,
    /// Who changed the driver, when, from what to what.
    pub upgrade: upgrade::UpgradeStory,
    /// What keeps automatic upgrades off it.
    pub protection: protection::Protection,
    /// What the next boot will load.
    pub next_boot: next_boot::NextBoot,
}

impl Derived {
    /// Works everything out. Load-bearing facts that are missing are recorded on the look.
    pub fn from(look: &Look<'_>) -> Self {
        let driver = driver::derive(look);
        let next_boot = next_boot::derive(look, &driver);
        let upgrade = upgrade::derive(look, &driver);
        let protection = protection::derive(look, &driver);
        Self { driver, upgrade, protection, next_boot }
    }
}
