//! Bytes for people and machines, one file per format. Every format renders from [`model::Report`] alone.

#![cfg_attr(not(test), forbid(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros))]

pub mod audit;
mod block;
pub mod clean;
mod columns;
pub mod csv;
mod findings;
#[cfg(test)]
mod fixture;
pub mod fold;
pub mod json;
pub mod jsonl;
pub mod junit;
pub mod markdown;
pub mod model;
pub mod nagios;
pub mod prometheus;
pub mod schema;
pub mod style;
pub mod table;
mod words;
pub mod wrap;

pub use columns::plain_table;
pub use style::Style;

use crate::report::model::Report;

/// The formats of `--format` and `--report`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// The fleet table, for a terminal.
    Table,
    /// The whole report, for machines.
    Json,
    /// The report as a line per host, written as hosts finish.
    Jsonl,
    /// A suite per host, for CI.
    Junit,
    /// Text to paste into a ticket.
    Markdown,
    /// A row per host, for a spreadsheet.
    Csv,
    /// Gauges for node-exporter's textfile collector.
    Prometheus,
    /// One status line; the exit code follows the plugin convention.
    Nagios,
}

impl Format {
    /// Its name on the command line, and what it is.
    fn word(self) -> (&'static str, &'static str) {
        match self {
            Self::Table => ("table", "The fleet table, for a terminal"),
            Self::Json => ("json", "The whole report, for machines"),
            Self::Jsonl => ("jsonl", "The report as a line per host, written as hosts finish"),
            Self::Junit => ("junit", "A suite per host, for CI"),
            Self::Markdown => ("markdown", "Text to paste into a ticket"),
            Self::Csv => ("csv", "A row per host, for a spreadsheet"),
            Self::Prometheus => ("prometheus", "Gauges for node-exporter's textfile collector"),
            Self::Nagios => ("nagios", "One status line; the exit code follows the plugin convention"),
        }
    }

    /// All names, for messages.
    pub fn names() -> String {
        Self::ALL.map(|format| format.word().0).join(", ")
    }

    const ALL: [Self; 8] =
        [Self::Table, Self::Json, Self::Jsonl, Self::Junit, Self::Markdown, Self::Csv, Self::Prometheus, Self::Nagios];
}

// By hand: the derive macro allows lints that this room forbids.
impl clap::ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        let (name, help) = self.word();
        Some(clap::builder::PossibleValue::new(name).help(help))
    }
}

/// Renders a finished report.
pub fn render(report: &Report, format: Format, style: &Style) -> String {
    match format {
        Format::Table => table::render(report, style),
        Format::Json => json::render(report),
        Format::Jsonl => jsonl::render(report),
        Format::Junit => junit::render(report),
        Format::Markdown => markdown::render(report, style),
        Format::Csv => csv::render(report),
        Format::Prometheus => prometheus::render(report),
        Format::Nagios => nagios::render(report),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum;

    #[test]
    fn every_format_is_named_and_safe_to_print() {
        assert_eq!(Format::names(), "table, json, jsonl, junit, markdown, csv, prometheus, nagios");
        let style = Style { width: 80, color: false, unicode: true, unread: false, now: fixture::now() };
        for format in Format::value_variants() {
            let text = render(&fixture::fleet(), *format, &style);
            assert!(text.ends_with('\n'), "{format:?}");
            let harmful = |c: char| (c.is_control() && !"\r\n".contains(c)) || c == '\u{202e}';
            // JSON is for machines: it escapes control characters and keeps the rest as it was read.
            assert!(matches!(format, Format::Json | Format::Jsonl) || !text.contains(harmful), "{format:?}");
        }
    }
}
