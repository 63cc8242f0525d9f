//! Bytes for people and machines, one file per format. Every format renders from [`model::Report`] alone.

#![cfg_attr(not(test), forbid(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros))]

pub mod audit;
pub mod clean;
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
mod wrap;

pub use style::Style;

/// Formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// x
    Table,
    /// x
    Json,
    /// x
    Jsonl,
    /// x
    Nagios,
}
impl Format {
    /// x
    pub fn names() -> String {
        String::new()
    }
}
/// x
pub fn render(report: &model::Report, format: Format, style: &Style) -> String {
    match format {
        Format::Json => json::render(report),
        Format::Jsonl => jsonl::render(report),
        _ => table::render(report, style),
    }
}
/// x
pub fn plain_table(_h: &[&str], rows: impl Iterator<Item = Vec<String>>, _s: &Style) -> String {
    rows.map(|r| r.join("  ") + "\n").collect()
}
