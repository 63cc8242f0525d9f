//! Comparison sets of fleet checks, and the plurality in each.

use std::collections::BTreeMap;

use crate::check::FleetHost;

/// Voting hosts by the key of their comparison set.
pub(crate) fn sets(hosts: &[FleetHost]) -> BTreeMap<Option<&str>, Vec<&FleetHost>> {
    let mut sets: BTreeMap<Option<&str>, Vec<&FleetHost>> = BTreeMap::new();
    for host in hosts.iter().filter(|host| host.votes) {
        sets.entry(host.baseline_key.as_deref()).or_default().push(host);
    }
    sets
}

/// What most hosts have.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Plurality<'a> {
    /// Nobody has a value.
    None,
    /// One value leads, with so many votes.
    Leads(&'a str, usize),
    /// Several lead together, sorted.
    Tie(Vec<&'a str>),
}

/// Counts values.
pub(crate) fn plurality<'a>(values: impl Iterator<Item = &'a str>) -> Plurality<'a> {
    let mut votes: BTreeMap<&str, usize> = BTreeMap::new();
    for value in values {
        *votes.entry(value).or_default() += 1;
    }
    let Some(most) = votes.values().max().copied() else { return Plurality::None };
    let leaders: Vec<&str> = votes.into_iter().filter(|(_, count)| *count == most).map(|(value, _)| value).collect();
    match leaders.as_slice() {
        [leader] => Plurality::Leads(leader, most),
        _ => Plurality::Tie(leaders),
    }
}

/// ` of group x`, or nothing for a comparison with the whole sweep.
pub(crate) fn of_set(key: Option<&str>) -> String {
    key.map(|key| format!(" among `{key}`")).unwrap_or_default()
}

/// Names in the order of the inventory.
pub(crate) fn names(hosts: &[&FleetHost]) -> Vec<String> {
    hosts.iter().map(|host| host.host.clone()).collect()
}
