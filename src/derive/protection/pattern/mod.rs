//! The updater's patterns: Python regular expressions, tried with `re.match`.
//!
//! They come from a host, so they are hostile input: bounded in length, compiled once, matched with a low backtrack
//! limit. What Python rejects is rejected here too, because the updater dies on it; what cannot be evaluated within
//! the limits is *unknown*, never "no match".

mod class;
mod group;
mod parse;
#[cfg(test)]
mod python;
mod width;

use fancy_regex::{Regex, RegexBuilder};

/// More characters than any list seen in the wild needs.
const MAX_LENGTH: usize = 4096;
/// Steps of backtracking after which an answer is given up.
const BACKTRACK_LIMIT: usize = 20_000;
/// Bytes of compiled program after which a pattern is given up.
const SIZE_LIMIT: usize = 1 << 20;

/// Which Python compiles the pattern: 3.11 learnt possessive repeats and atomic groups, and stopped accepting global
/// flags anywhere but at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Python {
    /// 3.10 and older.
    Before311,
    /// 3.11 and newer.
    Since311,
}

/// Why a pattern has no matcher.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// Python rejects it, in Python's words: the updater dies.
    Invalid(String),
    /// It is beyond what is evaluated here; nothing is known about it.
    Beyond(String),
}

/// A pattern ready to match names.
#[derive(Debug, Clone)]
pub struct Matcher(Regex);

impl Matcher {
    /// What `re.match(pattern, name)` answers; `None` when the engine's limit was hit.
    pub fn matches(&self, name: &str) -> Option<bool> {
        self.0.is_match(name).ok()
    }
}

/// Compiles a pattern as Python's `re` would.
pub fn compile(text: &str, python: Python) -> Result<Matcher, Fault> {
    if text.len() > MAX_LENGTH {
        return Err(Fault::Beyond(format!("longer than {MAX_LENGTH} bytes")));
    }
    let translated = parse::translate(text, python)?;
    RegexBuilder::new(&format!(r"\A(?:{translated})"))
        .backtrack_limit(BACKTRACK_LIMIT)
        .delegate_size_limit(SIZE_LIMIT)
        .build()
        .map(Matcher)
        .map_err(|error| Fault::Beyond(error.to_string().lines().last().unwrap_or_default().to_owned()))
}

/// The pattern is made only of characters that unattended-upgrades ≥ 2.0 also hands to apt as a POSIX expression,
/// which apt then compares without regard to case.
pub fn is_posix(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-^$+.:".contains(&b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, name: &str) -> bool {
        compile(pattern, Python::Since311).unwrap().matches(name).unwrap()
    }

    fn invalid(pattern: &str) -> String {
        match compile(pattern, Python::Since311) {
            Err(Fault::Invalid(why)) => why,
            other => panic!("`{pattern}`: {other:?}"),
        }
    }

    #[test]
    fn anchored_at_the_start_only_and_case_sensitive() {
        assert!(matches("nvidia-", "nvidia-driver-535"));
        assert!(!matches("nvidia-", "libnvidia-gl-535"));
        assert!(!matches("NVIDIA-", "nvidia-driver-535"));
        assert!(!matches("libnvidia-compute-535$", "libnvidia-compute-535:i386"));
        assert!(matches("", "anything"));
        assert!(matches("...", "nvidia-driver-535"));
        assert!(!matches("a|b", "nvidia"));
        assert!(matches("a|nvidia-", "nvidia-driver-535"));
    }

    #[test]
    fn globs_that_work_by_accident_and_globs_that_do_not() {
        assert!(matches("nvidia*", "nvidia-driver-535"));
        assert!(matches("linux-*", "linux-generic"));
        assert!(!matches("linux-*nvidia*", "linux-modules-nvidia-535-generic"));
        assert!(!matches("libnvidia-*-535", "libnvidia-compute-535"));
        assert_eq!(invalid("*nvidia*"), "nothing to repeat");
    }

    #[test]
    fn look_around_names_and_flags_work() {
        assert!(matches("(?!nvidia-container)nvidia-", "nvidia-driver-535"));
        assert!(!matches("(?!nvidia-container)nvidia-", "nvidia-container-toolkit"));
        assert!(matches(r"(?P<lib>lib)?nvidia-(?P<what>[a-z]+)-\d+\Z", "libnvidia-compute-535"));
        assert!(matches("(?i)NVIDIA-", "nvidia-driver-535"));
        assert!(matches(r"(?P<a>n)vidia-\w+-535(?<=535)", "nvidia-driver-535"));
    }

    #[test]
    fn what_python_rejects_is_rejected() {
        assert_eq!(invalid("nvidia-**"), "multiple repeat");
        assert_eq!(invalid("nvidia-[z-a]"), "bad character range z-a");
        assert_eq!(invalid("(nvidia-"), "missing ), unterminated subpattern");
        assert_eq!(invalid("nvidia-)"), "unbalanced parenthesis");
        assert_eq!(invalid("[nvidia"), "unterminated character set");
        assert_eq!(invalid("(?<=a+)b"), "look-behind requires fixed-width pattern");
        assert_eq!(invalid("(?<name>a)"), "unknown extension ?<n");
        assert_eq!(invalid(r"nvidia\y"), r"bad escape \y");
        assert_eq!(invalid("nvidia\\"), "bad escape (end of pattern)");
        assert_eq!(invalid("a{3,2}"), "min repeat greater than max repeat");
        assert_eq!(invalid("nvidia(?i)"), "global flags not at the start of the expression");
    }

    #[test]
    fn a_python_before_311_differs() {
        assert!(compile("nvidia(?i)", Python::Before311).is_ok());
        assert!(matches!(compile("nvidia-++", Python::Before311), Err(Fault::Invalid(_))));
        assert!(compile("nvidia-++", Python::Since311).is_ok());
    }

    #[test]
    fn a_pattern_beyond_the_limits_is_unknown_not_unmatched() {
        assert!(matches!(compile(&"a".repeat(5000), Python::Since311), Err(Fault::Beyond(_))));
        let slow = compile(r"(a|aa)+\1x", Python::Since311).unwrap();
        assert_eq!(slow.matches(&"a".repeat(60)), None);
    }
}
