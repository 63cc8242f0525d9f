//! `gpu[01:50]`, `rack[a:f]`, `n[0:10:2]`: one line of an inventory, many hosts.

/// What is wrong with a host pattern, and how many characters into it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub hint: String,
    /// Characters before the faulty part.
    pub offset: usize,
}

/// Every name a pattern stands for, in order; the first range counts slowest. At most `limit` of them.
///
/// # Errors
/// A range that is malformed, counts down, mixes widths, or all ranges together make more than `limit` names.
pub(super) fn expand(pattern: &str, limit: usize) -> Result<Vec<String>, Fault> {
    let (pieces, total) = parse(pattern)?;
    if total > limit as u128 {
        return Err(Fault {
            message: format!(
                "`{pattern}` stands for {total} hosts, more than the {limit} that one inventory may still name"
            ),
            hint: "check the range; a fleet this size belongs into several inventories".into(),
            offset: pattern.chars().take_while(|c| *c != '[').count(),
        });
    }
    let mut names = vec![String::new()];
    for piece in &pieces {
        match piece {
            Piece::Text(text) => names.iter_mut().for_each(|name| name.push_str(text)),
            Piece::Range(range) => {
                names = names.iter().flat_map(|name| range.words().map(move |word| format!("{name}{word}"))).collect();
            }
        }
    }
    Ok(names)
}

enum Piece<'p> {
    Text(&'p str),
    Range(Range),
}

/// Numbers or letters from `first` to `last`, both included.
struct Range {
    first: u64,
    last: u64,
    step: u64,
    /// Zero-padded to this many digits.
    width: usize,
    letters: bool,
}

/// `a` to `z`, then `A` to `Z`, as Ansible counts letters.
const LETTERS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

impl Range {
    fn count(&self) -> u64 {
        (self.last - self.first) / self.step + 1
    }

    fn words(&self) -> impl Iterator<Item = String> + '_ {
        (0..self.count()).map(|index| {
            let value = self.first + index * self.step;
            if self.letters {
                let letter = usize::try_from(value).ok().and_then(|at| LETTERS.chars().nth(at));
                letter.map(String::from).unwrap_or_default()
            } else {
                format!("{value:0width$}", width = self.width)
            }
        })
    }
}

fn parse(pattern: &str) -> Result<(Vec<Piece<'_>>, u128), Fault> {
    let mut pieces = Vec::new();
    let mut total: u128 = 1;
    let mut rest = pattern;
    let offset_of = |rest: &str| pattern.chars().count() - rest.chars().count();
    loop {
        let Some((before, inside)) = rest.split_once('[') else {
            if let Some((before, _)) = rest.split_once(']') {
                return Err(fault(offset_of(rest) + before.chars().count(), "`]` without `[` before it"));
            }
            pieces.push(Piece::Text(rest));
            return Ok((pieces, total));
        };
        let offset = offset_of(rest) + before.chars().count();
        let Some((text, after)) = inside.split_once(']') else {
            return Err(fault(offset, "`[` without `]` behind it"));
        };
        let range = range(text).map_err(|message| fault(offset, message))?;
        total = total.saturating_mul(u128::from(range.count()));
        pieces.push(Piece::Text(before));
        pieces.push(Piece::Range(range));
        rest = after;
    }
}

fn fault(offset: usize, message: impl Into<String>) -> Fault {
    Fault {
        message: message.into(),
        hint: "a range is `[first:last]` or `[first:last:step]`, as in `gpu[01:50]` or `rack[a:f]`".into(),
        offset,
    }
}

fn range(text: &str) -> Result<Range, String> {
    let parts: Vec<&str> = text.split(':').collect();
    let (first, last, step) = match parts.as_slice() {
        [first, last] => (*first, *last, "1"),
        [first, last, step] => (*first, *last, *step),
        _ => return Err(format!("`[{text}]` is no range")),
    };
    let number = |text: &str| -> Option<u64> {
        (!text.is_empty() && text.len() <= 18 && text.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| text.parse().ok())?
    };
    let step = number(step)
        .filter(|step| *step > 0)
        .ok_or_else(|| format!("the step of `[{text}]` is no number above zero"))?;
    if last.is_empty() {
        return Err(format!("`[{text}]` has no end"));
    }
    let range = match (letter(first), letter(last)) {
        (Some(first), Some(last)) => Range { first, last, step, width: 0, letters: true },
        _ => {
            let first = if first.is_empty() { "0" } else { first };
            let (Some(from), Some(to)) = (number(first), number(last)) else {
                return Err(format!("`[{text}]` runs neither over numbers nor over letters"));
            };
            let padded = first.len() > 1 && first.starts_with('0');
            if padded && first.len() != last.len() {
                return Err(format!("`[{text}]` begins with {} digits and ends with {}", first.len(), last.len()));
            }
            Range { first: from, last: to, step, width: if padded { first.len() } else { 0 }, letters: false }
        }
    };
    if range.first > range.last {
        return Err(format!("`[{text}]` counts down"));
    }
    Ok(range)
}

