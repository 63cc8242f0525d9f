//! Python's pattern grammar, validated as Python's own parser does and respelled for the engine used here.
//!
//! Source of the rules: CPython's `Lib/re/_parser.py`.

use super::class::{self, Piece};
use super::width::Width;
use super::{Fault, Python};

/// Nesting after which a pattern is not evaluated.
const MAX_DEPTH: usize = 100;

/// Translates a pattern, or says why Python would not have it.
pub fn translate(text: &str, python: Python) -> Result<String, Fault> {
    let first = Parser::new(text, python, false).whole();
    match first {
        Err(Stop::Verbose) => Parser::new(text, python, true).whole().map_err(Stop::fault),
        other => other.map_err(Stop::fault),
    }
}

/// Why parsing stopped.
#[derive(Debug)]
pub(super) enum Stop {
    /// `(?x)` was met: start again, skipping blanks.
    Verbose,
    Fault(Fault),
}

impl Stop {
    fn fault(self) -> Fault {
        match self {
            Self::Fault(fault) => fault,
            Self::Verbose => Fault::Beyond("verbose flag".to_owned()),
        }
    }
}

pub(super) fn invalid<T>(why: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Fault(Fault::Invalid(why.into())))
}

pub(super) fn beyond<T>(why: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Fault(Fault::Beyond(why.into())))
}

pub(super) struct Parser {
    pub(super) chars: Vec<char>,
    pub(super) at: usize,
    pub(super) python: Python,
    pub(super) verbose: bool,
    pub(super) ignore_case: bool,
    /// Width of each closed group; `None` while it is open.
    pub(super) groups: Vec<Option<Width>>,
    pub(super) names: Vec<(String, usize)>,
    pub(super) in_look_behind: usize,
}

/// What the last item was, as far as repeats care.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// Nothing, or a position: cannot be repeated.
    Nothing,
    Item,
    Repeat,
}

impl Parser {
    fn new(text: &str, python: Python, verbose: bool) -> Self {
        Self {
            chars: text.chars().collect(),
            at: 0,
            python,
            verbose,
            ignore_case: false,
            groups: Vec::new(),
            names: Vec::new(),
            in_look_behind: 0,
        }
    }

