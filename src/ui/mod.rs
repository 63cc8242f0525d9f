//! What a person at a terminal sees beside the report: the terminal's policy, progress and diagnostics, all on stderr.

pub mod diagnostic;
mod progress;
mod tally;
mod terminal;

pub use progress::Progress;
pub use terminal::{Surroundings, Terminal};
