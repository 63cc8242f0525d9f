//! Which hosts a pattern and a limit choose.

use std::collections::HashSet;

use super::graph::{ALL, UNGROUPED};
use super::pattern::{Pattern, Sign, Slice};
use super::store::Inventory;
use super::target::Target;
use super::{files, glob, pattern};
use crate::yaml::{Diagnostic, Mark, Source, Spot, closest};

/// Most errors that are told at once.
const MOST_ERRORS: usize = 20;

impl Inventory {
    /// The hosts that the patterns name, less those that the limit leaves out, with every setting resolved. No pattern means
    /// all hosts. Patterns and limit are Ansible's; `@FILE` takes one pattern from each line of a file. The order is that of
    /// the patterns, and inside a group that of the inventory.
    ///
    /// # Errors
    /// A pattern that matches nothing, a selection without hosts, and every setting of a selected host that cannot be used
    /// (each told once, however many hosts share it).
    pub fn select(&self, patterns: &[String], limit: Option<&str>) -> Result<Vec<Target>, Vec<Diagnostic>> {
        let hosts = self.choose(patterns, limit).map_err(|told| vec![told])?;
        let mut targets = Vec::with_capacity(hosts.len());
        let mut faults: Vec<(Diagnostic, String, usize)> = Vec::new();
        for index in hosts {
            match self.target(index) {
                Some(Ok(target)) => targets.push(target),
                Some(Err(told)) => {
                    if let Some((_, _, more)) = faults.iter_mut().find(|(known, _, _)| *known == told) {
                        *more += 1;
                    } else if faults.len() < MOST_ERRORS {
                        let name = self.graph.hosts.get(index).map(|host| host.name.clone()).unwrap_or_default();
                        faults.push((told, name, 0));
                    }
                }
                None => {}
            }
        }
        if faults.is_empty() {
            return Ok(targets);
        }
        let name = |(told, host, more): (Diagnostic, String, usize)| {
            let others = match more {
                0 => String::new(),
                1 => " and 1 other host".to_owned(),
                more => format!(" and {more} other hosts"),
            };
            Diagnostic { message: format!("host `{host}`{others}: {}", told.message), ..told }
        };
        Err(faults.into_iter().map(name).collect())
    }

    /// The chosen hosts' indices.
    fn choose(&self, patterns: &[String], limit: Option<&str>) -> Result<Vec<usize>, Diagnostic> {
        const HINT: &str = "`gpusweep hosts` lists what the inventory has";
        if self.is_empty() {
            let told = Diagnostic::about(self.sources().join(", "), "the inventory names no hosts");
            return Err(told.hint("put names under `hosts:`"));
        }
        let mut terms = Vec::new();
        for typed in patterns {
            terms.extend(expand("pattern", typed)?);
        }
        let first = terms.first().map(|term| term.spot.clone());
        let mut hosts = self.evaluate(terms)?;
        if hosts.is_empty() {
            let told = format!("`{}` leaves no host", patterns.join(","));
            let told = first.map_or_else(|| Diagnostic::about("", &told), |spot| spot.error(&told));
            return Err(told.hint(HINT));
        }
        let Some(limit) = limit else { return Ok(hosts) };
        let terms = expand("--limit", limit)?;
        let first = terms.first().map(|term| term.spot.clone()).unwrap_or_default();
        let kept: HashSet<usize> = self.evaluate(terms)?.into_iter().collect();
        hosts.retain(|host| kept.contains(host));
        if hosts.is_empty() {
            let of = if patterns.is_empty() { "all hosts".to_owned() } else { format!("`{}`", patterns.join(",")) };
            return Err(first.error(format!("the limit `{limit}` leaves no host of {of}")).hint(HINT));
        }
        Ok(hosts)
    }

    /// Plain terms first, then `&`, then `!`, as Ansible does; without a plain term `all` is meant.
    fn evaluate(&self, mut terms: Vec<Pattern>) -> Result<Vec<usize>, Diagnostic> {
        terms.sort_by_key(|term| term.sign);
        let mut hosts: Vec<usize> = Vec::new();
        let mut seen: HashSet<usize> = HashSet::new();
        if terms.first().is_none_or(|term| term.sign != Sign::Plain) {
            hosts = self.graph.hosts_of(ALL);
            seen.extend(&hosts);
        }
        for term in &terms {
            let found = match self.graph.find_host(&term.text) {
                Some(host) if term.sign == Sign::Plain => vec![host],
                _ => self.matching(term)?,
            };
            match term.sign {
                Sign::Plain => hosts.extend(found.into_iter().filter(|host| seen.insert(*host))),
                Sign::And => {
                    let found: HashSet<usize> = found.into_iter().collect();
                    hosts.retain(|host| found.contains(host));
                }
                Sign::Not => {
                    let found: HashSet<usize> = found.into_iter().collect();
                    hosts.retain(|host| !found.contains(host));
                }
            }
        }
        Ok(hosts)
    }

