//! Reading a mapping whose every key is known.

use std::sync::Arc;

use crate::yaml::{Diagnostic, Entry, Mark, Node, Source, closest};

/// A playbook's text, and what was found wrong with it so far.
pub(super) struct Fields {
    pub source: Arc<Source>,
    pub faults: Vec<Diagnostic>,
}

impl Fields {
    pub fn new(source: Arc<Source>) -> Self {
        Self { source, faults: Vec::new() }
    }

    pub fn error(&mut self, at: Mark, message: impl Into<String>, hint: impl Into<String>) {
        self.faults.push(self.source.error(at, message).hint(hint));
    }

    /// The lines of a mapping; any other value and any key outside `known` is a fault.
    pub fn mapping<'n>(&mut self, node: &'n Node, at: Mark, what: &str, known: &[&str]) -> &'n [Entry] {
        let Some(entries) = node.entries() else {
            let hint = format!("it has the keys `{}`", known.join("`, `"));
            self.error(place(node, at), format!("{what} is {}, not a mapping", node.noun()), hint);
            return &[];
        };
        for entry in entries {
            if !known.contains(&entry.key.as_str()) {
                let hint = match closest(&entry.key, known.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("known are `{}`", known.join("`, `")),
                };
                self.error(entry.at, format!("unknown key `{}` in {what}", entry.key), hint);
            }
        }
        entries
    }

    /// One plain value that is not empty.
    pub fn text(&mut self, node: &Node, at: Mark, what: &str) -> Option<String> {
        match node.text().map(str::trim) {
            Some(text) if !text.is_empty() && node.tag.is_none() => Some(text.to_owned()),
            _ => {
                let noun = if node.text().is_some() { "empty or tagged" } else { node.noun() };
                self.error(
                    place(node, at),
                    format!("{what} is {noun}, a plain value is needed"),
                    "write it behind the colon",
                );
                None
            }
        }
    }

    /// A list of plain values that is not empty, each with its place. One value alone is a list of one if `single`.
    pub fn list(&mut self, node: &Node, at: Mark, what: &str, single: bool) -> Vec<(String, Mark)> {
        if single && node.text().is_some() {
            return self.text(node, at, what).map(|text| (text, node.at)).into_iter().collect();
        }
        match node.items() {
            Some([]) => self.error(at, format!("{what} is an empty list"), "name at least one, or leave the key out"),
            Some(items) => {
                let mut texts = Vec::new();
                for item in items {
                    texts.extend(self.text(item, at, &format!("an item of {what}")).map(|text| (text, item.at)));
                }
                return texts;
            }
            None => {
                let message = format!("{what} is {}, not a list", node.noun());
                self.error(place(node, at), message, "write a list: `[first, second]`");
            }
        }
        Vec::new()
    }
}

/// The value's place, or its key's when it has none of its own.
fn place(node: &Node, at: Mark) -> Mark {
    if node.at == Mark::default() { at } else { node.at }
}

/// The line with this key.
pub(super) fn find<'n>(entries: &'n [Entry], key: &str) -> Option<&'n Entry> {
    entries.iter().find(|entry| entry.key == key)
}
