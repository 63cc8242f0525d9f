//! Which columns fit, and the table itself.

use comfy_table::{ContentArrangement, Table, presets};

use crate::report::style::Style;
use crate::report::table::cells::{Cell, Column, cell, heading, width};
use crate::report::table::rows::Row;

/// Blanks between two columns.
const GAP: usize = 2;

/// Columns and whether cells are stacked, from the richest to the barest; the first that fits is taken.
const LAYOUTS: &[(bool, &[Column])] = {
    use Column::*;
    &[
        (false, &[Host, Verdict, Loaded, Disk, Upgraded, Booted, Protection, NextBoot]),
        (true, &[Host, Verdict, Loaded, Disk, Upgraded, Booted, Protection, NextBoot]),
        (true, &[Host, Verdict, Versions, Upgraded, Booted, Protection, NextBoot]),
        (true, &[Host, Verdict, Versions, Upgraded, Booted, Protection]),
        (true, &[Host, Verdict, Versions, Upgraded, Booted]),
        (true, &[Host, Verdict, Versions, UpgradedWhen, Booted]),
        (true, &[Host, Word, Versions, UpgradedWhen, Booted]),
        (true, &[Host, Verdict, Versions]),
        (true, &[Host, Word, Versions]),
        (true, &[Host, Verdict]),
        (true, &[Host, Word]),
    ]
};

/// The table's lines.
pub fn table(rows: &[Row], style: &Style) -> Vec<String> {
    let mut last = Vec::new();
    for (stacked, columns) in LAYOUTS {
        let cells = cells(rows, columns, *stacked, style);
        let wide = total(&cells);
        last = cells;
        if wide <= style.width {
            break;
        }
    }
    draw(&last, style)
}

/// Heading and rows, cell by cell.
fn cells(rows: &[Row], columns: &[Column], stacked: bool, style: &Style) -> Vec<Vec<Cell>> {
    // A set of many names may take a third of the screen before it breaks.
    let room = (style.width / 3).clamp(8, 48);
    let mut all = vec![columns.iter().map(|column| heading(*column, style)).collect::<Vec<_>>()];
    all.extend(
        rows.iter()
            .map(|row| columns.iter().map(|column| cell(row, *column, stacked, room, style)).collect::<Vec<_>>()),
    );
    all
}

fn total(cells: &[Vec<Cell>]) -> usize {
    let columns = cells.first().map_or(0, Vec::len);
    let widest = |at: usize| cells.iter().filter_map(|row| row.get(at)).map(width).max().unwrap_or(0);
    (0..columns).map(widest).sum::<usize>() + GAP * columns.saturating_sub(1)
}

fn draw(cells: &[Vec<Cell>], style: &Style) -> Vec<String> {
    let mut table = Table::new();
    // Breaking is decided here, never by the library, which would cut names; and it must not ask the terminal.
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled).force_no_tty();
    let mut rows = cells.iter().map(|row| row.iter().map(|cell| text(cell, style)).collect::<Vec<_>>());
    if let Some(head) = rows.next() {
        table.set_header(head);
    }
    table.add_rows(rows);
    for column in table.column_iter_mut() {
        column.set_padding((0, GAP as u16));
    }
    table.lines().map(|line| line.trim_end().to_owned()).collect()
}

fn text(cell: &Cell, style: &Style) -> String {
    let line = |pieces: &Vec<_>| pieces.iter().map(|(tone, text): &(_, String)| style.paint(*tone, text)).collect();
    cell.iter().map(line).collect::<Vec<String>>().join("\n")
}
