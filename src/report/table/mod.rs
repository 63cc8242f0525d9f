//! The fleet table: worst first, equal hosts folded; below it what was found, what was not seen, and a count of it all.

mod blocks;
mod cells;
mod layout;
mod rows;
mod tail;

use crate::report::model::Report;
use crate::report::style::Style;

/// Renders the table and all that stands below it. No line is wider than `style.width`, unless a host's name is.
pub fn render(report: &Report, style: &Style) -> String {
    let mut lines = Vec::new();
    if !report.hosts.is_empty() {
        lines.extend(layout::table(&rows::rows(report, style.now), style));
        lines.push(String::new());
    }
    for block in blocks::blocks(report, style) {
        lines.extend(block);
        lines.push(String::new());
    }
    lines.extend(tail::tail(report, style));
    style.finish(&lines)
}

#[cfg(test)]
mod tests;
