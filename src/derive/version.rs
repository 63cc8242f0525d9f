//! Driver versions: taken out of package versions, put in order, never rounded.
//!
//! Two versions are the same only as strings: 440.64 and 440.64.00 are two releases.

use std::cmp::Ordering;

/// The driver version inside a package version: without epoch, packaging revision and `+really` detour.
pub fn upstream(full: &str) -> &str {
    let rest = match full.split_once(':') {
        Some((epoch, rest)) if !epoch.is_empty() && epoch.bytes().all(|b| b.is_ascii_digit()) => rest,
        _ => full,
    };
    let rest = rest.rsplit_once('-').map_or(rest, |(upstream, _)| upstream);
    // A version that had to go back is spelled `NEW+reallyOLD` or `NEW+really.OLD`.
    let rest = rest.rfind("really").and_then(|at| rest.get(at + "really".len()..)).unwrap_or(rest);
    let rest = rest.trim_start_matches('.');
    match rest.find(['+', '~']) {
        Some(at) if is_driver(&rest[..at]) => &rest[..at],
        _ => rest,
    }
}

/// True for the shape of a driver version: two or three numbers, the first with at least two digits.
pub fn is_driver(version: &str) -> bool {
    let parts: Vec<&str> = version.split('.').collect();
    let numeric = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    matches!(parts.len(), 2 | 3) && parts.iter().all(numeric) && matches!(parts[0].len(), 2..=4)
}

/// The branch: everything before the first dot.
pub fn branch(version: &str) -> &str {
    version.split('.').next().unwrap_or(version)
}

/// Which of two driver versions is newer. Equal only when the strings are.
pub fn compare(a: &str, b: &str) -> Ordering {
    let numbers = |version: &str| -> Vec<u64> { version.split('.').map(|part| part.parse().unwrap_or(0)).collect() };
    numbers(a).cmp(&numbers(b)).then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn upstream_drops_epoch_revision_and_detours() {
        for (full, want) in [
            ("535.183.01-0ubuntu0.22.04.1", "535.183.01"),
            ("3:550.54.15-1.el9", "550.54.15"),
            ("550.120-0ubuntu0.24.04.1", "550.120"),
            ("535.247.01", "535.247.01"),
            ("435.21-1pop1~1567200870~19.10~c01044a", "435.21"),
            ("470.57.02+really.460.91.03-0ubuntu1", "460.91.03"),
            ("470.57.02+really460.91.03-0ubuntu1", "460.91.03"),
            ("535.171.04-1~deb12u1", "535.171.04"),
            ("570.86.15~beta-0ubuntu1", "570.86.15"),
            ("20220217+3~deb12u1", "20220217+3~deb12u1"),
            ("", ""),
            (":-", ":"),
        ] {
            assert_eq!(upstream(full), want, "{full}");
        }
    }

    #[test]
    fn shape_of_a_driver_version() {
        for yes in ["535.183.01", "550.120", "440.64.00", "340.29", "71.86.15"] {
            assert!(is_driver(yes), "{yes}");
        }
        for no in ["5.15.0", "TempVersion", "20220217+3", "535", "1.18.1", "535.", "535.1.2.3", ""] {
            assert!(!is_driver(no), "{no}");
        }
    }

    #[test]
    fn order_is_numeric_and_equality_is_textual() {
        assert_eq!(compare("535.171.04", "535.183.01"), Ordering::Less);
        assert_eq!(compare("550.120", "550.54.15"), Ordering::Greater);
        assert_eq!(compare("440.64", "440.64.00"), Ordering::Less);
        assert_eq!(compare("535.54.3", "535.54.03"), Ordering::Greater);
        assert_eq!(compare("535.54.03", "535.54.03"), Ordering::Equal);
    }
}
