//! Text that a host sent, made fit for one line of a report.

/// The longest piece of a host's words that a detail carries, in characters.
const LIMIT: usize = 300;

/// One line without control, bidirectional or invisible characters, blanks folded, at most 300 characters long.
pub fn one_line(text: &str) -> String {
    let mut out = String::new();
    let mut count = 0;
    let mut blank = false;
    for c in strip_escapes(text) {
        if c.is_whitespace() || c.is_control() {
            blank = !out.is_empty();
            continue;
        }
        if invisible(c) {
            continue;
        }
        if count >= LIMIT {
            out.push('…');
            return out;
        }
        if std::mem::take(&mut blank) {
            out.push(' ');
            count += 1;
        }
        out.push(c);
        count += 1;
    }
    out
}

/// The same from bytes of any encoding; reads no further than it can show.
pub(crate) fn one_line_bytes(bytes: &[u8]) -> String {
    let end = bytes.len().min(LIMIT * 8);
    one_line(&String::from_utf8_lossy(bytes.get(..end).unwrap_or_default()))
}

/// Characters that change how the rest of a line is shown, or that do not show at all.
fn invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Drops terminal escape sequences whole, so that a colour does not leave `[31m` behind.
fn strip_escapes(text: &str) -> impl Iterator<Item = char> + '_ {
    let mut chars = text.chars().peekable();
    std::iter::from_fn(move || {
        loop {
            let c = chars.next()?;
            if c != '\u{1b}' {
                return Some(c);
            }
            match chars.peek() {
                Some('[') => {
                    chars.next();
                    while chars.next_if(|c| !('\u{40}'..='\u{7e}').contains(c)).is_some() {}
                    chars.next();
                }
                Some(']') => while chars.next_if(|c| *c != '\u{7}' && *c != '\u{1b}').is_some() {},
                _ => {}
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_controls_and_direction_marks_go() {
        assert_eq!(one_line("  a\r\n\tb\u{1b}[31;1mred\u{1b}[0m \u{202e}c\u{0}d "), "a bred c d");
        assert_eq!(one_line("\u{1b}]0;title\u{7}x"), "x");
        assert_eq!(one_line("\u{1b}[31"), "");
    }

    #[test]
    fn long_text_is_cut_with_a_sign() {
        let long = one_line(&"x".repeat(5000));
        assert_eq!(long.chars().count(), 301);
        assert!(long.ends_with('…'));
        assert_eq!(one_line_bytes(&[0xff; 9000]).chars().count(), 301);
    }
}
