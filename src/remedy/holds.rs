//! Holds: the other way to keep a package.

/// Quotes a word for a POSIX shell when it needs it.
fn quoted(word: &str) -> String {
    let plain = !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-._:/=@".contains(&b));
    if plain { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

/// The command that holds these packages.
pub fn hold_command(packages: &[&str]) -> String {
    let words: Vec<String> = packages.iter().map(|name| quoted(name)).collect();
    format!("sudo apt-mark hold {}", words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_when_they_must() {
        assert_eq!(hold_command(&["libcuda1", "libcuda1:i386"]), "sudo apt-mark hold libcuda1 libcuda1:i386");
        assert_eq!(hold_command(&["a;b'c"]), r"sudo apt-mark hold 'a;b'\''c'");
    }
}
