//! Findings that are accepted until a day.

use std::collections::HashSet;
use std::fmt;

use jiff::civil::Date;

use crate::inventory::{Location, expand_range, glob_fits};

/// An accepted finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiver {
    /// The check's id, or `unverified`.
    pub check: String,
    /// Hosts and groups as written: names, ranges, globs.
    pub hosts: Vec<String>,
    /// Why it is accepted.
    pub reason: String,
    /// The last day on which it counts.
    pub until: Date,
    /// Where it stands.
    pub location: Location,
    /// `hosts`, ranges expanded.
    whom: Whom,
}

#[derive(Clone, PartialEq, Eq, Default)]
struct Whom {
    words: HashSet<String>,
    globs: Vec<String>,
}

impl fmt::Debug for Whom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} names, {} globs", self.words.len(), self.globs.len())
    }
}

/// Most names that the ranges of one waiver may stand for.
const MOST_NAMES: usize = 100_000;

impl Waiver {
    /// # Errors
    /// The host pattern that cannot be read, and why.
    pub(super) fn new(
        check: String,
        hosts: Vec<String>,
        reason: String,
        until: Date,
        location: Location,
    ) -> Result<Self, (usize, String)> {
        let mut whom = Whom::default();
        for (index, pattern) in hosts.iter().enumerate() {
            if pattern.starts_with(['!', '&', '~', '@']) || pattern.contains([',', ' ']) {
                return Err((index, format!("`{pattern}` is no host, range, glob or group")));
            }
            // `gpu[1:3]` is a range, `gpu[13]*` a glob with a set.
            let ranged = pattern
                .split('[')
                .skip(1)
                .any(|part| part.split(']').next().is_some_and(|inside| inside.contains(':')));
            let names = match ranged {
                true => expand_range(pattern, MOST_NAMES).map_err(|why| (index, why))?,
                false => vec![pattern.clone()],
            };
            for name in names {
                match name.contains(['*', '?', '[']) {
                    true => whom.globs.push(name),
                    false => _ = whom.words.insert(name),
                }
            }
        }
        Ok(Self { check, hosts, reason, until, location, whom })
    }

    /// Whether it counts on this day for this check's finding on this host; `groups` are the host's.
    pub fn applies(&self, check: &str, host: &str, groups: &[String], today: Date) -> bool {
        !self.expired(today) && self.covers(check, host, groups)
    }

    /// Whether its last day is over.
    pub fn expired(&self, today: Date) -> bool {
        self.until < today
    }

    /// The same as [`Waiver::applies`] whatever the day: for telling which waivers match nothing and which have run out.
    pub fn covers(&self, check: &str, host: &str, groups: &[String]) -> bool {
        let named =
            |name: &str| self.whom.words.contains(name) || self.whom.globs.iter().any(|glob| glob_fits(glob, name));
        self.check == check
            && (self.whom.words.contains("all") || named(host) || groups.iter().any(|group| named(group)))
    }
}
