//! Bytes for people and machines, one file per format. Every format renders from [`model::Report`] alone.

#![cfg_attr(not(test), forbid(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros))]

pub mod model;
