//! Inventory files to targets: Ansible's YAML dialect, ranges, patterns, group_vars and host_vars.
//!
//! Only [`files`] reads the disk; the rest judges text that it is given.

mod address;
mod dialect;
mod effective;
mod files;
mod glob;
mod graph;
mod own;
mod pattern;
mod range;
mod select;
mod settings;
mod ssh_args;
mod store;
pub mod target;
#[cfg(test)]
mod tests;

pub use address::ad_hoc;
pub use files::load;
pub use own::{KNOWN as OWN_VARIABLES, is_driver};
pub use pattern::Pattern;
pub use store::Inventory;
pub use target::{Connection, Location, Target, TargetVars};

pub use crate::yaml::Diagnostic;
