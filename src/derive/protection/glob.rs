//! Shell globs as `fnmatch` reads them: `*`, `?`, `[seq]`, `[!seq]`.

/// Whether a glob matches the whole text; with `fold` the case of letters does not matter.
pub fn matches(glob: &str, text: &str, fold: bool) -> bool {
    let prepare =
        |s: &str| -> Vec<char> { if fold { s.to_lowercase().chars().collect() } else { s.chars().collect() } };
    let (glob, text) = (prepare(glob), prepare(text));
    let (mut g, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() || g < glob.len() {
        let step = match glob.get(g) {
            Some('*') => {
                star = Some((g, t));
                g += 1;
                continue;
            }
            Some(_) => text.get(t).and_then(|c| one(&glob, g, *c)),
            None => None,
        };
        match (step, star) {
            (Some(next), _) => {
                g = next;
                t += 1;
            }
            (None, Some((at, from))) if from < text.len() => {
                star = Some((at, from + 1));
                g = at + 1;
                t = from + 1;
            }
            _ => return false,
        }
    }
    true
}

/// Has any of the characters that make a glob.
pub fn is_glob(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

/// Matches one character at a glob position; the position after it.
fn one(glob: &[char], at: usize, c: char) -> Option<usize> {
    match glob.get(at)? {
        '?' => Some(at + 1),
        '[' => match set(glob, at, c) {
            Some((true, next)) => Some(next),
            Some((false, _)) => None,
            None => (c == '[').then_some(at + 1),
        },
        literal => (*literal == c).then_some(at + 1),
    }
}

/// A bracket's answer and the position behind it; `None` when it is never closed and so is only a character.
fn set(glob: &[char], at: usize, c: char) -> Option<(bool, usize)> {
    let mut i = at + 1;
    let negated = matches!(glob.get(i), Some('!' | '^'));
    if negated {
        i += 1;
    }
    let start = i;
    let mut found = false;
    loop {
        let low = *glob.get(i)?;
        if low == ']' && i > start {
            return Some((found != negated, i + 1));
        }
        match (glob.get(i + 1), glob.get(i + 2)) {
            (Some('-'), Some(high)) if *high != ']' => {
                found |= low <= c && c <= *high;
                i += 3;
            }
            _ => {
                found |= low == c;
                i += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn globs_as_fnmatch() {
        assert!(matches("535.183.01-*", "535.183.01-0ubuntu0.22.04.1", false));
        assert!(!matches("535.183.01-*", "535.183.02-0ubuntu1", false));
        assert!(matches("*nvidia*", "libnvidia-gl-535", false));
        assert!(matches("*", "", false) && matches("", "", false) && !matches("", "x", false));
        assert!(matches("Ubuntu*", "UbuntuESM", false) && !matches("ubuntu*", "UbuntuESM", false));
        assert!(matches("ubuntu*", "UbuntuESM", true));
        assert!(matches("a?c[0-9][!x]", "abc5y", false) && !matches("a?c[0-9][!x]", "abc5x", false));
        assert!(matches("[", "[", false) && matches("*a*b*c*", "xxaxxbxxcxx", false));
    }
}