    fn whole(mut self) -> Result<String, Stop> {
        let verbose = self.verbose;
        let (out, _) = self.alternatives(verbose, 0)?;
        if self.peek().is_some() {
            return invalid("unbalanced parenthesis");
        }
        Ok(if self.ignore_case { format!("(?si:{out})") } else { format!("(?s:{out})") })
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    pub(super) fn take(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        Some(c)
    }

    pub(super) fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += 1;
        }
        found
    }

    pub(super) fn alternatives(&mut self, verbose: bool, depth: usize) -> Result<(String, Width), Stop> {
        if depth > MAX_DEPTH {
            return beyond("nested too deeply");
        }
        let (mut out, mut width) = self.sequence(verbose, depth)?;
        while self.eat('|') {
            let (more, other) = self.sequence(verbose, depth)?;
            out.push('|');
            out.push_str(&more);
            width = width.or(other);
        }
        Ok((out, width))
    }

    pub(super) fn sequence(&mut self, verbose: bool, depth: usize) -> Result<(String, Width), Stop> {
        let mut out = String::new();
        let mut width = Width::ZERO;
        let mut last: Option<(String, Width, Kind)> = None;
        while let Some(c) = self.peek() {
            if c == '|' || c == ')' {
                break;
            }
            if verbose && c.is_whitespace() {
                self.at += 1;
                continue;
            }
            if verbose && c == '#' {
                while self.take().is_some_and(|c| c != '\n') {}
                continue;
            }
            self.at += 1;
            let next = if matches!(c, '*' | '+' | '?' | '{') {
                match self.repeat(c)? {
                    Some(bounds) => Some(self.repeated(last.take(), bounds)?),
                    None => Some((escape('{'), Width::exactly(1), Kind::Item)),
                }
            } else {
                self.item(c, verbose, depth, self.at == 1)?
            };
            // A flag group adds nothing and leaves the item before it repeatable, as in Python.
            let Some(next) = next else { continue };
            if let Some((text, w, _)) = last.replace(next) {
                out.push_str(&text);
                width = width.then(w);
            }
        }
        if let Some((text, w, _)) = last {
            out.push_str(&text);
            width = width.then(w);
        }
        Ok((out, width))
    }

    /// The bounds of a repeat whose first character was just taken; `None` when a brace is only a brace.
    fn repeat(&mut self, first: char) -> Result<Option<(u32, Option<u32>)>, Stop> {
        match first {
            '*' => return Ok(Some((0, None))),
            '+' => return Ok(Some((1, None))),
            '?' => return Ok(Some((0, Some(1)))),
            _ => {}
        }
        if self.peek() == Some('}') {
            return Ok(None);
        }
        let start = self.at;
        let low = self.digits();
        let comma = self.eat(',');
        let high = if comma { self.digits() } else { low.clone() };
        if !self.eat('}') {
            self.at = start;
            return Ok(None);
        }
        let number = |text: &str| -> Result<Option<u32>, Stop> {
            if text.is_empty() {
                return Ok(None);
            }
            match text.parse::<u32>() {
                Ok(value) if value < 1000 => Ok(Some(value)),
                Ok(value) if value < u32::MAX => beyond("repeat count too large"),
                _ => invalid("the repetition number is too large"),
            }
        };
        let (low, high) = (number(&low)?, number(&high)?);
        if let (Some(low), Some(high)) = (low, high)
            && high < low
        {
            return invalid("min repeat greater than max repeat");
        }
        Ok(Some((low.unwrap_or(0), high)))
    }

    fn digits(&mut self) -> String {
        let mut out = String::new();
        while let Some(c) = self.peek().filter(char::is_ascii_digit) {
            out.push(c);
            self.at += 1;
        }
        out
    }

    fn repeated(
        &mut self,
        item: Option<(String, Width, Kind)>,
        (low, high): (u32, Option<u32>),
    ) -> Result<(String, Width, Kind), Stop> {
        let (text, width) = match item {
            None | Some((_, _, Kind::Nothing)) => return invalid("nothing to repeat"),
            Some((_, _, Kind::Repeat)) => return invalid("multiple repeat"),
            Some((text, width, Kind::Item)) => (text, width),
        };
        let suffix = if self.eat('?') {
            "?"
        } else if self.python == Python::Since311 && self.eat('+') {
            "+"
        } else {
            ""
        };
        let bounds = match high {
            Some(high) => format!("{{{low},{high}}}"),
            None => format!("{{{low},}}"),
        };
        let text = match suffix {
            "+" => format!("(?>(?:{text}){bounds})"),
            lazy => format!("(?:{text}){bounds}{lazy}"),
        };
        Ok((text, width.times(low, high), Kind::Repeat))
    }

    fn item(
        &mut self,
        c: char,
        verbose: bool,
        depth: usize,
        at_start: bool,
    ) -> Result<Option<(String, Width, Kind)>, Stop> {
        let one = |text: String| Some((text, Width::exactly(1), Kind::Item));
        let position = |text: &str| Some((text.to_owned(), Width::ZERO, Kind::Nothing));
        Ok(match c {
            '.' => one(r"[^\n]".to_owned()),
            '^' => position(r"\A"),
            // Names hold no newline, so the end is the end with or without the multi-line flag.
            '$' => position(r"\z"),
            '[' => one(class::bracket(self)?),
            '(' => return self.group(verbose, depth, at_start),
            '\\' => match class::escape_outside(self)? {
                Piece::Char(c) => one(escape(c)),
                Piece::Class(text) => one(text),
                Piece::Position(text) => position(&text),
                Piece::Reference(number) => self.reference(number)?,
            },
            c => one(escape(c)),
        })
    }

    pub(super) fn reference(&self, number: usize) -> Result<Option<(String, Width, Kind)>, Stop> {
        match number.checked_sub(1).and_then(|index| self.groups.get(index)) {
            None => invalid(format!("invalid group reference {number}")),
            Some(None) => invalid("cannot refer to an open group"),
            Some(Some(_)) if self.in_look_behind > 0 => beyond("group reference inside look-behind"),
            Some(Some(width)) => Ok(Some((format!(r"(?:\{number})"), *width, Kind::Item))),
        }
    }
}

/// A character that stands for itself, outside and inside brackets.
pub(super) fn escape(c: char) -> String {
    if c.is_alphanumeric() || c == '_' || !c.is_ascii() {
        c.to_string()
    } else if c.is_ascii_graphic() {
        format!("\\{c}")
    } else {
        format!("\\x{{{:x}}}", c as u32)
    }
}
