//! Inventory files to targets: Ansible's YAML dialect, ranges, patterns, group_vars and host_vars.

pub mod target;

pub use target::{Connection, Location, Target, TargetVars};
