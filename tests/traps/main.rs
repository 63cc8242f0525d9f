//! Traps, end to end over recorded hosts: a recording is edited, judged by the real judgement, and every word of the
//! report that an operator or a job acts on is asserted.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod case;
mod driver;
mod fleet;
mod intention;
mod kernels;
mod logs;
mod next_boot;
mod protection;
mod unread;
mod upgrade;
mod witness;

pub use case::Case;
