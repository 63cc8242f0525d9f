//! What a sweep tells those who listen.

use crate::transport::{Collected, Phase};

/// One thing that happened. `index` is the target's place in the list the sweep was given.
#[derive(Debug)]
pub enum Event {
    /// A target's turn has come.
    Started {
        /// Which target.
        index: usize,
    },
    /// A target is at another step. Some of these may be left out when the listener is slow.
    Phase {
        /// Which target.
        index: usize,
        /// The step.
        phase: Phase,
    },
    /// A target's result; exactly one for each target, unless the sweep is cancelled.
    Finished {
        /// Which target.
        index: usize,
        /// What came of it.
        collected: Collected,
    },
    /// Something the person at the terminal should know, in one line.
    Note(String),
}
