//! YAML files that people write, read with the exact place of everything in them.
//!
//! Inventories and playbooks share this room. The parser is `serde_yaml`; what it leaves open is added here: where each key and
//! value stands, what was written (`535.10` stays `535.10`), errors for duplicate keys, `<<` merges, tags kept apart from values,
//! and limits on depth and on what aliases may expand to.

#![cfg_attr(not(test), forbid(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros))]

mod diagnostic;
mod merge;
mod node;
mod read;
mod scalar;
mod source;
mod suggest;
#[cfg(test)]
mod tests;

pub use diagnostic::Diagnostic;
pub use node::{Entry, Kind, Node};
pub use read::read;
pub use scalar::{CoreType, core_type, truth};
pub use source::{Mark, Source, Spot};
pub use suggest::closest;
