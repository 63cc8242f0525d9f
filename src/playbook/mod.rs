//! Playbooks: which probes and checks a sweep runs, what it expects, and what is accepted for now. A playbook never changes a host.
//!
//! A file is read key by key; every key that is not known here is an error. Own probes and rules, when they come, are two more
//! keys of [`read`] and nothing else changes.

#![cfg_attr(not(test), forbid(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros))]

mod catalogue;
mod choice;
mod fields;
mod read;
mod waiver;

use std::collections::BTreeMap;

pub use catalogue::Catalogue;
pub use read::{parse, parse_waivers};
pub use waiver::Waiver;

use crate::check::{BaselineBy, Severity};
pub use crate::yaml::Diagnostic;

/// The playbook that runs when none is named.
pub const DRIVER_AUDIT: &str = include_str!("../../playbooks/driver-audit.yaml");

/// The id under which a waiver accepts that a host cannot be verified. It is no check.
pub const UNVERIFIED: &str = "unverified";

/// A playbook, every name in it known and every list resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Playbook {
    /// Its name, as the report shows it.
    pub name: String,
    /// Probes to run, in the catalogue's order.
    pub probes: Vec<String>,
    /// Checks to run, in the catalogue's order.
    pub checks: Vec<String>,
    /// Severities that differ from the checks' own.
    pub severities: BTreeMap<String, Severity>,
    /// The driver every host should have, an exact version or a branch, unless the inventory says otherwise.
    pub expect_driver: Option<String>,
    /// Whom hosts are compared with.
    pub baseline: BaselineBy,
    /// Accepted findings, in the order of the file.
    pub waivers: Vec<Waiver>,
}

impl Playbook {
    /// The embedded default.
    ///
    /// # Errors
    /// Only when the catalogue does not have what it names.
    pub fn driver_audit(catalogue: &Catalogue) -> Result<Self, Vec<Diagnostic>> {
        parse("playbooks/driver-audit.yaml (built in)", DRIVER_AUDIT.as_bytes(), catalogue)
    }

    /// The first waiver in force on this day for a check's finding on a host; `groups` are the host's.
    pub fn waiver(&self, check: &str, host: &str, groups: &[String], today: jiff::civil::Date) -> Option<&Waiver> {
        self.waivers.iter().find(|waiver| waiver.applies(check, host, groups, today))
    }
}

#[cfg(test)]
mod tests;
