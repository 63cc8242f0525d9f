//! Packages built on the spot: tiny trees with the real names, versions, dependencies and scripts, and their archives.

pub mod archive;
pub mod debian;
pub mod kernel;
pub mod package;
pub mod ubuntu;
