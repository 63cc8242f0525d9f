//! The frame's sections to evidence.

use jiff::Timestamp;

use super::Boot;
use crate::probe::Sections;
use crate::reading::{Reading, Reason};

/// Reads the frame.
pub fn parse(sections: &Sections) -> Reading<Boot> {
    sections.reading("stat").and_then(|lines| {
        let btime = lines.iter().find_map(|line| line.strip_prefix("btime "));
        let booted_at =
            btime.and_then(|text| text.trim().parse().ok()).and_then(|second| Timestamp::from_second(second).ok());
        match booted_at {
            Some(booted_at) => Reading::Known(Boot {
                booted_at,
                uptime_seconds: uptime(sections),
                uptime_since: since(sections).unwrap_or_default(),
            }),
            None => Reading::unread(Reason::Unparseable, "/proc/stat has no `btime` line"),
        }
    })
}

/// `52.51 100.20`: whole seconds of the first number.
fn uptime(sections: &Sections) -> Option<i64> {
    let line = sections.get("uptime")?.lines.first()?;
    line.split(['.', ' ']).next()?.parse().ok()
}

fn since(sections: &Sections) -> Option<String> {
    let section = sections.get("uptime-since")?;
    let line = section.reading().known()?.first()?.trim().to_owned();
    line.starts_with(|c: char| c.is_ascii_digit()).then_some(line)
}

#[cfg(test)]
mod tests {
    use crate::probe::samples;

    #[test]
    fn samples_read_as_expected() {
        samples::check("boot", super::parse);
    }

    #[test]
    fn no_input_panics() {
        samples::survive("boot", super::parse);
    }
}
