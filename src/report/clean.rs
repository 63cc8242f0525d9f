//! Makes host-supplied text harmless: no control, escape, bidirectional or invisible characters.
//!
//! Every format that a person looks at passes foreign text through here first and does its own escaping after that.

/// One line: escape sequences are removed whole, line breaks and tabs become blanks, runs of blanks stay.
pub fn line(text: &str) -> String {
    strip(text, false)
}

/// As [`line`], cut after `most` characters: a hostile text must not bury what stands beside it.
pub fn short(text: &str, most: usize) -> String {
    let mut text = line(text);
    if let Some((at, _)) = text.char_indices().nth(most) {
        text.truncate(at);
        text.push('…');
    }
    text
}

/// Several lines: as [`line`], but `\n` stays.
pub fn block(text: &str) -> String {
    strip(text, true)
}

fn strip(text: &str, keep_breaks: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\n' if keep_breaks => out.push('\n'),
            '\n' | '\t' | '\u{2028}' | '\u{2029}' => out.push(' '),
            '\u{1b}' => skip_escape(&mut chars),
            '\u{9b}' => skip_control_sequence(&mut chars),
            c if invisible(c) => {}
            c => out.push(c),
        }
    }
    out
}

/// Consumes what follows an ESC: a control sequence, a string terminated by BEL or ST, or one more character.
fn skip_escape(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    match chars.peek() {
        Some('[') => {
            chars.next();
            skip_control_sequence(chars);
        }
        Some(']' | 'P' | 'X' | '^' | '_') => {
            // An unterminated string must not swallow the rest of the text: give up at the end of its line.
            while let Some(c) = chars.next_if(|c| *c != '\n') {
                if c == '\u{7}' || c == '\u{9c}' {
                    return;
                }
                if c == '\u{1b}' {
                    chars.next_if_eq(&'\\');
                    return;
                }
            }
        }
        Some(c) if ('\u{20}'..='\u{2f}').contains(c) => {
            chars.next();
            chars.next_if(|c| ('\u{30}'..='\u{7e}').contains(c));
        }
        Some(c) if ('\u{30}'..='\u{7e}').contains(c) => {
            chars.next();
        }
        _ => {}
    }
}

fn skip_control_sequence(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    while chars.next_if(|c| ('\u{20}'..='\u{3f}').contains(c)).is_some() {}
    chars.next_if(|c| ('\u{40}'..='\u{7e}').contains(c));
}

/// Characters that may not meet a terminal as they are: what is stripped here, and separators that break lines.
pub(super) fn acts(c: char) -> bool {
    invisible(c) || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Characters that a reader cannot see or that reorder what he sees.
fn invisible(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{fffe}' | '\u{ffff}'
            | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn escape_sequences_vanish_whole() {
        assert_eq!(line("\u{1b}[31;1mred\u{1b}[0m and \u{1b}]0;title\u{7}plain"), "red and plain");
        assert_eq!(line("\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\"), "link");
        assert_eq!(line("\u{1b}(Bx\u{1b}cy\u{9b}2Jz"), "xyz");
        assert_eq!(line("a\u{1b}"), "a");
        assert_eq!(block("\u{1b}]never closed\nnext line"), "\nnext line");
    }

    #[test]
    fn bidirectional_and_invisible_characters_vanish() {
        assert_eq!(line("gpu\u{202e}1-\u{200b}\u{feff}x\u{2066}y"), "gpu1-xy");
    }

    #[test]
    fn a_short_text_is_cut_by_characters() {
        assert_eq!(short("≠≠≠\u{1b}[31m", 3), "≠≠≠");
        assert_eq!(short("≠≠≠≠", 3), "≠≠≠…");
    }

    #[test]
    fn breaks_become_blanks_unless_kept() {
        assert_eq!(line("a\nb\tc\r\nd"), "a b c d");
        assert_eq!(block("a\nb\tc\r\nd"), "a\nb c\nd");
    }

    proptest! {
        #[test]
        fn nothing_harmful_is_left(text in ".*") {
            prop_assert!(!line(&text).chars().any(|c| c.is_control() || invisible(c)));
        }

        #[test]
        fn plain_text_is_untouched(text in "[a-zA-Z0-9 äß≠.,;:_-]*") {
            prop_assert_eq!(line(&text), text);
        }
    }
}
