//! shim
/// x
pub fn fleet_snippet() -> String { String::new() }
