//! The distribution's own reboot flag. Its absence proves nothing for a driver.

mod parse;
pub use parse::parse;

/// /run/reboot-required.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RebootRequired {
    /// /run/reboot-required.pkgs without duplicates.
    pub packages: Vec<String>,
}
