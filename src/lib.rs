//! gpusweep: a read-only fleet audit that finds half-upgraded NVIDIA drivers over SSH.

pub mod check;
pub mod derive;
pub mod evidence;
pub mod inventory;
pub mod probe;
pub mod reading;
pub mod remedy;
pub mod report;
pub mod sweep;
pub mod transcript;
pub mod transport;
pub mod verdict;
