//! Findings and unread facts to a host's one word, hosts to the fleet's, and all of it into the report.

#![cfg_attr(not(test), forbid(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros))]

mod facts;
mod fleet;
mod host;
mod rules;
mod summary;

pub use fleet::{baseline_word, judge_fleet};
pub use host::{Contacted, judge_host};
pub use rules::{Rules, Waive};
pub use summary::summarize;
