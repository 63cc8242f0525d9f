//! Facts in the few words that text reports share: ages, upgrades, protection, the next boot.

use jiff::Timestamp;

use crate::report::clean;
use crate::report::model::{DriverUpgrade, Facts, NextBoot};

/// `3 d ago`, `5 h ago`, `12 min ago`, `just now`, `in 2 h`.
pub fn ago(now: Timestamp, then: Timestamp) -> String {
    let seconds = now.as_second() - then.as_second();
    match (seconds, age(seconds.unsigned_abs())) {
        (-59..=59, _) => "just now".to_owned(),
        (60.., (n, unit)) => format!("{n} {unit} ago"),
        (_, (n, unit)) => format!("in {n} {unit}"),
    }
}

/// The oldest and the youngest of several moments: `2-19 d ago`.
pub fn ago_range(now: Timestamp, moments: &[Timestamp]) -> Option<String> {
    let (oldest, youngest) = (*moments.iter().min()?, *moments.iter().max()?);
    let (from, to) = (ago(now, youngest), ago(now, oldest));
    if from == to {
        return Some(from);
    }
    let unit = |text: &str| text.split_once(' ').map(|(n, unit)| (n.to_owned(), unit.to_owned()));
    Some(match (unit(&from), unit(&to)) {
        (Some((a, unit)), Some((b, same))) if unit == same && from.ends_with(" ago") => format!("{a}-{b} {unit}"),
        _ => format!("{} - {to}", from.trim_end_matches(" ago")),
    })
}

/// `3 d`, `5 h`: the distance of two moments.
pub fn span(a: Timestamp, b: Timestamp) -> String {
    let (n, unit) = age((a.as_second() - b.as_second()).unsigned_abs());
    format!("{n} {unit}")
}

fn age(seconds: u64) -> (u64, &'static str) {
    match seconds {
        0..60 => (seconds, "s"),
        60..5_400 => (seconds / 60, "min"),
        5_400..172_800 => (seconds / 3_600, "h"),
        _ => (seconds / 86_400, "d"),
    }
}

/// `2026-11-28 06:12 UTC`.
pub fn date(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

/// `1 host`, `3 hosts`.
pub fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Who upgraded, in the report's word; `other` alone would be unclear.
pub fn by(upgrade: &DriverUpgrade) -> String {
    match upgrade.by.as_str() {
        "other" => "other tool".to_owned(),
        by => clean::line(by),
    }
}

/// How far automatic upgrades are kept off the driver: the report's word, and by what or how much is open.
pub fn protection(facts: &Facts) -> (String, Option<String>) {
    let open = format!("{} open", facts.uncovered.len());
    let by = facts.protected_by.iter().map(|word| clean::line(word)).collect::<Vec<_>>().join(", ");
    let by = (!by.is_empty()).then_some(by);
    match (facts.auto_upgrade.as_str(), facts.protection.as_str()) {
        ("broken", _) => ("updater broken".to_owned(), None),
        (_, word @ ("partial" | "none")) => (word.to_owned(), (!facts.uncovered.is_empty()).then_some(open)),
        ("off", "not-needed") => ("not needed".to_owned(), by.or(Some("upgrades off".to_owned()))),
        ("absent", "not-needed") => ("not needed".to_owned(), Some("no updater".to_owned())),
        (_, "not-needed") => ("not needed".to_owned(), by),
        (_, "full") => ("full".to_owned(), by),
        _ => ("-".to_owned(), None),
    }
}

/// What the next boot will do, in short: the version it loads, and what that changes.
pub fn next_boot(boot: &NextBoot, differs_now: bool) -> (String, Option<&'static str>) {
    let version = match (&boot.module_version, boot.source.as_str()) {
        (Some(version), _) => clean::line(version),
        (None, "none") => "no module".to_owned(),
        (None, _) => "-".to_owned(),
    };
    let says = match (boot.agrees, differs_now, boot.certain) {
        (Some(true), true, true) => Some("cures"),
        (Some(true), true, false) => Some("may cure"),
        (Some(false), true, true) => Some("does not cure"),
        (Some(false), true, false) => Some("may not cure"),
        (Some(false), false, true) => Some("breaks"),
        (Some(false), false, false) => Some("may break"),
        (Some(true), false, _) | (None, _, _) => None,
    };
    (version, says)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(seconds).unwrap()
    }

    #[test]
    fn ages_read_as_people_say_them() {
        let now = at(100 * 86_400);
        let back = |seconds: i64| ago(now, at(100 * 86_400 - seconds));
        assert_eq!(back(30), "just now");
        assert_eq!(back(90), "1 min ago");
        assert_eq!(back(7_200), "2 h ago");
        assert_eq!(back(172_799), "47 h ago");
        assert_eq!(back(3 * 86_400), "3 d ago");
        assert_eq!(back(-7_200), "in 2 h");
    }

    #[test]
    fn ranges_share_a_unit_where_they_can() {
        let now = at(100 * 86_400);
        let days = |n: i64| at((100 - n) * 86_400);
        assert_eq!(ago_range(now, &[days(2), days(19), days(5)]).unwrap(), "2-19 d ago");
        assert_eq!(ago_range(now, &[days(3), days(3)]).unwrap(), "3 d ago");
        assert_eq!(ago_range(now, &[at(100 * 86_400 - 7_200), days(3)]).unwrap(), "2 h - 3 d ago");
        assert_eq!(ago_range(now, &[]), None);
    }
}
