//! Inventory files to targets: Ansible's YAML dialect, ranges, patterns, group_vars and host_vars.
//!
//! Only `files` and `vars_files` read the disk (and `refuse` a file's mode); the rest judges text that it is given.

#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros))]

mod address;
mod dialect;
mod effective;
#[cfg(test)]
mod examples;
#[allow(clippy::disallowed_methods)]
mod files;
mod glob;
mod graph;
mod own;
mod pattern;
mod range;
#[allow(clippy::disallowed_methods)]
mod refuse;
mod select;
mod settings;
mod ssh_args;
mod store;
pub mod target;
#[cfg(test)]
mod tests;
#[allow(clippy::disallowed_methods)]
mod vars_files;

pub use address::ad_hoc;
pub use files::load;
pub use own::{KNOWN as OWN_VARIABLES, is_driver};
pub use pattern::Pattern;
pub use store::Inventory;
pub use target::{Connection, Location, Target, TargetVars};

pub use crate::yaml::Diagnostic;

/// Every name that a pattern with ranges (`gpu[01:50]`) stands for, at most `limit`.
///
/// # Errors
/// What is wrong with a range.
pub fn expand_range(pattern: &str, limit: usize) -> Result<Vec<String>, String> {
    range::expand(pattern, limit).map_err(|fault| fault.message)
}

/// Whether a shell glob fits a whole name, as `fnmatch` has it.
pub fn glob_fits(pattern: &str, name: &str) -> bool {
    glob::fits(pattern, name)
}
