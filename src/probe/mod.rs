//! What runs on a host: one folder per probe, with its script, its evidence type, its parser and its samples.

pub mod section;
