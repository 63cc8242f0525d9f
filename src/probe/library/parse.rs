//! The frame's sections to evidence.

use jiff::Timestamp;

use super::{Libraries, LibraryFile};
use crate::probe::{Section, Sections, driver_version};
use crate::reading::{Reading, Reason};

/// Reads the frame.
pub fn parse(sections: &Sections) -> Reading<Libraries> {
    if sections.get("folders").is_none() && sections.get("cache").is_none() {
        return Reading::unread(Reason::Truncated, "no answer");
    }
    let host: Vec<Row> = ["cache", "folders"].iter().filter_map(|name| sections.get(name)).flat_map(rows).collect();
    let container: Vec<Row> = sections.get("container").into_iter().flat_map(rows).collect();
    Reading::Known(Libraries {
        host: choose(&host).unwrap_or_else(|| nothing(sections)),
        container: choose(&container).unwrap_or_else(|| match sections.get("container") {
            Some(section) => section.reading().and_then(|_| Reading::Absent),
            None => Reading::Absent,
        }),
    })
}

/// No library: certain only if the known folders were looked through. The linker's cache may be missing.
fn nothing(sections: &Sections) -> Reading<LibraryFile> {
    let cache = sections.reading("cache").and_then(|_| Reading::Absent);
    match sections.reading("folders").and_then(|_| Reading::Absent) {
        Reading::Absent => cache,
        unread => unread,
    }
}

struct Row<'a> {
    changed: Option<i64>,
    link: &'a str,
    target: &'a str,
}

/// `1796088058 LINK -> TARGET`; `-` for the time when the target is not there.
fn rows(section: &Section) -> impl Iterator<Item = Row<'_>> {
    section.lines.iter().filter_map(|line| {
        let (changed, rest) = line.split_once(' ')?;
        let (link, target) = rest.split_once(" -> ")?;
        if [link, target].iter().any(|path| path.contains("/compat/") || path.contains("/stubs/")) {
            return None;
        }
        Some(Row { changed: changed.parse().ok(), link, target })
    })
}

/// The first library that is there; a link that ends nowhere only if there is no other.
fn choose(rows: &[Row<'_>]) -> Option<Reading<LibraryFile>> {
    let row = rows.iter().find(|row| row.changed.is_some()).or(rows.first())?;
    let name = row.target.rsplit('/').next().unwrap_or_default();
    let version = match name.strip_prefix("libnvidia-ml.so.").filter(|version| driver_version::is_version(version)) {
        _ if row.changed.is_none() => {
            Reading::unread(Reason::Unparseable, format!("{} ends at nothing: {}", row.link, row.target))
        }
        Some(version) => Reading::Known(version.to_owned()),
        None => Reading::unread(Reason::Unparseable, format!("{} carries no version: {}", row.link, row.target)),
    };
    Some(Reading::Known(LibraryFile {
        link: row.link.to_owned(),
        target: row.target.to_owned(),
        version,
        changed_at: row.changed.and_then(|second| Timestamp::from_second(second).ok()),
    }))
}

#[cfg(test)]
mod tests {
    use crate::probe::samples;

    #[test]
    fn samples_read_as_expected() {
        samples::check("library", super::parse);
    }

    #[test]
    fn no_input_panics() {
        samples::survive("library", super::parse);
    }
}
