//! How a text report is dressed: width, colour, characters, and what "ago" counts from.

use anstyle::{AnsiColor, Color, Effects};
use jiff::Timestamp;
use unicode_width::UnicodeWidthChar;

use crate::check::Severity;
use crate::report::model::Verdict;

/// Decided once by the terminal policy and handed down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Columns.
    pub width: usize,
    /// Escape sequences for colour may be written.
    pub color: bool,
    /// Characters outside ASCII may be written.
    pub unicode: bool,
    /// Tables also list facts that could not be read and that no verdict needs.
    pub unread: bool,
    /// What "3 d ago" counts from.
    pub now: Timestamp,
}

/// What a piece of text is, and so its colour. Meaning never rests on colour alone: a word or symbol says it too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Critical.
    Critical,
    /// Could not be judged.
    Unverified,
    /// Warning.
    Warning,
    /// Fine.
    Good,
    /// Of little weight.
    Quiet,
    /// Names and headings.
    Strong,
    /// Things to type.
    Command,
    /// As it is.
    Plain,
}

impl Style {
    /// The text in its colour, or as it is when colour is off.
    pub fn paint(&self, tone: Tone, text: &str) -> String {
        if !self.color || text.is_empty() || tone == Tone::Plain {
            return text.to_owned();
        }
        let color = |color: AnsiColor| anstyle::Style::new().fg_color(Some(Color::Ansi(color)));
        let style = match tone {
            Tone::Critical => color(AnsiColor::Red).effects(Effects::BOLD),
            Tone::Unverified => color(AnsiColor::Magenta).effects(Effects::BOLD),
            Tone::Warning => color(AnsiColor::Yellow),
            Tone::Good => color(AnsiColor::Green),
            Tone::Quiet => anstyle::Style::new().effects(Effects::DIMMED),
            Tone::Strong => anstyle::Style::new().effects(Effects::BOLD),
            Tone::Command => color(AnsiColor::Cyan),
            Tone::Plain => anstyle::Style::new(),
        };
        format!("{style}{text}{style:#}")
    }

    /// The sign that stands before a verdict's word.
    pub fn symbol(&self, verdict: Verdict) -> &'static str {
        match (verdict, self.unicode) {
            (Verdict::Critical, true) => "✗",
            (Verdict::Critical, false) => "x",
            (Verdict::Unverified, _) => "?",
            (Verdict::Warning, _) => "!",
            (Verdict::Ok, true) => "✓",
            (Verdict::Ok, false) => "+",
            (Verdict::NotApplicable, _) => "-",
        }
    }

    /// The sign before a severity's word.
    pub fn severity_symbol(&self, severity: Severity) -> &'static str {
        match severity {
            Severity::Critical => self.symbol(Verdict::Critical),
            Severity::Warning => self.symbol(Verdict::Warning),
            Severity::Info => "i",
        }
    }

    /// The sign for two versions that differ.
    pub fn differs(&self) -> &'static str {
        if self.unicode { "≠" } else { "!=" }
    }

    /// A finished text: in ASCII when nothing else may be written, no blanks at line ends, one final newline.
    pub fn finish(&self, lines: &[String]) -> String {
        let mut out = String::new();
        for line in lines {
            let line = line.trim_end();
            if self.unicode {
                out.push_str(line)
            } else {
                out.extend(line.chars().map(ascii))
            }
            out.push('\n');
        }
        out
    }
}

/// The tone of a verdict.
pub fn verdict_tone(verdict: Verdict) -> Tone {
    match verdict {
        Verdict::Critical => Tone::Critical,
        Verdict::Unverified => Tone::Unverified,
        Verdict::Warning => Tone::Warning,
        Verdict::Ok => Tone::Good,
        Verdict::NotApplicable => Tone::Quiet,
    }
}

/// The tone of a severity.
pub fn severity_tone(severity: Severity) -> Tone {
    match severity {
        Severity::Critical => Tone::Critical,
        Severity::Warning => Tone::Warning,
        Severity::Info => Tone::Command,
    }
}

/// A stand-in of the same width, so that columns stay.
fn ascii(c: char) -> &'static str {
    const ASCII: &str =
        " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~";
    match c {
        '\u{1b}' => "\u{1b}",
        '–' | '—' | '─' | '━' | '·' => "-",
        '→' | '▶' => ">",
        '│' => "|",
        '●' | '•' | '◆' => "*",
        '…' => ".",
        '‘' | '’' => "'",
        '“' | '”' => "\"",
        c if c.is_ascii() => {
            let at = (c as usize).wrapping_sub(0x20);
            ASCII.get(at..=at).unwrap_or("")
        }
        c => match c.width() {
            Some(2) => "??",
            Some(0) | None => "",
            _ => "?",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(unicode: bool) -> Style {
        Style { width: 80, color: false, unicode, unread: false, now: Timestamp::UNIX_EPOCH }
    }

    #[test]
    fn ascii_keeps_every_printable_character_and_the_width() {
        let printable: String = (' '..='~').collect();
        assert_eq!(plain(false).finish(&[format!("{printable}|")]), format!("{printable}|\n"));
        assert_eq!(plain(false).finish(&["é語→x─".to_owned()]), "???>x-\n");
        assert_eq!(plain(true).finish(&["é語→x─ ".to_owned()]), "é語→x─\n");
    }

    #[test]
    fn paint_is_silent_without_colour() {
        assert_eq!(plain(true).paint(Tone::Critical, "x"), "x");
        let style = Style { color: true, ..plain(true) };
        assert_eq!(style.paint(Tone::Good, "ok"), "\u{1b}[32mok\u{1b}[0m");
    }
}
