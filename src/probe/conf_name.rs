//! Which files of a configuration folder apt reads, by their names alone.

/// Whether apt reads a file of this name where it looks for `extension` or none: letters, digits, `_`, `-`, `:` and dots,
/// neither hidden nor ending in a dot. Behind the last dot only the extension itself is accepted, in this spelling
/// (`GetListOfFilesInDir` of apt).
pub(super) fn is_read(name: &str, extension: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_-:.".contains(&byte);
    let known = name.rsplit_once('.').is_none_or(|(_, found)| found == extension);
    !name.is_empty() && !name.starts_with('.') && known && name.bytes().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::is_read;

    // As apt 2.6 told of a folder with one file of each name.
    #[test]
    fn apt_reads_these() {
        for name in ["51-no-nvidia", "60a.conf", "a.b.conf", "a:b_c", "linked"] {
            assert!(is_read(name, "conf"), "{name}");
        }
        assert!(is_read("nvidia.pref", "pref") && is_read("nvidia", "pref") && !is_read("nvidia.conf", "pref"));
    }

    #[test]
    fn apt_ignores_these() {
        for name in [
            "51.nvidia",
            "56nvidia.CONF",
            "a.bak",
            "a.save",
            "a.orig",
            "a.disabled",
            "a.dpkg-old",
            "a.ucf-dist",
            "name~",
            "52no+nvidia.conf",
            "with blank",
            ".hidden",
            ".hidden.conf",
            "x.conf.",
            "ünï.conf",
            "x.y.",
            "",
        ] {
            assert!(!is_read(name, "conf"), "{name}");
        }
    }
}
