//! What a playbook may name.

use crate::yaml::closest;

/// The probes and checks there are. Passed in, so that this room knows no registry.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Catalogue {
    /// Probe names, in the order in which they run.
    pub probes: Vec<String>,
    /// Check ids, each with the probes it cannot judge without.
    pub checks: Vec<(String, Vec<String>)>,
}

impl Catalogue {
    /// Check ids.
    pub fn check_ids(&self) -> Vec<String> {
        self.checks.iter().map(|(id, _)| id.clone()).collect()
    }
}

/// "did you mean", or where the list is.
pub(super) fn advice(typed: &str, known: &[String], list: &str) -> String {
    match closest(typed, known.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("{list} lists what there is"),
    }
}
