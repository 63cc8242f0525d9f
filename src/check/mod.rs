//! Judgement: one file per check, and the sorted list of them all.
//!
//! A check is pure. Its id is its file's name with dashes; its module doc is what `gpusweep explain` prints.

#![cfg_attr(not(test), forbid(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros))]

pub mod auto_reboot;
pub mod blacklist_ineffective;
pub mod clock_skew;
mod consequence;
pub mod context;
pub mod driver_container_conflict;
pub mod driver_drift;
pub mod driver_mismatch;
pub mod driver_update_due;
pub(crate) mod exposure;
pub mod fabricmanager_mismatch;
pub mod finding;
pub mod fleet;
pub mod half_upgraded;
mod intention;
pub mod kernel_drift;
pub mod kernel_not_held_with_driver;
pub mod kernel_unpinned_for_driver_container;
pub mod look;
mod mismatch;
pub mod mixed_driver_versions;
pub mod module_not_loaded;
pub mod no_driver;
pub mod nothing_eligible;
pub mod nvidia_smi_fails;
pub mod package_half_configured;
mod peers;
pub mod persistenced_down;
pub(crate) mod phrase;
pub mod policy_drift;
pub mod protection_gap;
mod reboot;
pub mod reboot_loses_driver;
pub mod reboot_pending;
pub mod unconfigured;
pub mod unpackaged_driver;
pub mod updater_broken;

pub use context::{BaselineBy, HostContext, NowSource};
pub use finding::{EvidenceLine, Finding, FleetFinding, Severity};
pub use fleet::FleetHost;
pub use look::{Look, UnreadFact};

use crate::derive::Derived;
use crate::probe::ProbeId;

/// A check: what it is, and the function that judges.
#[derive(Debug, Clone, Copy)]
pub struct Check {
    /// Kebab-case id that names what is wrong; API.
    pub id: &'static str,
    /// Its usual severity; a finding may carry another.
    pub severity: Severity,
    /// One line for `gpusweep checks`.
    pub summary: &'static str,
    /// The check's own source text, whose `//!` lines are its documentation.
    pub source: &'static str,
    /// Probes without which it cannot judge; a playbook that drops one while the check is on is an error.
    pub needs: &'static [ProbeId],
    /// Error texts as people paste them, each a fragment in lower case; `explain TEXT` finds the check by them.
    pub symptoms: &'static [&'static str],
    /// The function.
    pub run: Run,
}

/// The two kinds of check.
#[derive(Debug, Clone, Copy)]
pub enum Run {
    /// Judges one host from its evidence and what follows from it.
    Host(fn(&Look<'_>, &Derived) -> Vec<Finding>),
    /// Judges all hosts together.
    Fleet(fn(&[FleetHost], &BaselineBy) -> Vec<FleetFinding>),
}

/// Every check, sorted by id.
pub const ALL: &[Check] = &[
    auto_reboot::CHECK,
    blacklist_ineffective::CHECK,
    clock_skew::CHECK,
    driver_container_conflict::CHECK,
    driver_drift::CHECK,
    driver_mismatch::CHECK,
    driver_update_due::CHECK,
    fabricmanager_mismatch::CHECK,
    half_upgraded::CHECK,
    kernel_drift::CHECK,
    kernel_not_held_with_driver::CHECK,
    kernel_unpinned_for_driver_container::CHECK,
    mixed_driver_versions::CHECK,
    module_not_loaded::CHECK,
    no_driver::CHECK,
    nothing_eligible::CHECK,
    nvidia_smi_fails::CHECK,
    package_half_configured::CHECK,
    persistenced_down::CHECK,
    policy_drift::CHECK,
    protection_gap::CHECK,
    reboot_loses_driver::CHECK,
    reboot_pending::CHECK,
    unconfigured::CHECK,
    unpackaged_driver::CHECK,
    updater_broken::CHECK,
];

#[cfg(test)]
mod host_tests;
#[cfg(test)]
mod registry_tests;
