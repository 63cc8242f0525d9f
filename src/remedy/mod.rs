//! What a person is told to do: the suggested configuration and the commands around it. Nothing here changes a host.

#![cfg_attr(not(test), forbid(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros))]

#[cfg(test)]
mod applied;
mod holds;
mod snippet;
mod words;

pub use holds::hold_command;
pub use snippet::{ConfFile, Snippet, Wish, fleet_snippet, snippet_for};
pub use words::instructions;
