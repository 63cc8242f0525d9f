//! A check's own module documentation as help: for the terminal, for CHECKS.md, and found by id or by error text.

#![cfg_attr(not(test), forbid(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros))]

mod doc;
mod find;
mod markdown;
mod page;

pub use find::{Found, find};
pub use markdown::markdown;
pub use page::{catalogue, page, symptom_page};

#[cfg(test)]
mod fixture;
