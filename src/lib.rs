//! gpusweep: a read-only fleet audit that finds half-upgraded NVIDIA drivers over SSH.

pub mod inventory;
pub mod probe;
pub mod reading;
pub mod sweep;
pub mod transcript;
pub mod transport;
