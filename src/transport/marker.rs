//! The random word that tells a host's frames from anything else it prints.

/// A fresh marker: `%%` and 16 hexadecimal digits.
pub fn new_marker() -> String {
    format!("%%{:016x}", rand::random::<u64>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_has_its_shape_and_is_not_reused() {
        let marker = new_marker();
        let digits = marker.strip_prefix("%%").unwrap();
        assert!(digits.len() == 16 && digits.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f')));
        assert_ne!(marker, new_marker());
    }
}
