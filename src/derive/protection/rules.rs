//! The updater's own lists: blacklist, whitelist, and what makes it die.

use crate::derive::protection::pattern::{self, Fault, Matcher, Python};
use crate::derive::protection::{Pattern, debian_version, switch, truth};
use crate::evidence::Evidence;
use crate::probe::apt_config::AptConfig;
use crate::probe::packages::Package;

/// More patterns than any list seen in the wild has.
const MAX_PATTERNS: usize = 500;

/// One list entry with its compiled form.
#[derive(Debug)]
struct Entry {
    text: String,
    compiled: Result<Matcher, Fault>,
}

/// The lists in force.
#[derive(Debug)]
pub struct Rules {
    blacklist: Vec<Entry>,
    whitelist: Vec<Entry>,
    strict: bool,
    /// unattended-upgrades 2.0 or newer: patterns become pins, and a whitelist binds only when strict.
    pins_patterns: bool,
    cut: bool,
}

/// What a list says of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Listed {
    /// This pattern matches.
    By(String),
    /// None does.
    No,
    /// None is known to, and one could not be evaluated.
    Unknown(String),
}

impl Rules {
    /// Reads them.
    pub fn read(evidence: &Evidence, config: &AptConfig) -> Self {
        let installed = switch::package(evidence).map(|row| row.version.as_str());
        let at_least = |wanted: &str| installed.is_none_or(|found| debian_version::compare(found, wanted).is_ge());
        // 2.9 came with distributions that ship Python 3.11 or newer.
        let python = if at_least("2.9") { Python::Since311 } else { Python::Before311 };
        let list = |node: &str| -> (Vec<Entry>, bool) {
            let texts = config.list(node);
            let cut = texts.len() > MAX_PATTERNS;
            let entries = texts
                .into_iter()
                .take(MAX_PATTERNS)
                .map(|text| Entry { text: text.to_owned(), compiled: pattern::compile(text, python) });
            (entries.collect(), cut)
        };
        let (blacklist, cut) = list("Unattended-Upgrade::Package-Blacklist");
        let (whitelist, cut_too) = list("Unattended-Upgrade::Package-Whitelist");
        let strict = truth::find_b(config.get("Unattended-Upgrade::Package-Whitelist-Strict"), false);
        Self { blacklist, whitelist, strict, pins_patterns: at_least("2.0"), cut: cut || cut_too }
    }

    /// The blacklist for the report.
    pub fn patterns(&self) -> Vec<Pattern> {
        let invalid = |entry: &Entry| match &entry.compiled {
            Err(Fault::Invalid(why)) => Some(why.clone()),
            _ => None,
        };
        self.blacklist.iter().map(|entry| Pattern { text: entry.text.clone(), invalid: invalid(entry) }).collect()
    }

    /// Whether a blacklist pattern matches the name, as the updater spells it.
    pub fn blacklisted(&self, name: &str) -> Listed {
        listed(&self.blacklist, name, self.cut)
    }

    /// Whether the whitelist shuts the name out; the words say how.
    ///
    /// Up to 1.x a package that no pattern matches is not chosen. Since 2.0 the condition that was meant to do so
    /// binds only downgrades, and a whitelist that is not strict shuts nothing out (measured with 2.9.1).
    pub fn not_whitelisted(&self, name: &str) -> Listed {
        if self.whitelist.is_empty() || (self.pins_patterns && !self.strict) {
            return Listed::No;
        }
        match listed(&self.whitelist, name, self.cut) {
            Listed::By(_) => Listed::No,
            Listed::No => {
                Listed::By(if self.strict { "not on the strict whitelist" } else { "not on the whitelist" }.into())
            }
            unknown => unknown,
        }
    }

    /// Why the updater dies on these lists, given what is installed and which of it may be upgraded at all.
    pub fn fatal(&self, installed: &[&Package], eligible: impl Fn(&Package) -> bool) -> Option<String> {
        for (list, entries) in [("Package-Blacklist", &self.blacklist), ("Package-Whitelist", &self.whitelist)] {
            for entry in entries {
                // Since 2.0 a whitelist that is not strict only makes pins, and what looks like POSIX goes to apt uncompiled.
                let compiled = list == "Package-Blacklist" || self.strict || !self.pins_patterns;
                if let Err(Fault::Invalid(why)) = &entry.compiled
                    && (compiled || !pattern::is_posix(&entry.text))
                {
                    return Some(format!("`{}` in `{list}` is no valid Python regular expression: {why}", entry.text));
                }
            }
        }
        if !self.pins_patterns {
            return None;
        }
        if self.strict && self.whitelist.is_empty() {
            return Some(
                "`Package-Whitelist-Strict` is on and `Package-Whitelist` is empty: it stops at the first upgrade"
                    .to_owned(),
            );
        }
        self.case_trap(installed, eligible)
    }

    /// apt compares the pin made from a pattern without regard to case, the updater compares with; a package caught
    /// only by the first has no candidate, and the updater dies when it meets it (measured with 2.9.1).
    fn case_trap(&self, installed: &[&Package], eligible: impl Fn(&Package) -> bool) -> Option<String> {
        let traps = self
            .blacklist
            .iter()
            .filter(|entry| pattern::is_posix(&entry.text) && entry.text.bytes().any(|b| b.is_ascii_uppercase()));
        for entry in traps {
            let folded = pattern::compile(&format!("(?i){}", entry.text), Python::Since311).ok();
            let caught = installed.iter().find(|row| {
                row.native
                    && row.status.want != 'h'
                    && folded.as_ref().and_then(|matcher| matcher.matches(&row.name)) == Some(true)
                    && self.blacklisted(&row.name) == Listed::No
                    && self.not_whitelisted(&row.name) == Listed::No
                    && eligible(row)
            });
            if let Some(row) = caught {
                return Some(format!(
                    "`{}` in `Package-Blacklist` has capital letters: apt's pin made from it catches {}, the updater's own \
                     match does not, and it stops at the first upgrade of it",
                    entry.text, row.name
                ));
            }
        }
        None
    }
}

fn listed(entries: &[Entry], name: &str, cut: bool) -> Listed {
    let mut unknown = cut.then(|| "too many patterns".to_owned());
    for entry in entries {
        match &entry.compiled {
            Ok(matcher) => match matcher.matches(name) {
                Some(true) => return Listed::By(entry.text.clone()),
                Some(false) => {}
                None => unknown = Some(format!("`{}` takes too long", entry.text)),
            },
            Err(Fault::Beyond(why)) => unknown = Some(format!("`{}`: {why}", entry.text)),
            Err(Fault::Invalid(_)) => {}
        }
    }
    unknown.map_or(Listed::No, Listed::Unknown)
}
