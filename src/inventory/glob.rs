//! Shell globs as Python's `fnmatch` reads them: `*`, `?`, `[abc]`, `[a-c]`, `[!abc]`.

/// Whether the whole name fits.
pub(super) fn fits(pattern: &str, name: &str) -> bool {
    let pattern: Vec<Part> = parts(pattern);
    let name: Vec<char> = name.chars().collect();
    // The last `*` and what it had swallowed: the only place worth going back to, so the work stays quadratic at worst.
    let (mut at, mut seen, mut star) = (0, 0, None);
    while let Some(c) = name.get(seen) {
        match pattern.get(at) {
            Some(Part::Any) => {
                star = Some((at, seen));
                at += 1;
            }
            Some(part) if part.fits(*c) => {
                at += 1;
                seen += 1;
            }
            _ => match star {
                Some((place, swallowed)) => {
                    star = Some((place, swallowed + 1));
                    at = place + 1;
                    seen = swallowed + 1;
                }
                None => return false,
            },
        }
    }
    pattern.get(at..).unwrap_or_default().iter().all(|part| matches!(part, Part::Any))
}

enum Part {
    /// `*`
    Any,
    /// `?`
    One,
    Char(char),
    /// Ranges of characters, and whether they are the wrong ones.
    Set(Vec<(char, char)>, bool),
}

impl Part {
    fn fits(&self, c: char) -> bool {
        match self {
            Self::Any => false,
            Self::One => true,
            Self::Char(own) => *own == c,
            Self::Set(ranges, negated) => ranges.iter().any(|(from, to)| (*from..=*to).contains(&c)) != *negated,
        }
    }
}

fn parts(pattern: &str) -> Vec<Part> {
    let chars: Vec<char> = pattern.chars().collect();
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(c) = chars.get(at) {
        at += 1;
        match c {
            '*' => parts.push(Part::Any),
            '?' => parts.push(Part::One),
            '[' => match set(chars.get(at..).unwrap_or_default()) {
                Some((part, length)) => {
                    parts.push(part);
                    at += length;
                }
                None => parts.push(Part::Char('[')),
            },
            c => parts.push(Part::Char(*c)),
        }
    }
    parts
}

/// The set behind `[`, and how many characters it takes with its `]`; `None` when it is not closed.
fn set(rest: &[char]) -> Option<(Part, usize)> {
    let negated = rest.first() == Some(&'!');
    let start = usize::from(negated);
    // A `]` in the first place is a member.
    let length = rest.iter().skip(start + 1).position(|c| *c == ']')? + start + 1;
    let inside = rest.get(start..length)?;
    let mut ranges = Vec::new();
    let mut at = 0;
    while let Some(from) = inside.get(at) {
        match (inside.get(at + 1), inside.get(at + 2)) {
            (Some('-'), Some(to)) => {
                ranges.push((*from, *to));
                at += 3;
            }
            _ => {
                ranges.push((*from, *from));
                at += 1;
            }
        }
    }
    Some((Part::Set(ranges, negated), length + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fits_as_fnmatch_does() {
        let yes = [
            ("*", ""),
            ("gpu*", "gpu-1"),
            ("*-1", "gpu-1"),
            ("g?u", "gpu"),
            ("gpu[1-3]", "gpu2"),
            ("gpu[!1-3]", "gpu4"),
            ("a[]x]", "a]"),
            ("a[", "a["),
            ("*a*b*", "xaxbx"),
            ("[a-]", "-"),
            ("g*[0-9]", "gpu9"),
        ];
        let no = [
            ("gpu", "gpu1"),
            ("g?u", "gpuu"),
            ("gpu[1-3]", "gpu4"),
            ("gpu[!1-3]", "gpu2"),
            ("", "a"),
            ("*a", "ab"),
            ("[z-a]", "b"),
        ];
        for (pattern, name) in yes {
            assert!(fits(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in no {
            assert!(!fits(pattern, name), "{pattern} {name}");
        }
        assert!(!fits(&"*a".repeat(200), &"a".repeat(150)));
    }
}
