//! The shape of a driver version in text: two or three groups of digits with dots (`550.120`, `535.171.04`).
//!
//! Parts have no fixed width and are never compared as numbers: `440.64` and `440.64.00` are two releases.

/// Whether a word is a driver version and nothing else.
pub fn is_version(word: &str) -> bool {
    let mut parts = 0;
    for part in word.split('.') {
        if part.is_empty() || part.len() > 8 || !part.bytes().all(|b| b.is_ascii_digit()) {
            return false;
        }
        parts += 1;
    }
    (2..=3).contains(&parts)
}

/// The first word between blanks that is a driver version.
pub fn first_in(text: &str) -> Option<&str> {
    text.split_whitespace().find(|word| is_version(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_words_of_two_or_three_groups_count() {
        for version in ["550.120", "535.171.04", "440.64.00", "340.29", "540.4.0"] {
            assert!(is_version(version), "{version}");
        }
        for other in
            ["", "535", "535.", ".5", "1.2.3.4", "12.2.0-14", "TempVersion", "5.4.0\u{2013}6", "x.1", "21:38:55"]
        {
            assert!(!is_version(other), "{other}");
        }
        assert_eq!(first_in("NVIDIA UNIX aarch64 Kernel Module  550.120  Fri Sep 13 2024"), Some("550.120"));
    }
}