fn letter(text: &str) -> Option<u64> {
    let mut chars = text.chars();
    let only = chars.next().filter(|_| chars.next().is_none())?;
    LETTERS.chars().position(|letter| letter == only).map(|at| at as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn names(pattern: &str) -> Vec<String> {
        expand(pattern, 1_000_000).unwrap()
    }

    fn message(pattern: &str) -> (usize, String) {
        let fault = expand(pattern, 1_000_000).unwrap_err();
        (fault.offset, fault.message)
    }

    #[test]
    fn numbers_letters_steps_and_padding() {
        assert_eq!(names("gpu"), ["gpu"]);
        assert_eq!(names("gpu[1:3]"), ["gpu1", "gpu2", "gpu3"]);
        assert_eq!(names("gpu[08:11].lab"), ["gpu08.lab", "gpu09.lab", "gpu10.lab", "gpu11.lab"]);
        assert_eq!(names("gpu[001:100:50]"), ["gpu001", "gpu051"]);
        assert_eq!(names("[0:10:5]x"), ["0x", "5x", "10x"]);
        assert_eq!(names("r[a:c]"), ["ra", "rb", "rc"]);
        assert_eq!(names("r[y:B]"), ["ry", "rz", "rA", "rB"]);
        assert_eq!(names("r[a:b]n[1:2]"), ["ran1", "ran2", "rbn1", "rbn2"]);
        assert_eq!(names("g[:2]"), ["g0", "g1", "g2"]);
        assert_eq!(names("g[5:5]"), ["g5"]);
        assert_eq!(names("g[0:9]")[9], "g9");
        assert_eq!(names("gpu[1:100000]").len(), 100_000);
    }

    #[test]
    fn faults_name_the_place() {
        assert_eq!(message("gpu[5:1]"), (3, "`[5:1]` counts down".into()));
        assert_eq!(message("a[1:2]b[c:a]"), (7, "`[c:a]` counts down".into()));
        assert_eq!(message("gpu[01:100]"), (3, "`[01:100]` begins with 2 digits and ends with 3".into()));
        assert_eq!(message("gpu[1:]").1, "`[1:]` has no end");
        assert_eq!(message("gpu[1]").1, "`[1]` is no range");
        assert_eq!(message("gpu[1:2:3:4]").1, "`[1:2:3:4]` is no range");
        assert_eq!(message("gpu[1:2:0]").1, "the step of `[1:2:0]` is no number above zero");
        assert_eq!(message("gpu[1:x]").1, "`[1:x]` runs neither over numbers nor over letters");
        assert_eq!(message("gpu[1:2").1, "`[` without `]` behind it");
        assert_eq!(message("gpu1:2]").1, "`]` without `[` before it");
        assert_eq!(message("gpu[-1:2]").1, "`[-1:2]` runs neither over numbers nor over letters");
    }

    #[test]
    fn a_range_too_long_is_refused_before_it_is_built() {
        let (offset, text) = message("gpu[0:999999999]");
        assert_eq!(offset, 3);
        assert!(text.contains("1000000000 hosts"), "{text}");
        assert!(message("a[0:999999999999999999]b[0:999999999999999999]").1.contains("hosts, more than"));
    }

    proptest! {
        #[test]
        fn never_panics(pattern in "[a-c0-9\\[\\]:é-]{0,24}") {
            let _ = expand(&pattern, 1000);
        }

        #[test]
        fn counts_and_pads(first in 0u32..500, more in 0u32..500, width in 1usize..5) {
            let last = first + more;
            let (from, to) = (format!("{first:0width$}"), format!("{last:0width$}"));
            prop_assume!(from.len() == to.len());
            let names = names(&format!("g[{from}:{to}]"));
            prop_assert_eq!(names.len(), more as usize + 1);
            prop_assert_eq!(&names[0], &format!("g{from}"));
            prop_assert_eq!(names.last().unwrap(), &format!("g{to}"));
        }
    }
}
