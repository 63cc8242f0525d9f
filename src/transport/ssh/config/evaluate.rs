//! One host's settings out of parsed files: the first value wins, keys add up.

use super::super::known_hosts::{list_matches_exactly, list_matches_lower};
use super::super::{Resolved, person};
use super::Query;
use super::file::{Attribute, Criterion, Line, Odd, option};
use crate::reading::Unread;

/// Why there are no settings: `ssh` must be asked, or they are refused.
pub(super) enum No {
    Odd(Odd),
    Refused(Unread),
}

impl From<Odd> for No {
    fn from(odd: Odd) -> Self {
        Self::Odd(odd)
    }
}

/// The settings of a host.
pub(super) fn evaluate(files: &[Vec<Line>], query: &Query) -> Result<Resolved, No> {
    let me = person::user().ok_or_else(|| Odd("nobody knows who you are".into()))?;
    let mut walk = Walk { query, me: &me, set: Vec::new() };
    let said = [
        ("port", query.port.map(|port| port.to_string())),
        ("user", query.user.clone()),
        ("proxyjump", query.jump.clone()),
    ];
    for (key, value) in said {
        if let Some(value) = value {
            walk.take(key, &value);
        }
    }
    for (key, value) in &query.options {
        if let Line::Set { key, value } = option(key, value)? {
            walk.take(&key, &value);
        }
    }
    for file in files {
        walk.file(file, true, false);
    }
    let set = walk.set;
    let mut resolved = Resolved::defaults(&query.host, me.clone());
    for (key, value) in &set {
        resolved.apply(key, value).map_err(No::Refused)?;
    }
    let name = set.iter().find(|(key, _)| key == "hostname").map(|(_, name)| name.as_str());
    resolved.host_name = host_name(name, &query.host).to_ascii_lowercase();
    Ok(resolved)
}

/// HostName with its `%h`.
fn host_name(set: Option<&str>, asked: &str) -> String {
    set.map_or_else(|| asked.to_owned(), |name| name.replace("%%", "\0").replace("%h", asked).replace('\0', "%"))
}

struct Walk<'a> {
    query: &'a Query,
    me: &'a str,
    set: Vec<(String, String)>,
}

impl Walk<'_> {
    /// Goes through a file. A `never` file is included from a block that does not apply.
    fn file(&mut self, lines: &[Line], mut active: bool, never: bool) {
        for line in lines {
            match line {
                Line::Host(patterns) => active = !never && self.host(patterns),
                Line::Match(criteria) => active = !never && criteria.iter().all(|criterion| self.matches(criterion)),
                Line::Include(files) => {
                    for file in files {
                        self.file(file, active, never || !active);
                    }
                }
                Line::Set { key, value } if active => self.take(key, value),
                Line::Set { .. } => {}
            }
        }
    }

    fn host(&self, patterns: &[String]) -> bool {
        list_matches_exactly(patterns.iter().map(String::as_str), &self.query.host)
    }

    fn matches(&self, criterion: &Criterion) -> bool {
        let found = match criterion.attribute {
            Attribute::All => true,
            Attribute::Host => {
                let name = host_name(self.value("hostname"), &self.query.host);
                list_matches_lower(&criterion.patterns, &name)
            }
            Attribute::OriginalHost => list_matches_lower(&criterion.patterns, &self.query.host),
            Attribute::User => {
                list_matches_exactly(criterion.patterns.split(','), self.value("user").unwrap_or(self.me))
            }
            Attribute::LocalUser => list_matches_exactly(criterion.patterns.split(','), self.me),
        };
        found != criterion.negated
    }

    fn value(&self, key: &str) -> Option<&str> {
        self.set.iter().find(|(own, _)| own == key).map(|(_, value)| value.as_str())
    }

    fn take(&mut self, key: &str, value: &str) {
        if key == "connecttimeout" && value == "none" {
            // OpenSSH stores this as "not set yet", so a later value counts.
            return;
        }
        let adds_up = matches!(key, "identityfile" | "certificatefile");
        let twin = match key {
            "proxycommand" => Some("proxyjump"),
            "proxyjump" => Some("proxycommand"),
            _ => None,
        };
        let taken = self.set.iter().any(|(own, other)| {
            // A jump that was set to `none` still lets a ProxyCommand through.
            let outdone = Some(own.as_str()) == twin && (key == "proxyjump" || other != "none");
            outdone || own == key && (!adds_up || other == value)
        });
        if !taken {
            self.set.push((key.to_owned(), value.to_owned()));
        }
    }
}
