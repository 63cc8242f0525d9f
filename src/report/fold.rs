//! Host names folded to node sets and back: `gpu[01-48]`, `rack[1-2]-gpu[1,3-4]-ib`.
//!
//! The notation is that of ClusterShell's node sets: zero padding is kept, several numbers in a name fold
//! independently, and each bracket is a list of numbers and ranges.

use std::collections::{BTreeMap, BTreeSet};

/// Folds names; the result lists them in natural order, separated by commas.
pub fn fold<S: AsRef<str>>(names: &[S]) -> String {
    fold_list(names).join(",")
}

/// Folds names into one item per set.
pub fn fold_list<S: AsRef<str>>(names: &[S]) -> Vec<String> {
    let mut shapes: BTreeMap<Vec<String>, BTreeSet<Vec<String>>> = BTreeMap::new();
    for name in names {
        let (texts, numbers) = split(name.as_ref());
        shapes.entry(texts).or_default().insert(numbers);
    }
    shapes
        .iter()
        .flat_map(|(texts, rows)| boxes(rows).into_iter().map(|set| render(texts, &set)).collect::<Vec<_>>())
        .collect()
}

/// The names of a folded text; `None` when it is not well formed or stands for more than `limit` names.
pub fn expand(text: &str, limit: usize) -> Option<Vec<String>> {
    let mut names = Vec::new();
    for item in top_level(text) {
        names.extend(expand_item(item, limit)?);
        if names.len() > limit {
            return None;
        }
    }
    Some(names)
}

/// A name as texts and the numbers between them; there is always one text more than numbers.
///
/// A name that holds the notation's own characters is one text, so that it stays as it is.
fn split(name: &str) -> (Vec<String>, Vec<String>) {
    if name.contains(['[', ']', ',']) {
        return (vec![name.to_owned()], Vec::new());
    }
    let (mut texts, mut numbers) = (vec![String::new()], Vec::new());
    let mut number = String::new();
    for c in name.chars() {
        // Longer runs of digits are identifiers, not numbers that anybody counts up.
        if c.is_ascii_digit() && number.len() < 9 {
            number.push(c);
            continue;
        }
        if !number.is_empty() {
            numbers.push(std::mem::take(&mut number));
            texts.push(String::new());
        }
        if let Some(text) = texts.last_mut() {
            text.push(c);
        }
    }
    if !number.is_empty() {
        numbers.push(number);
        texts.push(String::new());
    }
    (texts, numbers)
}

/// Joins rows of numbers into boxes: per place a set, standing for every combination. Exact: no row is invented.
fn boxes(rows: &BTreeSet<Vec<String>>) -> Vec<Vec<Vec<String>>> {
    let places = rows.first().map_or(0, Vec::len);
    let mut sets: Vec<Vec<Vec<String>>> =
        rows.iter().map(|row| row.iter().map(|number| vec![number.clone()]).collect()).collect();
    for place in (0..places).rev() {
        let mut merged: BTreeMap<Vec<Vec<String>>, Vec<String>> = BTreeMap::new();
        for mut set in sets {
            let here = set.get_mut(place).map(std::mem::take).unwrap_or_default();
            merged.entry(set).or_default().extend(here);
        }
        sets = merged
            .into_iter()
            .map(|(mut set, mut here)| {
                here.sort_by_key(|number| order(number));
                here.dedup();
                if let Some(slot) = set.get_mut(place) {
                    *slot = here;
                }
                set
            })
            .collect();
    }
    sets.sort_by_key(|set| set.iter().filter_map(|numbers| numbers.first()).map(|n| order(n)).collect::<Vec<_>>());
    sets
}

fn order(number: &str) -> (u64, usize) {
    (number.parse().unwrap_or(u64::MAX), number.len())
}

fn render(texts: &[String], set: &[Vec<String>]) -> String {
    let mut out = String::new();
    for (i, text) in texts.iter().enumerate() {
        out.push_str(text);
        match set.get(i).map(Vec::as_slice) {
            None => {}
            Some([one]) => out.push_str(one),
            Some(many) => {
                out.push('[');
                out.push_str(&ranges(many).join(","));
                out.push(']');
            }
        }
    }
    out
}

/// Sorted numbers as ranges. Padded and unpadded ones never share a range: `1` and `01` are two hosts.
fn ranges(numbers: &[String]) -> Vec<String> {
    let pads: BTreeSet<usize> = numbers.iter().filter(|n| n.len() > 1 && n.starts_with('0')).map(String::len).collect();
    let class = |number: &String| pads.iter().rev().find(|pad| **pad <= number.len()).copied().unwrap_or(0);
    let mut runs: Vec<(usize, &String, &String)> = Vec::new();
    for number in numbers {
        let class = class(number);
        let next = runs.iter_mut().rev().find(|(of, _, _)| *of == class).filter(|(_, first, last)| {
            let after = last.parse::<u64>().ok().and_then(|value| value.checked_add(1));
            after.is_some_and(|value| format!("{value:0width$}", width = first.len()) == *number)
        });
        match next {
            Some((_, _, last)) => *last = number,
            None => runs.push((class, number, number)),
        }
    }
    runs.iter()
        .map(|(_, first, last)| if first == last { (*first).clone() } else { format!("{first}-{last}") })
        .collect()
}

