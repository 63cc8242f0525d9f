//! Host patterns as Ansible's: `a:b`, `a,b`, `&x`, `!x`, globs, `~regex`, `group[0:3]`.

use super::address;
use crate::yaml::{Diagnostic, Mark, Spot};

/// One term of a pattern, and where it was written: on the command line or in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// The term without its sign.
    pub text: String,
    /// How it combines with the others.
    pub sign: Sign,
    /// The place in the flag or in the `@file`.
    pub(super) spot: Spot,
}

/// How a term combines with the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sign {
    /// Adds hosts.
    Plain,
    /// `&`: keeps only these.
    And,
    /// `!`: takes these away.
    Not,
}

/// The part of a group's hosts that `[...]` behind a name takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slice {
    /// One host, from the end if negative.
    One(i64),
    /// From and to, both included; no end means up to the last.
    Span(usize, Option<usize>),
}

impl Pattern {
    /// The error for this term.
    pub(super) fn error(&self, message: impl Into<String>) -> Diagnostic {
        self.spot.error(message)
    }

    /// The name and the slice behind it.
    pub(super) fn parts(&self) -> Result<(&str, Option<Slice>), Diagnostic> {
        let text = self.text.as_str();
        let open = text.strip_suffix(']').and_then(|_| text.rfind('['));
        let Some((name, inside)) = open.and_then(|at| text.split_at_checked(at)).filter(|_| !text.starts_with('~'))
        else {
            return Ok((text, None));
        };
        let inside = inside.trim_matches(['[', ']']);
        let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty() && text.len() <= 9;
        let parse = |text: &str| text.parse::<usize>().unwrap_or(usize::MAX);
        if name.is_empty() {
            return Ok((text, None));
        }
        if number(inside.strip_prefix('-').unwrap_or(inside)) {
            return Ok((name, Some(Slice::One(inside.parse().unwrap_or(i64::MAX)))));
        }
        let Some((from, to)) = inside.split_once([':', '-']) else { return Ok((text, None)) };
        if !number(from) || !(to.is_empty() || number(to)) {
            return Ok((text, None));
        }
        let end = (!to.is_empty()).then(|| parse(to));
        if end.is_some_and(|end| end < parse(from)) {
            let told = self.error(format!("`[{inside}]` in `{text}` counts down"));
            return Err(told.hint("the first host has number 0, and both ends are included"));
        }
        Ok((name, Some(Slice::Span(parse(from), end))))
    }
}

/// Splits what was typed into its terms. `spot` is the place of its first character.
///
/// # Errors
/// No term at all, or a term that is only a sign.
pub(super) fn split(typed: &str, spot: &Spot) -> Result<Vec<Pattern>, Diagnostic> {
    let terms = match typed.contains(',') {
        true => cut(typed, |c| c == ','),
        false if is_one(typed.trim()) => vec![(0, typed)],
        false => by_colons(typed),
    };
    let mut patterns = Vec::new();
    for (start, whole) in terms {
        let term = whole.trim();
        if term.is_empty() {
            continue;
        }
        let blanks = whole.len() - whole.trim_start().len();
        let before = typed.get(..start + blanks).unwrap_or_default().chars().count();
        let at = Mark { column: spot.at.column + before, ..spot.at };
        let (sign, text) = match (term.strip_prefix('&'), term.strip_prefix('!')) {
            (Some(text), _) => (Sign::And, text),
            (_, Some(text)) => (Sign::Not, text),
            _ => (Sign::Plain, term),
        };
        let pattern = Pattern { text: text.trim().to_owned(), sign, spot: Spot { at, ..spot.clone() } };
        if pattern.text.is_empty() || pattern.text == "~" {
            let told = pattern.error(format!("nothing behind `{term}`"));
            return Err(told.hint("name a host, a group or a pattern behind it"));
        }
        patterns.push(pattern);
    }
    if patterns.is_empty() {
        return Err(spot.error("the pattern is empty").hint("leave it out, or write `all`, for all hosts"));
    }
    Ok(patterns)
}

/// Whether the whole is one host: an IPv6 address, or a host with a port.
fn is_one(typed: &str) -> bool {
    let bare = typed.strip_prefix(['&', '!']).unwrap_or(typed);
    address::split_port(bare).is_some() || address::is_ipv6(bare)
}

/// Terms between colons and spaces that do not stand in brackets, each with where it begins.
fn by_colons(typed: &str) -> Vec<(usize, &str)> {
    let mut depth = 0usize;
    cut(typed, move |c| {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && (c == ':' || c.is_whitespace())
    })
}

fn cut(typed: &str, mut ends: impl FnMut(char) -> bool) -> Vec<(usize, &str)> {
    let mut terms = Vec::new();
    let mut start = 0;
    for (at, c) in typed.char_indices() {
        if ends(c) {
            terms.extend(typed.get(start..at).map(|term| (start, term)));
            start = at + c.len_utf8();
        }
    }
    terms.extend(typed.get(start..).map(|term| (start, term)));
    terms
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(typed: &str) -> Vec<(Sign, String)> {
        split(typed, &Spot::default()).unwrap().into_iter().map(|term| (term.sign, term.text)).collect()
    }

    fn plain(texts: &[&str]) -> Vec<(Sign, String)> {
        texts.iter().map(|text| (Sign::Plain, (*text).to_owned())).collect()
    }

    #[test]
    fn unions_signs_and_what_is_not_split() {
        assert_eq!(terms("a:b"), plain(&["a", "b"]));
        assert_eq!(terms("a,b , c"), plain(&["a", "b", "c"]));
        assert_eq!(terms("gpu[0:3]:web"), plain(&["gpu[0:3]", "web"]));
        assert_eq!(terms("fd00::1"), plain(&["fd00::1"]));
        assert_eq!(terms("fd00::1,fd00::2"), plain(&["fd00::1", "fd00::2"]));
        assert_eq!(terms("!fd00::1"), [(Sign::Not, "fd00::1".to_owned())]);
        assert_eq!(terms("a:&b:!c"), [(Sign::Plain, "a".into()), (Sign::And, "b".into()), (Sign::Not, "c".into())]);
        assert_eq!(terms("~gpu(1|2)$"), plain(&["~gpu(1|2)$"]));
        assert_eq!(terms("a b"), plain(&["a", "b"]));
        assert!(split(" , ", &Spot::default()).is_err());
        assert!(split("a:!", &Spot::default()).is_err());
        assert!(split("&", &Spot::default()).is_err());
    }

    #[test]
    fn slices() {
        let parts = |text: &str| {
            let term = split(text, &Spot::default()).unwrap().remove(0);
            term.parts().map(|(name, slice)| (name.to_owned(), slice))
        };
        assert_eq!(parts("g[0]"), Ok(("g".into(), Some(Slice::One(0)))));
        assert_eq!(parts("g[-1]"), Ok(("g".into(), Some(Slice::One(-1)))));
        assert_eq!(parts("g[0:3]"), Ok(("g".into(), Some(Slice::Span(0, Some(3))))));
        assert_eq!(parts("g[1:]"), Ok(("g".into(), Some(Slice::Span(1, None)))));
        assert_eq!(parts("gpu[12]*"), Ok(("gpu[12]*".into(), None)));
        assert_eq!(parts("gpu[a-c]"), Ok(("gpu[a-c]".into(), None)));
        assert_eq!(parts("~gpu[0]"), Ok(("~gpu[0]".into(), None)));
        assert!(parts("g[3:1]").is_err());
    }
}