    /// The hosts of one term.
    fn matching(&self, term: &Pattern) -> Result<Vec<usize>, Diagnostic> {
        let (name, slice) = term.parts()?;
        let matcher = Matcher::new(name).map_err(|why| {
            term.error(format!("`{name}` is no regular expression: {why}"))
                .hint("behind `~` stands a regular expression")
        })?;
        let groups: Vec<usize> = match matcher {
            Matcher::Word(word) => self.graph.find_group(word).into_iter().collect(),
            _ => indices(self.graph.groups.iter().map(|group| group.name.as_str()), &matcher),
        };
        let mut found: Vec<usize> = groups.iter().flat_map(|group| self.graph.hosts_of(*group)).collect();
        let mut known = !groups.is_empty();
        if groups.is_empty() || !matches!(matcher, Matcher::Word(_)) || name.contains('.') {
            let hosts = match matcher {
                Matcher::Word(word) => self.graph.find_host(word).into_iter().collect(),
                _ => indices(self.graph.hosts.iter().map(|host| host.name.as_str()), &matcher),
            };
            known = known || !hosts.is_empty();
            found.extend(hosts);
        }
        let mut seen = HashSet::new();
        found.retain(|host| seen.insert(*host));
        if !known {
            return Err(self.nothing(term, name));
        }
        match slice {
            Some(slice) => cut(&found, slice).ok_or_else(|| {
                let told = term.error(format!("`{}` reaches past the {} hosts of `{name}`", term.text, found.len()));
                told.hint("the first host has number 0, the last -1")
            }),
            None => Ok(found),
        }
    }

    fn nothing(&self, term: &Pattern, name: &str) -> Diagnostic {
        let told = term.error(format!("the pattern `{}` matches no host and no group", term.text));
        let groups = self
            .graph
            .groups
            .iter()
            .enumerate()
            .filter(|(index, _)| *index != UNGROUPED)
            .map(|(_, group)| group.name.as_str());
        let known = groups.chain(self.graph.hosts.iter().map(|host| host.name.as_str()).take(10_000));
        if matches!(name, "localhost" | "127.0.0.1" | "::1") {
            return told.hint("for this machine itself use `gpusweep audit --local`");
        }
        if let (Some(inside), true) = (term.text.strip_prefix(name), term.text.len() > name.len()) {
            return told.hint(format!(
                "`{inside}` at the end takes one host of a group; for one of several characters write `{name}{inside}*` or `~{name}{inside}`"
            ));
        }
        match closest(name, known) {
            Some(near) => told.hint(format!("did you mean `{near}`?")),
            None if name.contains(':') => told.hint("separate several patterns with commas"),
            None => told.hint("`gpusweep hosts` lists what the inventory has"),
        }
    }
}

/// The terms of what was typed, `@FILE` read. `flag` is what errors call it.
fn expand(flag: &str, typed: &str) -> Result<Vec<Pattern>, Diagnostic> {
    let Some(path) = typed.strip_prefix('@') else {
        let source = Source::new(flag, typed.as_bytes())?;
        return pattern::split(typed, &Spot { source, at: Mark { line: 1, column: 1 } });
    };
    let mut terms = Vec::new();
    for (line, spot) in files::pattern_lines(path)? {
        terms.extend(pattern::split(&line, &spot)?);
    }
    if terms.is_empty() {
        return Err(
            Diagnostic::about(path, "the file names no pattern").hint("write one host, group or pattern a line")
        );
    }
    Ok(terms)
}

enum Matcher<'p> {
    Word(&'p str),
    Glob(&'p str),
    Regex(Box<fancy_regex::Regex>),
}

impl<'p> Matcher<'p> {
    fn new(text: &'p str) -> Result<Self, String> {
        if let Some(regex) = text.strip_prefix('~') {
            // Python's `re.match` is anchored at the start only.
            let built = fancy_regex::RegexBuilder::new(&format!("^(?:{regex})")).backtrack_limit(10_000).build();
            return built.map(|regex| Self::Regex(Box::new(regex))).map_err(|error| error.to_string());
        }
        Ok(if text.contains(['*', '?', '[']) { Self::Glob(text) } else { Self::Word(text) })
    }

    fn fits(&self, name: &str) -> bool {
        match self {
            Self::Word(word) => *word == name,
            Self::Glob(pattern) => glob::fits(pattern, name),
            Self::Regex(regex) => regex.is_match(name).unwrap_or(false),
        }
    }
}

fn indices<'n>(names: impl Iterator<Item = &'n str>, matcher: &Matcher<'_>) -> Vec<usize> {
    names.enumerate().filter(|(_, name)| matcher.fits(name)).map(|(index, _)| index).collect()
}

fn cut(hosts: &[usize], slice: Slice) -> Option<Vec<usize>> {
    match slice {
        Slice::One(number) => {
            let index = match usize::try_from(number) {
                Ok(index) => index,
                Err(_) => hosts.len().checked_sub(usize::try_from(number.unsigned_abs()).ok()?)?,
            };
            Some(vec![*hosts.get(index)?])
        }
        Slice::Span(from, to) => {
            let end = to.map_or(hosts.len(), |to| to.saturating_add(1).min(hosts.len()));
            hosts.get(from..end).filter(|part| !part.is_empty()).map(<[usize]>::to_vec)
        }
    }
}
