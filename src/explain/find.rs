//! Finds the check that somebody means, by its id, by the start of its id, or by an error text as it was pasted.

use crate::check::Check;

/// What was found.
#[derive(Debug, Clone)]
pub enum Found {
    /// This check.
    Check(&'static Check),
    /// The checks that know the error text.
    Symptom(Vec<&'static Check>),
    /// None; perhaps this id was meant.
    Nothing(Option<&'static str>),
}

/// Looks among the given checks.
pub fn find(what: &str, checks: &'static [Check]) -> Found {
    let text = normal(what);
    let id = text.trim_matches(|c: char| !c.is_ascii_alphanumeric()).replace(['_', ' '], "-");
    if let Some(check) = checks.iter().find(|check| check.id == id) {
        return Found::Check(check);
    }
    let known: Vec<&Check> = checks.iter().filter(|check| knows(check, &text)).collect();
    if !known.is_empty() {
        return Found::Symptom(known);
    }
    let mut begun = checks.iter().filter(|check| !id.is_empty() && check.id.starts_with(&id));
    match (begun.next(), begun.next()) {
        (Some(check), None) => Found::Check(check),
        (Some(check), Some(_)) => Found::Nothing(Some(check.id)),
        (None, _) => Found::Nothing(closest(&id, checks)),
    }
}

/// The pasted text holds one of the check's fragments, or is itself a good part of one.
fn knows(check: &Check, text: &str) -> bool {
    const ENOUGH: usize = 12;
    check.symptoms.iter().any(|symptom| text.contains(symptom) || (text.len() >= ENOUGH && symptom.contains(text)))
}

/// Lower case, white space of any kind as one blank, as pastes come out of terminals and chat windows.
fn normal(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

fn closest(id: &str, checks: &'static [Check]) -> Option<&'static str> {
    if id.len() < 3 || id.len() > 40 {
        return None;
    }
    let near = checks.iter().map(|check| (distance(id, check.id), check.id)).min_by_key(|(far, _)| *far)?;
    if near.0 <= (id.len() / 3).clamp(1, 4) {
        return Some(near.1);
    }
    checks.iter().map(|check| check.id).find(|other| other.contains(id))
}

/// Edit distance.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut corner = i;
        let mut left = i + 1;
        let mut next = vec![left];
        for (to, above) in b.iter().zip(row.iter().skip(1)) {
            let cost = (corner + usize::from(from != *to)).min(above + 1).min(left + 1);
            corner = *above;
            left = cost;
            next.push(cost);
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::fixture::CHECKS;

    fn said(what: &str) -> String {
        match find(what, &CHECKS) {
            Found::Check(check) => check.id.to_owned(),
            Found::Symptom(checks) => checks.iter().map(|check| check.id).collect::<Vec<_>>().join("+"),
            Found::Nothing(closest) => format!("? {}", closest.unwrap_or("-")),
        }
    }

    #[test]
    fn by_id_as_people_type_it() {
        assert_eq!(said("half-upgraded"), "half-upgraded");
        assert_eq!(said(" Half_Upgraded:"), "half-upgraded");
        assert_eq!(said("half"), "half-upgraded");
        assert_eq!(said("driver"), "? driver-drift");
    }

    #[test]
    fn by_a_pasted_error_text() {
        assert_eq!(
            said("Failed to initialize  NVML:\n Driver/library version mismatch"),
            "driver-mismatch+half-upgraded"
        );
        assert_eq!(
            said("mount: open /run/nvidia-persistenced/socket: no such file or directory: unknown"),
            "persistenced-down"
        );
        assert_eq!(said("Failed to initialize"), "half-upgraded");
    }

    #[test]
    fn a_slip_is_answered_with_what_was_meant() {
        assert_eq!(said("half-upgaded"), "? half-upgraded");
        assert_eq!(said("drift"), "? driver-drift");
        assert_eq!(said("nonsense"), "? -");
        assert_eq!(said(""), "? -");
    }

    #[test]
    fn distances() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", "abc"), 0);
    }
}
