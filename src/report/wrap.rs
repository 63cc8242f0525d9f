//! Text broken into lines that fit, by display width.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Columns a text takes on a terminal.
pub fn width(text: &str) -> usize {
    text.width()
}

/// Breaks one paragraph at blanks into lines no wider than `room`. A word that is wider is cut; nothing is lost.
pub fn lines(text: &str, room: usize) -> Vec<String> {
    let room = room.max(1);
    let mut out = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && width(&line) + 1 + width(word) > room {
            out.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        let mut rest = word;
        while width(&line) + width(rest) > room {
            let (head, tail) = cut(rest, room - width(&line));
            out.push(std::mem::take(&mut line) + head);
            rest = tail;
        }
        line.push_str(rest);
    }
    if !line.is_empty() {
        out.push(line);
    }
    out
}

/// Breaks a list of names after commas into lines no wider than `room`; a name is never cut, however long.
pub fn names(items: &[String], room: usize) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let joined = items.join(",");
    for piece in joined.split_inclusive(',') {
        match out.last_mut() {
            Some(line) if width(line) + width(piece) <= room => line.push_str(piece),
            _ => out.push(piece.to_owned()),
        }
    }
    out
}

/// Breaks a command with trailing backslashes, so that it can still be pasted: only at blanks outside quotes, because
/// inside them a backslash would mean itself. A quoted word that is wider than `room` stays whole.
pub fn command(text: &str, room: usize) -> Vec<String> {
    if width(text) <= room {
        return vec![text.to_owned()];
    }
    if let Some(comment) = text.trim_start().strip_prefix("//") {
        // A comment of a configuration file: each line needs its own mark.
        let mark = format!("{}// ", " ".repeat(text.len() - text.trim_start().len()));
        let lines = lines(comment.trim(), room.saturating_sub(width(&mark)));
        return lines.into_iter().map(|line| format!("{mark}{line}")).collect();
    }
    let mut out: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in shell_words(text) {
        if !line.trim().is_empty() && width(&line) + 1 + width(word) + 2 > room {
            out.push(std::mem::replace(&mut line, "  ".to_owned()) + " \\");
        }
        if !line.trim().is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    out.push(line);
    out
}

/// The pieces between single blanks that stand outside quotes; leading blanks stay with the first.
pub fn shell_words(text: &str) -> Vec<&str> {
    let (mut words, mut start, mut quote, mut escaped, mut begun) = (Vec::new(), 0, None, false, false);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (None | Some('"'), '\\') => escaped = true,
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            (None, ' ') if begun => {
                words.extend(text.get(start..at));
                start = at + 1;
                continue;
            }
            _ => {}
        }
        begun |= c != ' ';
    }
    words.extend(text.get(start..));
    words
}

/// Puts `first` before the first line and as many blanks before the others.
pub fn hang(first: &str, lines: Vec<String>) -> Vec<String> {
    let indent = " ".repeat(width(first));
    let mut out: Vec<String> = lines
        .into_iter()
        .enumerate()
        .map(|(i, line)| if i == 0 { format!("{first}{line}") } else { format!("{indent}{line}") })
        .collect();
    if out.is_empty() {
        out.push(first.trim_end().to_owned());
    }
    out
}

fn cut(text: &str, room: usize) -> (&str, &str) {
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += c.width().unwrap_or(0);
        // At least one character goes, or a wide one in one column would never end.
        if used > room && at > 0 {
            return text.split_at(at);
        }
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_wrapped_comment_stays_a_comment() {
        assert_eq!(command("  // keeps the driver where it is", 21), ["  // keeps the driver", "  // where it is"]);
    }

    #[test]
    fn breaks_at_blanks_and_cuts_long_words() {
        assert_eq!(lines("one two three", 7), ["one two", "three"]);
        assert_eq!(lines("a abcdefghij b", 4), ["a", "abcd", "efgh", "ij b"]);
        assert_eq!(lines("  ", 4), Vec::<String>::new());
    }

    #[test]
    fn names_are_never_cut() {
        let items = ["gpu[01-03,07]".to_owned(), "a-very-long-host-name".to_owned()];
        assert_eq!(names(&items, 10), ["gpu[01-03,", "07],", "a-very-long-host-name"]);
    }

    #[test]
    fn a_broken_command_can_be_pasted() {
        assert_eq!(command("sudo apt-mark hold a b", 40), ["sudo apt-mark hold a b"]);
        assert_eq!(command("sudo apt-mark hold aaa bbb", 20), ["sudo apt-mark hold \\", "  aaa bbb"]);
        assert_eq!(command("echo 'a b c d e f' | sudo tee x", 16), ["echo \\", "  'a b c d e f' \\", "  | sudo tee x"]);
        assert_eq!(command("    indented", 4), ["    indented"]);
    }

    proptest! {
        #[test]
        fn no_line_is_wider_and_no_word_is_lost(text in "[a-z 語é]{0,80}", room in 2usize..30) {
            let broken = lines(&text, room);
            prop_assert!(broken.iter().all(|line| width(line) <= room));
            let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert_eq!(letters(&broken.concat()), letters(&text));
        }
    }
}
