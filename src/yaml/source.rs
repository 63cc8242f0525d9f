//! The text of one file, and places in it.

use std::sync::Arc;

use super::Diagnostic;

/// A place in a file: line and column in characters, both from 1; zeros for no place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord, Hash)]
pub struct Mark {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// One file's name and text. The text stays for as long as something points into it.
#[derive(Debug, PartialEq, Eq, Default)]
pub struct Source {
    file: String,
    text: String,
    /// Byte offset at which each line begins.
    lines: Vec<usize>,
}

impl Source {
    /// Takes a file's bytes. A byte order mark is dropped; anything but UTF-8 is an error with its place.
    ///
    /// # Errors
    /// When the bytes are not UTF-8.
    pub fn new(file: impl Into<String>, bytes: &[u8]) -> Result<Arc<Self>, Diagnostic> {
        let file = file.into();
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Arc::new(Self { file, text: text.to_owned(), lines: line_starts(text) })),
            Err(error) => {
                let good = bytes.get(..error.valid_up_to()).unwrap_or_default();
                let good = String::from_utf8_lossy(good);
                let line = good.matches('\n').count() + 1;
                let column = good.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
                let told = Diagnostic::about(file, "the file is not UTF-8 text");
                Err(Diagnostic { line, column, ..told }.hint("save it as UTF-8"))
            }
        }
    }

    /// The file's name, as errors show it.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// One line without its end; empty when there is no such line.
    pub fn line(&self, line: usize) -> &str {
        let Some(start) = line.checked_sub(1).and_then(|index| self.lines.get(index)) else { return "" };
        let end = self.lines.get(line).copied().unwrap_or(self.text.len());
        self.text.get(*start..end).unwrap_or_default().trim_end_matches(is_break)
    }

    /// What stands at a place, to the end of its line.
    pub fn rest_of_line(&self, at: Mark) -> &str {
        let line = self.line(at.line);
        let skip = at.column.saturating_sub(1);
        match line.char_indices().nth(skip) {
            Some((start, _)) => line.get(start..).unwrap_or_default(),
            None => "",
        }
    }

    /// An error at a place of this file.
    pub fn error(&self, at: Mark, message: impl Into<String>) -> Diagnostic {
        let shown = self.line(at.line);
        Diagnostic {
            file: self.file.clone(),
            line: at.line,
            column: at.column,
            message: message.into(),
            hint: None,
            source: (!shown.trim().is_empty()).then(|| shown.to_owned()),
        }
    }
}

/// A place together with the file it is in.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spot {
    /// The file.
    pub source: Arc<Source>,
    /// The place in it.
    pub at: Mark,
}

impl Spot {
    /// An error at this place.
    pub fn error(&self, message: impl Into<String>) -> Diagnostic {
        self.source.error(self.at, message)
    }
}

/// Line ends as YAML 1.1 has them, so that numbers agree with the parser's.
fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn line_starts(text: &str) -> Vec<usize> {
    let mut starts = vec![0];
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if !is_break(c) || (c == '\r' && matches!(chars.peek(), Some((_, '\n')))) {
            continue;
        }
        starts.push(at + c.len_utf8());
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_every_kind_of_ending() {
        let source = Source::new("a", "\u{feff}one\r\ntwö\nthree\rfour".as_bytes()).unwrap();
        let lines: Vec<_> = (0..6).map(|line| source.line(line)).collect();
        assert_eq!(lines, ["", "one", "twö", "three", "four", ""]);
        assert_eq!(source.rest_of_line(Mark { line: 2, column: 3 }), "ö");
        assert_eq!(source.rest_of_line(Mark { line: 2, column: 9 }), "");
    }

    #[test]
    fn bytes_that_are_not_text_have_a_place() {
        let told = Source::new("a", b"ok\nab\xff").unwrap_err();
        assert_eq!((told.line, told.column), (2, 3));
    }
}
