//! Bytes for people and machines, one file per format. Every format renders from [`model::Report`] alone.

#![cfg_attr(not(test), forbid(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros))]

pub mod audit;
mod block;
pub mod clean;
mod columns;
mod findings;
#[cfg(test)]
mod fixture;
pub mod fold;
pub mod json;
pub mod jsonl;
pub mod model;
pub mod schema;
pub mod style;
pub mod table;
mod words;
pub mod wrap;

pub use columns::plain_table;
pub use style::Style;

use crate::report::model::Report;

/// The formats of `--format` and `--report`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// The fleet table, for a terminal.
    Table,
    /// The whole report, for machines.
    Json,
    /// The report as a line per host.
    Jsonl,
    /// One status line in the plugin convention.
    Nagios,
}

impl Format {
    /// All names, for messages.
    pub fn names() -> String {
        use clap::ValueEnum;
        let names: Vec<String> =
            Self::value_variants().iter().filter_map(|f| Some(f.to_possible_value()?.get_name().to_owned())).collect();
        names.join(", ")
    }
}

/// Renders a finished report.
pub fn render(report: &Report, format: Format, style: &Style) -> String {
    match format {
        Format::Table | Format::Nagios => table::render(report, style),
        Format::Json => json::render(report),
        Format::Jsonl => jsonl::render(report),
    }
}
