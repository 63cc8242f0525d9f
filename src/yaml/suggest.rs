//! "Did you mean".

/// The known word nearest to a mistyped one, if it is near enough to be meant.
pub fn closest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed: Vec<char> = typed.to_lowercase().chars().take(LONGEST).collect();
    let allowed = (typed.len() / 3).clamp(1, 4);
    known
        .into_iter()
        .map(|word| (distance(&typed, &word.to_lowercase().chars().take(LONGEST).collect::<Vec<_>>()), word))
        .filter(|(steps, _)| *steps <= allowed)
        .min()
        .map(|(_, word)| word)
}

/// Longer words are compared by their beginning: the work stays bounded whatever a file holds.
const LONGEST: usize = 64;

/// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = Vec::with_capacity(b.len() + 1);
        row.push(i + 1);
        for (j, y) in b.iter().enumerate() {
            let at = |row: &[usize], index: usize| row.get(index).copied().unwrap_or(usize::MAX / 2);
            let mut best = (at(&last, j) + usize::from(x != y)).min(at(&last, j + 1) + 1).min(at(&row, j) + 1);
            let swapped = i > 0 && j > 0 && a.get(i - 1) == Some(y) && b.get(j - 1) == Some(x);
            if swapped {
                best = best.min(at(&before, j - 1) + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_meant_far_ones_are_not() {
        let known = ["gpusweep_skip", "gpusweep_expect_driver", "gpusweep_kube_node"];
        assert_eq!(closest("gpusweep_expected_driver", known), Some("gpusweep_expect_driver"));
        assert_eq!(closest("gpusweep_sikp", known), Some("gpusweep_skip"));
        assert_eq!(closest("gpusweep_colour_of_rack", known), None);
        assert_eq!(closest("hsots", ["hosts", "vars"]), Some("hosts"));
        assert_eq!(closest("", ["hosts"]), None);
    }
}
