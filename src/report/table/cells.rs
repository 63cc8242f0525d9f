//! What stands in each column, on one line or stacked.

use crate::report::fold;
use crate::report::style::{Style, Tone, verdict_tone};
use crate::report::table::rows::Row;
use crate::report::{words, wrap};

/// The columns, in the order in which they stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// Names.
    Host,
    /// Verdict and why.
    Verdict,
    /// Verdict alone.
    Word,
    /// In memory.
    Loaded,
    /// On disk.
    Disk,
    /// Both versions, one above the other.
    Versions,
    /// By whom and when.
    Upgraded,
    /// When alone.
    UpgradedWhen,
    /// Boot.
    Booted,
    /// What keeps automatic upgrades off.
    Protection,
    /// What the next boot loads.
    NextBoot,
}

/// A cell: lines of pieces with their tones.
pub type Cell = Vec<Vec<(Tone, String)>>;

/// The widest line of a cell.
pub fn width(cell: &Cell) -> usize {
    cell.iter().map(|line| line.iter().map(|(_, text)| wrap::width(text)).sum()).max().unwrap_or(0)
}

/// A column's heading.
pub fn heading(column: Column, style: &Style) -> Cell {
    let lines: Vec<String> = match column {
        Column::Host => vec!["HOST".to_owned()],
        Column::Verdict | Column::Word => vec!["VERDICT".to_owned()],
        Column::Loaded => vec!["LOADED".to_owned()],
        Column::Disk => vec!["ON DISK".to_owned()],
        Column::Versions => vec!["LOADED".to_owned(), format!("{} ON DISK", style.differs())],
        Column::Upgraded => vec!["UPGRADED".to_owned()],
        Column::UpgradedWhen => vec!["UPGRADED".to_owned()],
        Column::Booted => vec!["BOOTED".to_owned()],
        Column::Protection => vec!["PROTECTION".to_owned()],
        Column::NextBoot => vec!["NEXT BOOT".to_owned()],
    };
    lines.into_iter().map(|line| vec![(Tone::Strong, line)]).collect()
}

/// A row's cell. `room` limits the host column alone, whose sets of names break after commas.
pub fn cell(row: &Row, column: Column, stacked: bool, room: usize, style: &Style) -> Cell {
    match column {
        Column::Host => {
            let items = fold::fold_list(&row.hosts);
            wrap::names(&items, room).into_iter().map(|line| vec![(Tone::Strong, line)]).collect()
        }
        Column::Word => vec![vec![word(row, style)]],
        Column::Verdict => verdict(row, stacked, style),
        Column::Loaded => one(Tone::Plain, row.loaded.as_deref().unwrap_or("-")),
        Column::Disk if row.differs() => vec![vec![disk(row, style)]],
        Column::Disk => one(Tone::Plain, row.library.as_deref().unwrap_or("-")),
        Column::Versions if row.differs() => {
            vec![vec![(Tone::Plain, row.loaded.clone().unwrap_or_default())], vec![disk(row, style)]]
        }
        Column::Versions => match (&row.loaded, &row.library) {
            (Some(version), Some(_)) => one(Tone::Plain, version),
            (None, None) => one(Tone::Plain, "-"),
            (Some(version), None) => two(version, Some("- on disk")),
            (None, Some(version)) => {
                vec![vec![(Tone::Quiet, "- loaded".to_owned())], vec![(Tone::Plain, version.clone())]]
            }
        },
        Column::Upgraded => match (words::ago_range(style.now, &row.upgraded), &row.by) {
            (Some(when), Some(by)) if stacked => two(by, Some(&when)),
            (Some(when), Some(by)) => one(Tone::Plain, &format!("{by} {when}")),
            _ => one(Tone::Plain, "-"),
        },
        Column::UpgradedWhen => ages(row.upgraded.as_slice(), style),
        Column::Booted => ages(row.booted.as_slice(), style),
        Column::Protection => phrase(&row.protection.0, row.protection.1.as_deref(), stacked),
        Column::NextBoot => {
            let mut cell = phrase(&row.boot.0, row.boot.1, stacked);
            if let (Some(says), Some((tone, _))) = (row.boot.1, cell.last_mut().and_then(|line| line.last_mut())) {
                *tone = if says.ends_with("cures") { Tone::Good } else { Tone::Warning };
            }
            cell
        }
    }
}

fn ages(times: &[jiff::Timestamp], style: &Style) -> Cell {
    one(Tone::Plain, words::ago_range(style.now, times).as_deref().unwrap_or("-"))
}

fn one(tone: Tone, text: &str) -> Cell {
    let tone = if text == "-" { Tone::Quiet } else { tone };
    vec![vec![(tone, text.to_owned())]]
}

fn two(first: &str, second: Option<&str>) -> Cell {
    let mut cell = one(Tone::Plain, first);
    cell.extend(second.map(|text| vec![(Tone::Quiet, text.to_owned())]));
    cell
}

fn phrase(first: &str, second: Option<&str>, stacked: bool) -> Cell {
    match second {
        Some(second) if !stacked => one(Tone::Plain, &format!("{first} ({second})")),
        second => two(first, second),
    }
}

fn disk(row: &Row, style: &Style) -> (Tone, String) {
    (Tone::Critical, format!("{} {}", style.differs(), row.library.as_deref().unwrap_or("-")))
}

fn word(row: &Row, style: &Style) -> (Tone, String) {
    (verdict_tone(row.verdict), format!("{} {}", style.symbol(row.verdict), row.verdict.word()))
}

fn verdict(row: &Row, stacked: bool, style: &Style) -> Cell {
    /// More are named in the blocks below.
    const SHOWN: usize = 3;
    let mut why: Vec<String> = row.why.iter().take(SHOWN).cloned().collect();
    if row.why.len() > SHOWN {
        why.push(format!("+{} more", row.why.len() - SHOWN));
    }
    let marks: Vec<String> = row.marks.iter().map(|mark| format!("~ {mark}")).collect();
    if stacked {
        let mut cell = vec![vec![word(row, style)]];
        cell.extend(why.into_iter().map(|id| vec![(Tone::Plain, format!("  {id}"))]));
        cell.extend(marks.into_iter().map(|mark| vec![(Tone::Warning, mark)]));
        return cell;
    }
    let mut line = vec![word(row, style)];
    if !why.is_empty() {
        line.push((Tone::Plain, format!(": {}", why.join(", "))));
    }
    line.extend(marks.into_iter().map(|mark| (Tone::Warning, format!(" {mark}"))));
    vec![line]
}
