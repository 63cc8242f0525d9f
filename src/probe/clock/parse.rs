//! The frame's sections to evidence.

use jiff::Timestamp;
use jiff::tz::TimeZoneDatabase;

use super::Clock;
use crate::probe::Sections;
use crate::reading::{Reading, Reason};

/// Reads the frame.
pub fn parse(sections: &Sections) -> Reading<Clock> {
    sections.reading("date").and_then(|lines| {
        let line = lines.first().map(String::as_str).unwrap_or_default();
        match date(line) {
            Some((now, utc_offset)) => Reading::Known(Clock { now, utc_offset, zone: zone(sections, now, utc_offset) }),
            None => Reading::unread(Reason::Unparseable, format!("`date` printed `{}`", line.trim())),
        }
    })
}

/// `1796088058 +0900`.
fn date(line: &str) -> Option<(Timestamp, i32)> {
    let (seconds, offset) = line.trim().split_once(' ')?;
    let now = Timestamp::from_second(seconds.parse().ok()?).ok()?;
    let (sign, digits) = match offset.split_at_checked(1)? {
        ("+", digits) => (1, digits),
        ("-", digits) => (-1, digits),
        _ => return None,
    };
    if digits.len() != 4 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let (hours, minutes): (i32, i32) = (digits.get(..2)?.parse().ok()?, digits.get(2..)?.parse().ok()?);
    Some((now, sign * (hours * 3600 + minutes * 60)))
}

/// The zone's name, when its rules agree with the offset the host itself uses now: a copied /etc/localtime and an
/// old /etc/timezone can contradict each other.
fn zone(sections: &Sections, now: Timestamp, utc_offset: i32) -> Option<String> {
    let line = |name: &str| Some(sections.get(name)?.lines.first()?.trim());
    let linked = line("localtime-link")
        .and_then(|path| path.split_once("zoneinfo/"))
        .map(|(_, name)| name.trim_start_matches("posix/").trim_start_matches("right/"));
    let missing = sections.get("localtime-missing").map(|_| "UTC");
    [linked, line("timezone"), missing].into_iter().flatten().find_map(|name| {
        let zone = TimeZoneDatabase::bundled().get(name).ok()?;
        (zone.to_offset(now).seconds() == utc_offset).then(|| name.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::samples;

    #[test]
    fn samples_read_as_expected() {
        samples::check("clock", parse);
    }

    #[test]
    fn no_input_panics() {
        samples::survive("clock", parse);
    }

    #[test]
    fn an_offset_has_a_sign_and_four_digits() {
        assert_eq!(date("0 -0330"), Some((Timestamp::UNIX_EPOCH, -12600)));
        for bad in ["", "0", "0 0330", "0 +é30", "x +0000", "0 +033", "99999999999999 +0000"] {
            assert_eq!(date(bad), None, "{bad}");
        }
    }
}
