//! What the lab stands on: this machine, its shell, the base tree and the chambers in which disks are made.

pub mod base;
pub mod chamber;
pub mod clock;
pub mod machine;
pub mod shell;
