//! The fabric manager of NVSwitch machines.

mod parse;
pub use parse::parse;

use crate::probe::updater::Unit;

/// The service; `Absent` when it is not installed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FabricManager {
    /// nvidia-fabricmanager.service.
    pub unit: Unit,
}
