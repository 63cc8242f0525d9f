//! Host patterns: `*`, `?`, `!` and commas.

/// One part of a pattern list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pattern {
    pub negated: bool,
    pub text: String,
}

impl Pattern {
    /// The parts of a comma-separated list, in lower case.
    pub fn list(text: &str) -> Vec<Self> {
        text.split(',').filter(|part| !part.is_empty()).map(Self::one).collect()
    }

    fn one(part: &str) -> Self {
        let (negated, text) = part.strip_prefix('!').map_or((false, part), |rest| (true, rest));
        Self { negated, text: text.to_ascii_lowercase() }
    }

    /// True for a name without any special character.
    pub fn is_plain(&self) -> bool {
        !self.negated && !self.text.contains(['*', '?'])
    }
}

/// Whether a list matches a lower-case name. A negated part that matches rules the whole list out.
pub(crate) fn list_matches(list: &[Pattern], name: &str) -> bool {
    let mut found = false;
    for pattern in list {
        if glob(&pattern.text, name) {
            if pattern.negated {
                return false;
            }
            found = true;
        }
    }
    found
}

/// `*` is any run of characters, `?` any one. Linear in both lengths times the number of stars, never worse.
pub(crate) fn glob(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.as_bytes(), name.as_bytes());
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(c) if *c == b'?' || name.get(n) == Some(c) => {
                p += 1;
                n += 1;
            }
            _ => match star {
                Some((at, from)) => {
                    star = Some((at, from + 1));
                    p = at + 1;
                    n = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern.get(p..).unwrap_or_default().iter().all(|c| *c == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_and_negation() {
        for (pattern, name, expected) in [
            ("*.example.com", "gpu-1.example.com", true),
            ("*.example.com", "example.com", false),
            ("gpu-?", "gpu-1", true),
            ("gpu-?", "gpu-11", false),
            ("*", "", true),
            ("a*b*c", "a--b-b--c", true),
            ("a*b*c", "a--b-b--d", false),
            ("gpu-*,!gpu-9", "gpu-9", false),
            ("!gpu-9,gpu-*", "gpu-8", true),
            ("!gpu-9", "gpu-8", false),
            ("[10.0.0.1]:2222", "[10.0.0.1]:2222", true),
            ("GPU-1", "gpu-1", true),
        ] {
            assert_eq!(list_matches(&Pattern::list(pattern), name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn many_stars_do_not_explode() {
        let pattern = "*a".repeat(200);
        assert!(!glob(&pattern, &"a".repeat(150).replace('a', "ab")));
    }
}
