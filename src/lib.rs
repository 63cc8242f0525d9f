//! gpusweep: a read-only fleet audit that finds half-upgraded NVIDIA drivers over SSH.

pub mod evidence;
pub mod inventory;
pub mod probe;
pub mod reading;
pub mod transcript;
pub mod transport;
