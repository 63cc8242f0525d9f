//! Package versions as pins and dependencies see them; driver versions themselves are [`crate::derive::version`].

use std::cmp::Ordering;

use debversion::Version;

/// The upstream part as it is spelled: without epoch and Debian revision.
fn spelled_upstream(version: &str) -> &str {
    let body = match version.split_once(':') {
        Some((epoch, rest)) if !epoch.is_empty() && epoch.bytes().all(|b| b.is_ascii_digit()) => rest,
        _ => version,
    };
    body.rsplit_once('-').map_or(body, |(upstream, _)| upstream)
}

/// Debian's order; strings that are no versions compare as equal only when they are.
pub fn compare(a: &str, b: &str) -> Ordering {
    match (a.parse::<Version>(), b.parse::<Version>()) {
        (Ok(a), Ok(b)) => a.cmp(&b),
        _ => a.cmp(b),
    }
}

/// Versions of other upstream releases that may come after this one, near and far, with the same epoch and revision:
/// what a pin must not admit.
pub fn successors(version: &str) -> Vec<String> {
    let upstream = spelled_upstream(version);
    let Some(at) = version.find(upstream) else { return Vec::new() };
    let (head, tail) = (version.get(..at).unwrap_or(""), version.get(at + upstream.len()..).unwrap_or(""));
    let parts: Vec<&str> = upstream.split('.').collect();
    let mut out = Vec::new();
    for index in 0..parts.len() {
        let Some(number) = parts.get(index).and_then(|part| part.parse::<u64>().ok()) else { continue };
        for next in [number.saturating_add(1), number.saturating_add(7), number.saturating_mul(2).saturating_add(101)] {
            let width = parts.get(index).map_or(0, |part| part.len());
            let changed: Vec<String> = parts
                .iter()
                .enumerate()
                .map(|(i, part)| if i == index { format!("{next:0width$}") } else { (*part).to_owned() })
                .collect();
            out.push(format!("{head}{}{tail}", changed.join(".")));
            out.push(format!("{head}{}-0ubuntu0.22.04.1", changed.join(".")));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debian_order() {
        assert_eq!(compare("535.183.01-0ubuntu0.22.04.1", "535.230.02-0ubuntu0.22.04.1"), Ordering::Less);
        assert_eq!(compare("2.9.1+nmu3", "2.9"), Ordering::Greater);
    }

    #[test]
    fn successors_differ_in_upstream_only() {
        let next = successors("535.183.01-0ubuntu1");
        assert!(next.contains(&"535.183.02-0ubuntu1".to_owned()));
        assert!(next.contains(&"535.184.01-0ubuntu1".to_owned()));
        assert!(next.contains(&"536.183.01-0ubuntu1".to_owned()));
        assert!(next.iter().all(|version| spelled_upstream(version) != "535.183.01"));
    }
}
