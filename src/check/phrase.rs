//! How findings say times, durations and details, all alike.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value};

/// `2026-11-28 06:12 UTC`.
pub(crate) fn time(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

/// `3 d`, `5 h`, `12 min`; the largest unit that counts at least one.
pub(crate) fn duration(length: SignedDuration) -> String {
    let minutes = length.abs().as_secs() / 60;
    match minutes {
        0 => "less than a minute".to_owned(),
        1..60 => format!("{minutes} min"),
        60..1440 => format!("{} h", minutes / 60),
        _ => format!("{} d", minutes / 1440),
    }
}

/// `1 package`, `15 packages`.
pub(crate) fn count(number: usize, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}

/// The object inside a `json!({...})`.
pub(crate) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_in_words() {
        for (seconds, want) in
            [(30, "less than a minute"), (90, "1 min"), (3_600, "1 h"), (86_399, "23 h"), (-3 * 86_400 - 7_200, "3 d")]
        {
            assert_eq!(duration(SignedDuration::from_secs(seconds)), want);
        }
    }

    #[test]
    fn times_are_utc() {
        assert_eq!(time("2026-11-28T15:12:04+09:00".parse().unwrap()), "2026-11-28 06:12 UTC");
    }
}
