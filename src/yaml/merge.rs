//! `<<` merges, and keys that stand twice.

use std::collections::HashMap;

use super::node::{Entry, Kind};
use super::{Diagnostic, Source};

/// Merges what `<<` names into a mapping and refuses duplicate keys. Merged keys come first, as PyYAML orders them; a key of the
/// mapping itself wins, then the earlier of several merged mappings.
pub(super) fn finish(source: &Source, entries: Vec<Entry>) -> Result<Vec<Entry>, Diagnostic> {
    let mut own: Vec<Entry> = Vec::with_capacity(entries.len());
    let mut merged: Vec<Entry> = Vec::new();
    for entry in entries {
        if entry.key == "<<" && entry.plain {
            take(source, entry, &mut merged)?;
        } else {
            own.push(entry);
        }
    }
    let mut seen: HashMap<&str, &Entry> = HashMap::with_capacity(own.len());
    for entry in &own {
        if let Some(first) = seen.insert(&entry.key, entry) {
            let told = source.error(entry.at, format!("the key `{}` stands here twice", entry.key));
            return Err(told.hint(format!("it is first on line {}: keep one of them", first.at.line)));
        }
    }
    if merged.is_empty() {
        return Ok(own);
    }
    let mut kept: HashMap<String, ()> = own.iter().map(|entry| (entry.key.clone(), ())).collect();
    merged.retain(|entry| kept.insert(entry.key.clone(), ()).is_none());
    merged.append(&mut own);
    Ok(merged)
}

fn take(source: &Source, entry: Entry, merged: &mut Vec<Entry>) -> Result<(), Diagnostic> {
    match entry.value.kind {
        Kind::Map(entries) => merged.extend(entries),
        Kind::Seq(items) if items.iter().all(|item| item.entries().is_some()) => {
            for item in items {
                if let Kind::Map(entries) = item.kind {
                    merged.extend(entries);
                }
            }
        }
        _ => {
            let told = source.error(entry.at, "`<<` merges a mapping or a list of mappings");
            return Err(told.hint("name an anchor of a mapping: `<<: *name`"));
        }
    }
    Ok(())
}
