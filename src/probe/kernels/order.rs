//! The order of kernel releases: dpkg's version order.

use std::str::FromStr;

use debversion::Version;

/// A key that sorts as `dpkg --compare-versions` does. Releases dpkg would refuse (a `_` in them) are compared with
/// the offending characters replaced; the release itself settles ties, so the order is total.
pub fn key(release: &str) -> (Option<Version>, String) {
    let plain: String = release
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '-' | '~') { c } else { '+' })
        .take(200)
        .collect();
    (Version::from_str(&plain).ok(), release.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_as_numbers() {
        let mut releases = [
            "5.15.0-112-generic",
            "6.8.0-9-generic",
            "5.15.0-97-generic",
            "6.8.0-44-generic",
            "5.14.0-427.el9.x86_64",
            "6.8.0-44-lowlatency",
            "4.18.0-553.el8_10.x86_64",
        ];
        releases.sort_by_key(|release| key(release));
        assert_eq!(
            releases,
            [
                "4.18.0-553.el8_10.x86_64",
                "5.14.0-427.el9.x86_64",
                "5.15.0-97-generic",
                "5.15.0-112-generic",
                "6.8.0-9-generic",
                "6.8.0-44-generic",
                "6.8.0-44-lowlatency",
            ]
        );
    }
}
