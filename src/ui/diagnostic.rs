//! Errors, warnings and hints on stderr.

use std::io::Write;

use crate::report::clean;
use crate::report::style::{Style, Tone};
use crate::ui::Terminal;

/// Prints a diagnostic of one or more lines. Lines begin with `error:`, `warning:` or `hint:`; a first line without
/// one of these is an error.
pub fn print(text: &str, terminal: &Terminal) {
    let text = dress(text, &terminal.stderr_style());
    // Nobody is left to tell when stderr itself is closed.
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// The text with its words coloured, control characters removed, and a final newline.
pub fn dress(text: &str, style: &Style) -> String {
    let text = clean::block(text);
    let mut lines = Vec::new();
    for (i, line) in text.trim_end().lines().enumerate() {
        match word(line) {
            Some((tone, word)) => {
                lines.push(format!("{}{}", style.paint(tone, word), line.get(word.len()..).unwrap_or("")));
            }
            None if i == 0 => lines.push(format!("{} {line}", style.paint(Tone::Critical, "error:"))),
            None => lines.push(line.to_owned()),
        }
    }
    style.finish(&lines)
}

fn word(line: &str) -> Option<(Tone, &'static str)> {
    const WORDS: [(Tone, &str); 4] =
        [(Tone::Critical, "error:"), (Tone::Warning, "warning:"), (Tone::Command, "hint:"), (Tone::Command, "note:")];
    WORDS.into_iter().find(|(_, word)| line.starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn style(color: bool) -> Style {
        Style { width: 80, color, unicode: true, unread: false, now: jiff::Timestamp::UNIX_EPOCH }
    }

    #[test]
    fn words_are_coloured_and_the_rest_is_left() {
        let text = dress("error: no `x`\nhint: try `y`\n", &style(true));
        assert_eq!(text, "\u{1b}[1m\u{1b}[31merror:\u{1b}[0m no `x`\n\u{1b}[36mhint:\u{1b}[0m try `y`\n");
        assert_eq!(dress("error: no `x`\nhint: try `y`", &style(false)), "error: no `x`\nhint: try `y`\n");
    }

    #[test]
    fn a_text_without_a_word_is_an_error_and_is_cleaned() {
        assert_eq!(dress("cannot write \u{1b}[2Jx: full", &style(false)), "error: cannot write x: full\n");
    }
}
