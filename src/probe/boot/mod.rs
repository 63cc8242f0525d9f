//! When the running kernel was booted.

mod parse;
pub use parse::parse;

use jiff::Timestamp;

/// The boot, from `btime` of /proc/stat (an epoch second; `uptime -s` is local and moves when the clock is stepped).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Boot {
    /// The boot.
    pub booted_at: Timestamp,
    /// Seconds since boot, from /proc/uptime.
    pub uptime_seconds: Option<i64>,
    /// What `uptime -s` printed, for the clue view; empty when it is missing.
    pub uptime_since: String,
}
