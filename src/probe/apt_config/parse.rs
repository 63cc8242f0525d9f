//! The frame's sections to evidence.

use super::AptConfig;
use crate::probe::Sections;
use crate::reading::{Reading, Reason};
use crate::transcript::State;

/// The most lines one value may have; apt decodes `%0a` in a value to a line end.
const VALUE_LINES: usize = 20;

/// Reads the frame.
pub fn parse(sections: &Sections) -> Reading<AptConfig> {
    let Some(dump) = sections.get("dump") else { return Reading::unread(Reason::Truncated, "no answer for `dump`") };
    let mut config = AptConfig::default();
    let mut error = None;
    for line in sections.all("messages").flat_map(|section| &section.lines) {
        if let Some(path) = unreadable(line) {
            config.unreadable.push(path.to_owned());
        } else if line.starts_with("W: ") || line.starts_with("N: ") {
            config.notices.push(line.clone());
        } else if line.starts_with("E: ") {
            error.get_or_insert_with(|| line.clone());
        }
    }
    match dump.state {
        State::Ok => {}
        State::Failed => {
            let exit = dump.exit.map_or_else(String::new, |exit| format!(" (exit {exit})"));
            config.broken = Some(error.unwrap_or_else(|| format!("`apt-config dump` failed{exit}")));
        }
        _ => return dump.reading().and_then(|_| Reading::Absent),
    }
    config.entries = entries(&dump.lines);
    Reading::Known(config)
}

/// `W: Unable to read /etc/apt/apt.conf.d/50x - open (13: Permission denied)`. A path that is not there hides nothing.
fn unreadable(line: &str) -> Option<&str> {
    let (path, why) = line.strip_prefix("W: Unable to read ")?.rsplit_once(" - ")?;
    (!why.contains("(2: ")).then_some(path)
}

/// `Key "value";` lines. Quotes inside a value are not escaped: it goes on to the last `";`.
fn entries(lines: &[String]) -> Vec<(String, String)> {
    let mut entries: Vec<(String, String)> = Vec::new();
    let mut lines = lines.iter();
    while let Some(line) = lines.next() {
        let Some((key, rest)) = line.split_once(" \"") else { continue };
        let mut value = rest.to_owned();
        for _ in 0..VALUE_LINES {
            if value.ends_with("\";") {
                break;
            }
            let Some(more) = lines.next() else { break };
            value.push('\n');
            value.push_str(more);
        }
        if let Some(value) = value.strip_suffix("\";") {
            entries.push((key.to_owned(), value.to_owned()));
        }
    }
    entries
}
