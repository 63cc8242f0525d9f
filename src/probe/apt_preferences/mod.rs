//! apt's preferences files: pins.

mod parse;
pub use parse::parse;

/// /etc/apt/preferences and preferences.d.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AptPreferences {
    /// Records in file order.
    pub pins: Vec<Pin>,
    /// Files (or the folder) the login user may not read, or not to the end: a pin may hide there.
    pub denied: Vec<String>,
}

/// One record.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pin {
    /// `Package:` words: names, globs or `/regex/`.
    pub packages: Vec<String>,
    /// `Pin:` (`version 535.183.01-0ubuntu*`, `release o=NVIDIA`, `origin ""`).
    pub pin: String,
    /// `Pin-Priority:`.
    pub priority: i64,
    /// The file.
    pub file: String,
}
