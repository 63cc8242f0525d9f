//! The host's local times, as instants. Rules of the host's zone, never of the machine that judges.

use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, Offset, TimeZone, TimeZoneDatabase};
use jiff::{SignedDuration, Timestamp};

use crate::probe::clock::Clock;
use crate::reading::Reading;

/// How a host's local times become instants.
#[derive(Debug, Clone)]
pub struct Zone(Option<TimeZone>);

/// The instants that a local time may stand for; one, but for the hour that a clock change repeats or skips.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// The first.
    pub earliest: Timestamp,
    /// The last.
    pub latest: Timestamp,
    /// The best guess where no clock was read.
    pub guess: Option<Timestamp>,
}

impl Zone {
    /// The host's zone: by name, else its offset now, else unknown.
    pub fn of(clock: &Reading<Clock>) -> Self {
        let Some(clock) = clock.known() else { return Self(None) };
        let named = clock.zone.as_deref().and_then(|name| {
            let name = name.trim_start_matches("posix/").trim_start_matches("right/");
            TimeZoneDatabase::bundled().get(name).ok()
        });
        Self(named.or_else(|| Offset::from_seconds(clock.utc_offset).ok().map(TimeZone::fixed)))
    }

    /// The instants of a local time; `None` when it is outside all calendars.
    pub fn moment(&self, local: DateTime) -> Option<Moment> {
        let Some(zone) = &self.0 else {
            // Somewhere on earth: 14 hours east to 12 hours west.
            let utc = Offset::UTC.to_timestamp(local).ok()?;
            let shift = |hours| utc.checked_add(SignedDuration::from_hours(hours)).ok();
            return Some(Moment { earliest: shift(-14)?, latest: shift(12)?, guess: Some(utc) });
        };
        let (one, other) = match zone.to_ambiguous_timestamp(local).offset() {
            AmbiguousOffset::Unambiguous { offset } => (offset, offset),
            AmbiguousOffset::Gap { before, after } | AmbiguousOffset::Fold { before, after } => (before, after),
        };
        let (one, other) = (one.to_timestamp(local).ok()?, other.to_timestamp(local).ok()?);
        Some(Moment { earliest: one.min(other), latest: one.max(other), guess: None })
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::datetime;

    use super::*;

    fn zone(name: Option<&str>, utc_offset: i32) -> Zone {
        let now = Timestamp::UNIX_EPOCH;
        Zone::of(&Reading::Known(Clock { now, utc_offset, zone: name.map(str::to_owned) }))
    }

    fn both(zone: &Zone, local: DateTime) -> (String, String) {
        let moment = zone.moment(local).unwrap();
        (moment.earliest.to_string(), moment.latest.to_string())
    }

    #[test]
    fn named_zone_follows_its_own_rules() {
        let seoul = zone(Some("Asia/Seoul"), 0);
        let at = "2026-11-27T21:12:04Z".to_owned();
        assert_eq!(both(&seoul, datetime(2026, 11, 28, 6, 12, 4, 0)), (at.clone(), at));
    }

    #[test]
    fn repeated_hour_is_two_instants() {
        let new_york = zone(Some("America/New_York"), -5 * 3600);
        let want = ("2026-11-01T05:30:00Z".to_owned(), "2026-11-01T06:30:00Z".to_owned());
        assert_eq!(both(&new_york, datetime(2026, 11, 1, 1, 30, 0, 0)), want);
    }

    #[test]
    fn unknown_name_uses_the_offset_and_no_clock_spans_the_globe() {
        let fixed = zone(Some("Mars/Olympus"), 2 * 3600);
        let at = "2026-11-28T04:12:04Z".to_owned();
        assert_eq!(both(&fixed, datetime(2026, 11, 28, 6, 12, 4, 0)), (at.clone(), at));
        let none = Zone::of(&Reading::Absent);
        let want = ("2026-11-27T16:12:04Z".to_owned(), "2026-11-28T18:12:04Z".to_owned());
        assert_eq!(both(&none, datetime(2026, 11, 28, 6, 12, 4, 0)), want);
    }
}
