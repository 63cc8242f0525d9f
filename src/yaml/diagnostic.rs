//! A complaint about a file that a person wrote.

use std::fmt;

/// One error in an inventory, a playbook or a pattern, with the place and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Diagnostic {
    /// The file, or what else was read (`pattern`, a flag's name).
    pub file: String,
    /// Line, from 1; 0 when there is none.
    pub line: usize,
    /// Column in characters, from 1; 0 when there is none.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// The line of the file, when it helps; control characters removed.
    pub source: Option<String>,
}

impl Diagnostic {
    /// A complaint that belongs to a whole file, or to something that is no file.
    pub fn about(file: impl Into<String>, message: impl Into<String>) -> Self {
        Self { file: file.into(), message: message.into(), ..Self::default() }
    }

    /// The same with advice.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same with advice, if there is any.
    #[must_use]
    pub fn maybe_hint(self, hint: Option<String>) -> Self {
        match hint {
            Some(hint) => self.hint(hint),
            None => self,
        }
    }
}

/// Longest piece of a source line that is shown, in characters.
const SHOWN: usize = 160;

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", printable(&self.message))?;
        let file = printable(&self.file);
        match (self.file.is_empty(), self.line) {
            (true, _) => {}
            (false, 0) => write!(f, "\n  --> {file}")?,
            (false, line) => write!(f, "\n  --> {file}:{line}:{}", self.column)?,
        }
        if let (Some(source), true) = (&self.source, self.line > 0 && self.column <= SHOWN) {
            let number = self.line.to_string();
            let gutter = " ".repeat(number.len());
            let shown: String = source.chars().take(SHOWN).map(|c| if c.is_control() { ' ' } else { c }).collect();
            let caret = " ".repeat(self.column.saturating_sub(1));
            write!(f, "\n {gutter} |\n {number} | {}\n {gutter} | {caret}^", shown.trim_end())?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\nhint: {}", printable(hint))?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostic {}

fn printable(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_place_line_caret_and_hint() {
        let told = Diagnostic {
            file: "fleet.yaml".into(),
            line: 12,
            column: 7,
            message: "host `gpu-1` stands here twice".into(),
            hint: Some("remove one".into()),
            source: Some("      gpu-1:\u{1b}[31m".into()),
        };
        assert_eq!(
            told.to_string(),
            "error: host `gpu-1` stands here twice\n  --> fleet.yaml:12:7\n    |\n 12 |       gpu-1: [31m\n    |       ^\nhint: remove one"
        );
    }

    #[test]
    fn a_complaint_without_a_place_is_short() {
        assert_eq!(Diagnostic::about("", "no hosts").to_string(), "error: no hosts");
        assert_eq!(Diagnostic::about("a.yaml", "is empty").to_string(), "error: is empty\n  --> a.yaml");
    }
}