/// The items between commas outside brackets.
fn top_level(text: &str) -> Vec<&str> {
    let (mut items, mut start, mut depth) = (Vec::new(), 0, 0usize);
    for (at, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                items.extend(text.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    items.extend(text.get(start..).filter(|rest| !rest.is_empty()));
    items
}

fn expand_item(item: &str, limit: usize) -> Option<Vec<String>> {
    let mut names = vec![String::new()];
    let mut rest = item;
    while let Some((text, tail)) = rest.split_once('[') {
        let (list, tail) = tail.split_once(']')?;
        rest = tail;
        let numbers = numbers(list, limit)?;
        if names.len().checked_mul(numbers.len())? > limit {
            return None;
        }
        names =
            names.iter().flat_map(|name| numbers.iter().map(move |number| format!("{name}{text}{number}"))).collect();
    }
    Some(names.into_iter().map(|name| name + rest).collect())
}

fn numbers(list: &str, limit: usize) -> Option<Vec<String>> {
    let mut out = Vec::new();
    for part in list.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (from, to): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
        if from > to || usize::try_from(to - from).ok()? >= limit {
            return None;
        }
        out.extend((from..=to).map(|value| format!("{value:0width$}", width = first.len())));
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ranges_padding_and_suffixes() {
        let names: Vec<String> = (1..=48).map(|n| format!("gpu{n:02}")).collect();
        assert_eq!(fold(&names), "gpu[01-48]");
        assert_eq!(fold(&["gpu1", "gpu3", "gpu2", "gpu7"]), "gpu[1-3,7]");
        assert_eq!(fold(&["n8-ib", "n9-ib", "n10-ib"]), "n[8-10]-ib");
        assert_eq!(fold(&["gpu98", "gpu099", "gpu100"]), "gpu[98,099-100]");
        assert_eq!(fold(&["gpu1", "gpu01", "gpu2", "gpu02"]), "gpu[1,01,2,02]".replace("1,01,2,02", "1-2,01-02"));
    }

    #[test]
    fn several_numbers_fold_only_where_every_combination_exists() {
        assert_eq!(fold(&["r1-g1", "r1-g2", "r2-g1", "r2-g2"]), "r[1-2]-g[1-2]");
        assert_eq!(fold(&["r1-g1", "r1-g2", "r2-g1"]), "r1-g[1-2],r2-g1");
        assert_eq!(fold(&["10.0.0.7", "10.0.0.8"]), "10.0.0.[7-8]");
    }

    #[test]
    fn one_name_and_odd_names_stay() {
        assert_eq!(fold(&["gpu-3"]), "gpu-3");
        assert_eq!(fold(&["login", "gpu-3", "gpu-3", "login"]), "gpu-3,login");
        assert_eq!(fold(&["a[1]b", "a,b"]), "a,b,a[1]b");
        assert_eq!(fold::<&str>(&[]), "");
    }

    #[test]
    fn a_thousand_times_a_thousand_is_refused() {
        assert_eq!(expand("a[1-2]b[01-02]", 10).unwrap(), ["a1b01", "a1b02", "a2b01", "a2b02"]);
        assert_eq!(expand("a[0-999]b[0-999]", 1000), None);
        assert_eq!(expand("a[0-18446744073709551615]", 1000), None);
        assert_eq!(expand("a[3-1]", 10), None);
        assert_eq!(expand("a[1", 10), None);
    }

    proptest! {
        #[test]
        fn expand_undoes_fold(names in prop::collection::btree_set("[a-c]{0,2}-?[0-9]{0,3}[a-b.]?[0-9]{1,2}(-ib)?", 0..60)) {
            let names: Vec<String> = names.into_iter().collect();
            let mut back = expand(&fold(&names), 100).unwrap();
            back.sort();
            prop_assert_eq!(back, names);
        }

        #[test]
        fn dense_names_round_trip(numbers in prop::collection::btree_set(0u32..130, 1..80), width in 0usize..4) {
            let mut names: Vec<String> = numbers.iter().map(|n| format!("gpu{n:0width$}.dc")).collect();
            let mut back = expand(&fold(&names), 200).unwrap();
            back.sort();
            names.sort();
            prop_assert_eq!(back, names);
        }
    }
}
