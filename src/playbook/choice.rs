//! `all`, a list of names, or `{all_but: [...]}`.

use super::catalogue::advice;
use super::fields::{Fields, find};
use crate::yaml::{Entry, Mark};

/// What was chosen, and where each name that was left out stands.
pub(super) struct Choice {
    pub names: Vec<String>,
    pub left_out: Vec<(String, Mark)>,
    /// Where the choice stands.
    pub at: Mark,
}

impl Choice {
    /// Everything.
    pub fn all(known: &[String]) -> Self {
        Self { names: known.to_vec(), left_out: Vec::new(), at: Mark::default() }
    }

    /// Reads the value of `probes` or `checks`; `list` is the command that lists what there is.
    pub fn read(fields: &mut Fields, entry: &Entry, known: &[String], list: &str) -> Self {
        let what = format!("`{}`", entry.key);
        let (node, at) = (&entry.value, entry.at);
        if node.text() == Some("all") {
            return Self { at, ..Self::all(known) };
        }
        if node.text().is_some() || node.is_null() {
            fields.error(
                at,
                format!("{what} is neither `all` nor a list"),
                "write `all`, `[one, two]` or `{all_but: [one]}`",
            );
            return Self::all(known);
        }
        if node.entries().is_some() {
            let entries = fields.mapping(node, at, &what, &["all_but"]);
            let Some(but) = find(entries, "all_but") else { return Self::all(known) };
            let left_out = named(fields, but, known, list, "`all_but`");
            let names = known.iter().filter(|name| left_out.iter().all(|(out, _)| out != *name)).cloned().collect();
            return Self { names, left_out, at };
        }
        let wanted = named(fields, entry, known, list, &what);
        let names = known.iter().filter(|name| wanted.iter().any(|(want, _)| want == *name)).cloned().collect();
        Self { names, left_out: Vec::new(), at }
    }
}

/// The names of a list, each known and none twice.
fn named(fields: &mut Fields, entry: &Entry, known: &[String], list: &str, what: &str) -> Vec<(String, Mark)> {
    let mut kept: Vec<(String, Mark)> = Vec::new();
    for (name, at) in fields.list(&entry.value, entry.at, what, false) {
        if !known.contains(&name) {
            fields.error(at, format!("{what} names `{name}`, which there is not"), advice(&name, known, list));
        } else if kept.iter().any(|(other, _)| *other == name) {
            fields.error(at, format!("{what} names `{name}` twice"), "remove one of them");
        } else {
            kept.push((name, at));
        }
    }
    kept
}
