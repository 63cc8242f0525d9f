//! What a playbook says of judgement, resolved: which checks run, with what severity, and what is waived today.

use std::collections::BTreeMap;

use crate::check::{BaselineBy, Check, Severity};
use crate::report::model::Waived;

/// Answers whether a check's finding on a host is waived: check id, host, groups.
pub type Waive<'a> = dyn Fn(&str, &str, &[String]) -> Option<Waived> + Send + Sync + 'a;

/// The rules of one sweep.
pub struct Rules<'a> {
    /// Checks that run, sorted by id.
    pub checks: Vec<&'static Check>,
    /// Severities the playbook overrides, by check id.
    pub severities: BTreeMap<String, Severity>,
    /// Whom hosts are compared with.
    pub baseline: BaselineBy,
    /// The waivers in force.
    pub waive: &'a Waive<'a>,
}

impl Rules<'_> {
    /// The severity that counts: the playbook's, else the finding's own.
    pub fn severity(&self, check: &str, own: Severity) -> Severity {
        self.severities.get(check).copied().unwrap_or(own)
    }
}
