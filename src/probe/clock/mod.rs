//! The host's clock and time zone.

mod parse;
pub use parse::parse;

use jiff::Timestamp;

/// The host's clock when the probe ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clock {
    /// `date +%s`.
    pub now: Timestamp,
    /// `date +%z` in seconds east of UTC.
    pub utc_offset: i32,
    /// The IANA zone name (`Asia/Seoul`), from /etc/localtime's target or /etc/timezone.
    pub zone: Option<String>,
}
