//! A plain table of texts, for lists that are not a fleet.

use comfy_table::{ContentArrangement, Table, presets};

use crate::report::style::{Style, Tone};
use crate::report::{clean, wrap};

/// The least that the last column is given, however narrow the screen.
const LEAST: usize = 20;

/// Aligns rows under headings; the last column takes what room is left and breaks at blanks.
pub fn plain_table(headings: &[&str], rows: impl Iterator<Item = Vec<String>>, style: &Style) -> String {
    let mut cells: Vec<Vec<String>> = vec![headings.iter().map(|text| text.to_uppercase()).collect()];
    cells.extend(rows.map(|row| row.iter().map(|text| clean::line(text)).collect()));
    let last = headings.len().saturating_sub(1);
    let widest =
        |at: usize| cells.iter().filter_map(|row| row.get(at)).map(|text| wrap::width(text)).max().unwrap_or(0);
    let used: usize = (0..last).map(|at| widest(at) + 2).sum();
    let room = style.width.saturating_sub(used).max(LEAST);
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled).force_no_tty();
    let mut texts = cells.iter().enumerate().map(|(number, row)| {
        row.iter()
            .enumerate()
            .map(|(at, text)| match (number, at) {
                (0, _) => style.paint(Tone::Strong, text),
                (_, at) if at == last => wrap::lines(text, room).join("\n"),
                _ => text.clone(),
            })
            .collect::<Vec<_>>()
    });
    if let Some(head) = texts.next() {
        table.set_header(head);
    }
    table.add_rows(texts);
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    style.finish(&table.lines().collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_column_breaks_and_the_others_do_not() {
        let style = Style { width: 34, color: false, unicode: true, unread: false, now: jiff::Timestamp::UNIX_EPOCH };
        let rows =
            vec![vec!["gpu-1".into(), "a b c d e f g h i j k l m".into()], vec!["x\u{1b}[1my".into(), "z".into()]];
        let text = plain_table(&["host", "groups"], rows.into_iter(), &style);
        assert_eq!(text, "HOST   GROUPS\ngpu-1  a b c d e f g h i j k l m\nxy     z\n");
        let rows = vec![vec!["a-long-host-name".into(), "one two three four five six".into()]];
        let text = plain_table(&["host", "groups"], rows.into_iter(), &style);
        assert_eq!(
            text,
            "HOST              GROUPS\na-long-host-name  one two three four\n                  five six\n"
        );
    }
}
