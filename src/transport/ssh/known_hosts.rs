//! known_hosts as OpenSSH judges it: markers, patterns, hashed names, several keys per host. See sshd(8).

mod entry;
mod pattern;

use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

use russh::keys::Algorithm;
use russh::keys::ssh_key::public::KeyData;

use entry::{Entry, Marker, Names, parse};

pub(crate) use entry::line_for;

pub(crate) use pattern::glob as name_matches_exactly;

/// Whether a comma-separated list matches a name, upper and lower case being one.
pub(crate) fn list_matches_lower(list: &str, name: &str) -> bool {
    pattern::list_matches(&pattern::Pattern::list(list), &name.to_ascii_lowercase())
}

/// Whether a list of patterns matches a name to the letter; a negated one that matches rules the list out.
pub(crate) fn list_matches_exactly<'a>(list: impl Iterator<Item = &'a str>, name: &str) -> bool {
    let mut found = false;
    for part in list {
        match part.strip_prefix('!') {
            Some(negated) if pattern::glob(negated, name) => return false,
            Some(_) => {}
            None => found |= pattern::glob(part, name),
        }
    }
    found
}

/// Whether one pattern (a certificate's principal) matches a lower-case name.
pub(crate) fn name_matches(pattern: &str, name: &str) -> bool {
    pattern::glob(&pattern.to_ascii_lowercase(), name)
}

/// Where a line stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: usize,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// The names a host is looked up by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// `host`, or `[host]:port` for a port other than 22; a HostKeyAlias as it is.
    pub name: String,
    /// The name without its port, which may confirm a key but never contradict one.
    pub portless: Option<String>,
    /// The name that a host certificate must carry.
    pub principal: String,
}

impl Subject {
    /// The names of a host.
    pub fn new(host: &str, port: u16, alias: Option<&str>) -> Self {
        if let Some(alias) = alias {
            let alias = alias.to_ascii_lowercase();
            return Self { name: alias.clone(), portless: None, principal: alias };
        }
        let host = host.to_ascii_lowercase();
        if port == 22 {
            return Self { name: host.clone(), portless: None, principal: host };
        }
        Self { name: format!("[{host}]:{port}"), portless: Some(host.clone()), principal: host }
    }
}

/// What the files say about a key that a host showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judgement {
    /// A line records this key for this host.
    Known,
    /// No line records a key of this type; the lines that record other types.
    Unknown(Vec<Place>),
    /// Lines record other keys of this type, and none this one.
    Changed(Vec<(Place, KeyData)>),
    /// A line revokes this key.
    Revoked(Place),
}

/// Every entry of one list of files, indexed.
#[derive(Debug, Default)]
pub struct KnownHosts {
    entries: Vec<Entry>,
    plain: HashMap<String, Vec<usize>>,
    /// Lines with wildcards, negation or hashed names: looked at one by one.
    other: Vec<usize>,
    marked: Vec<usize>,
}

impl KnownHosts {
    /// Reads files in order. One that is not there is empty; one that cannot be read is an error with its name.
    pub fn read<'a>(files: impl IntoIterator<Item = &'a Path>) -> Result<Self, (String, io::Error)> {
        let mut known = Self::default();
        for file in files {
            match std::fs::read(file) {
                Ok(bytes) => known.add(&file.display().to_string(), &String::from_utf8_lossy(&bytes)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err((file.display().to_string(), error)),
            }
        }
        Ok(known)
    }

    /// The entries of a text that is called `file` in messages.
    pub fn from_text(file: &str, text: &str) -> Self {
        let mut known = Self::default();
        known.add(file, text);
        known
    }

    fn add(&mut self, file: &str, text: &str) {
        let file: Arc<str> = file.into();
        for (number, line) in text.lines().enumerate() {
            let place = Place { file: Arc::clone(&file), line: number + 1 };
            let Some(entry) = parse(line, place) else { continue };
            let index = self.entries.len();
            match (&entry.marker, &entry.names) {
                (Some(_), _) => self.marked.push(index),
                (None, Names::Plain(names)) => {
                    for name in names {
                        self.plain.entry(name.clone()).or_default().push(index);
                    }
                }
                (None, Names::Patterns(_) | Names::Hashed { .. }) => self.other.push(index),
            }
            self.entries.push(entry);
        }
    }

    /// The entries without a marker for a name.
    fn of<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Entry> {
        let plain = self.plain.get(name).into_iter().flatten();
        let other =
            self.other.iter().filter(|index| self.entries.get(**index).is_some_and(|e| e.names.match_name(name)));
        plain.chain(other).filter_map(|index| self.entries.get(*index))
    }

    fn marked<'a>(&'a self, marker: Marker, subject: &'a Subject) -> impl Iterator<Item = &'a Entry> {
        self.marked.iter().filter_map(|index| self.entries.get(*index)).filter(move |entry| {
            let names = std::iter::once(&subject.name).chain(&subject.portless);
            entry.marker == Some(marker) && names.into_iter().any(|name| entry.names.match_name(name))
        })
    }

    /// The line that revokes a key (a host's own, or the authority that signed for it).
    pub fn revoked(&self, subject: &Subject, key: &KeyData) -> Option<Place> {
        self.marked(Marker::Revoked, subject).find(|entry| entry.key == *key).map(|entry| entry.place.clone())
    }

    /// Judges a plain key.
    pub fn judge(&self, subject: &Subject, key: &KeyData) -> Judgement {
        if let Some(place) = self.revoked(subject, key) {
            return Judgement::Revoked(place);
        }
        let names = std::iter::once(&subject.name).chain(&subject.portless);
        if names.into_iter().any(|name| self.of(name).any(|entry| entry.key == *key)) {
            return Judgement::Known;
        }
        let (same, others): (Vec<_>, Vec<_>) =
            self.of(&subject.name).partition(|entry| entry.key.algorithm() == key.algorithm());
        if same.is_empty() {
            return Judgement::Unknown(others.into_iter().map(|entry| entry.place.clone()).collect());
        }
        Judgement::Changed(same.into_iter().map(|entry| (entry.place.clone(), entry.key.clone())).collect())
    }

    /// The authorities that may vouch for a host.
    pub fn authorities<'a>(&'a self, subject: &'a Subject) -> impl Iterator<Item = &'a KeyData> {
        self.marked(Marker::CertAuthority, subject).map(|entry| &entry.key)
    }

    /// The key types that are recorded for a host, in the order of the lines. Hashed names are looked through only for
    /// a host without a plain one: each costs a digest for every host.
    pub fn recorded(&self, subject: &Subject) -> Vec<Algorithm> {
        let mut types = Vec::new();
        for name in std::iter::once(&subject.name).chain(&subject.portless) {
            let plain = self.plain.get(name).into_iter().flatten().filter_map(|index| self.entries.get(*index));
            let mut found: Vec<&Entry> = plain.collect();
            if found.is_empty() {
                found.extend(self.of(name));
            }
            for entry in found {
                if !types.contains(&entry.key.algorithm()) {
                    types.push(entry.key.algorithm());
                }
            }
            if !types.is_empty() {
                break;
            }
        }
        types
    }
}

#[cfg(test)]
mod tests;
