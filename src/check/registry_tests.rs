use super::*;

#[test]
fn ids_are_sorted_and_unique() {
    let ids: Vec<&str> = ALL.iter().map(|check| check.id).collect();
    let mut sorted = ids.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(ids, sorted);
}

#[test]
fn every_check_documents_itself() {
    let headings = ["What it checks", "Why it matters", "Evidence", "Fix", "What it does not see"];
    for check in ALL {
        let first = check.source.lines().next().unwrap_or_default();
        assert_eq!(first, format!("//! # {}", check.id));
        for heading in headings {
            assert!(check.source.contains(&format!("//! ## {heading}\n")), "{}: {heading}", check.id);
        }
    }
}

#[test]
fn symptoms_are_fragments_in_lower_case() {
    for check in ALL {
        for symptom in check.symptoms {
            assert_eq!(*symptom, symptom.to_lowercase(), "{}", check.id);
            assert!(symptom.len() > 8, "{}: {symptom}", check.id);
        }
    }
}
