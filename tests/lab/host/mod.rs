//! Hosts: their disks, their hardware as the kernel shows it, and how they run.

pub mod disk;
pub mod machine;
pub mod net;
pub mod recipe;
pub mod run;
