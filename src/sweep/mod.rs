//! The fan-out: many targets at once, each one's trouble its own, results as they come.

mod engine;
mod event;
mod limits;
mod order;

pub use crate::transport::{Contact, Phase};
pub use engine::{End, Outcome, run};
pub use event::Event;
pub use limits::{Options, forks_within};
