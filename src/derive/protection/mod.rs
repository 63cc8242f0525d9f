//! What keeps automatic upgrades off the driver, package by package, decided the way unattended-upgrades decides.

pub mod debian_version;
pub mod depends;
pub mod glob;
mod graph;
mod ground;
mod judge;
mod kernels;
mod origins;
pub mod pattern;
mod pins;
mod rules;
#[cfg(test)]
#[allow(missing_docs)]
pub mod sample;
mod schedulers;
mod switch;
#[cfg(test)]
mod tests;
mod ties;
mod truth;

pub use ground::Ground;
pub use judge::{Verdict, derive};
pub use kernels::{KernelUpgrades, upgrades as kernel_upgrades};

/// Whether anything upgrades packages on this host without being asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AutoUpgrade {
    /// Yes.
    On,
    /// Switched off (timer, periodic switch).
    Off,
    /// The program is not installed.
    Absent,
    /// It is on and cannot run: invalid pattern or unparseable configuration.
    Broken,
    /// It cannot be told.
    Unknown,
}

impl AutoUpgrade {
    /// The word of the report's `auto_upgrade`.
    pub fn word(self) -> &'static str {
        match self {
            Self::On => "on",
            Self::Off => "off",
            Self::Absent => "absent",
            Self::Broken => "broken",
            Self::Unknown => "unknown",
        }
    }
}

/// How far the driver is protected; more protected is greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// Nothing keeps the updater off.
    None,
    /// Some driver packages are open.
    Partial,
    /// Every driver package is blocked.
    Full,
    /// There is nothing to protect, or nobody to protect it from.
    NotNeeded,
}

impl Level {
    /// The word of the report's `protection`.
    pub fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Partial => "partial",
            Self::Full => "full",
            Self::NotNeeded => "not-needed",
        }
    }
}

/// What protects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Guard {
    /// A Package-Blacklist pattern.
    Blacklist,
    /// A dpkg hold.
    Hold,
    /// A pin that admits no other upstream version.
    Pin,
    /// A whitelist that does not name it.
    Whitelist,
    /// The timer or its service is disabled or masked.
    TimerOff,
    /// APT::Periodic says no.
    PeriodicOff,
    /// unattended-upgrades is not installed.
    NotInstalled,
    /// No allowed origin carries the package.
    OriginNotAllowed,
}

impl Guard {
    /// The word of the report's `protected_by`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Blacklist => "blacklist",
            Self::Hold => "hold",
            Self::Pin => "pin",
            Self::Whitelist => "whitelist",
            Self::TimerOff => "timer-off",
            Self::PeriodicOff => "periodic-off",
            Self::NotInstalled => "not-installed",
            Self::OriginNotAllowed => "origin-not-allowed",
        }
    }
}

/// One package's protection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Protected {
    /// The updater will not touch it.
    Blocked,
    /// Not matched itself, but an exact dependency ties it to a blocked one. Weaker.
    Tied,
    /// The updater may replace it.
    Exposed,
    /// It cannot be told.
    Unknown,
}

impl Protected {
    /// The word of the report's `state`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Blocked => "blocked",
            Self::Tied => "tied",
            Self::Exposed => "exposed",
            Self::Unknown => "unknown",
        }
    }
}

/// One driver package and what protects it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageProtection {
    /// The package, as the updater names it.
    pub name: String,
    /// The outcome.
    pub state: Protected,
    /// By what.
    pub by: Vec<Guard>,
    /// The pattern, pin or package that does it, in words.
    pub how: String,
}

/// A blacklist pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// As configured.
    pub text: String,
    /// Why the updater cannot evaluate it (it dies on it), when it is invalid.
    pub invalid: Option<String>,
}

/// One host's protection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Protection {
    /// Whether an updater runs.
    pub auto_upgrade: AutoUpgrade,
    /// Why, in words: the switch, the timer, the error.
    pub auto_upgrade_why: String,
    /// The whole driver's level; `None` when it cannot be told.
    pub level: Option<Level>,
    /// What protects, sorted, without duplicates.
    pub by: Vec<Guard>,
    /// Package by package, in the order of [`Driver::packages`] (never [`crate::derive::driver::Role::OwnVersion`]).
    pub packages: Vec<PackageProtection>,
    /// The effective blacklist.
    pub blacklist: Vec<Pattern>,
    /// `Unattended-Upgrade::Automatic-Reboot` is on.
    pub auto_reboot: bool,
    /// The updater runs, and no installed package at all is eligible (a mirror with another origin).
    pub nothing_eligible: bool,
}

impl Protection {
    /// Packages that are exposed or merely tied.
    pub fn uncovered(&self) -> impl Iterator<Item = &PackageProtection> {
        self.packages.iter().filter(|package| matches!(package.state, Protected::Exposed | Protected::Tied))
    }
}
