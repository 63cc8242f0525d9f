//! nvidia-persistenced: its unit and its socket.

mod parse;
pub use parse::parse;

use crate::probe::updater::Unit;

/// The daemon.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Persistenced {
    /// nvidia-persistenced.service.
    pub unit: Unit,
    /// /run/nvidia-persistenced/socket exists.
    pub socket: bool,
}
