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

fn beyond<T>(why: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Fault(Fault::Beyond(why.into())))
}

pub(super) struct Parser {
    pub(super) chars: Vec<char>,
    pub(super) at: usize,
    python: Python,
    verbose: bool,
    ignore_case: bool,
    /// Width of each closed group; `None` while it is open.
    groups: Vec<Option<Width>>,
    names: Vec<(String, usize)>,
    in_look_behind: usize,
}

/// What the last item was, as far as repeats care.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
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

    fn alternatives(&mut self, verbose: bool, depth: usize) -> Result<(String, Width), Stop> {
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

    fn sequence(&mut self, verbose: bool, depth: usize) -> Result<(String, Width), Stop> {
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

    fn reference(&self, number: usize) -> Result<Option<(String, Width, Kind)>, Stop> {
        match number.checked_sub(1).and_then(|index| self.groups.get(index)) {
            None => invalid(format!("invalid group reference {number}")),
            Some(None) => invalid("cannot refer to an open group"),
            Some(Some(_)) if self.in_look_behind > 0 => beyond("group reference inside look-behind"),
            Some(Some(width)) => Ok(Some((format!(r"(?:\{number})"), *width, Kind::Item))),
        }
    }

    fn group(&mut self, verbose: bool, depth: usize, at_start: bool) -> Result<Option<(String, Width, Kind)>, Stop> {
        if !self.eat('?') {
            return self.capture(None, verbose, depth);
        }
        let Some(c) = self.take() else { return invalid("unexpected end of pattern") };
        match c {
            ':' => self.enclosed("(?:", verbose, depth),
            '>' if self.python == Python::Since311 => self.enclosed("(?>", verbose, depth),
            '=' => self.around("(?=", verbose, depth),
            '!' => self.around("(?!", verbose, depth),
            '<' => match self.take() {
                Some('=') => self.behind("(?<=", verbose, depth),
                Some('!') => self.behind("(?<!", verbose, depth),
                Some(c) => invalid(format!("unknown extension ?<{c}")),
                None => invalid("unexpected end of pattern"),
            },
            '#' => loop {
                match self.take() {
                    Some(')') => return Ok(None),
                    Some(_) => {}
                    None => return invalid("missing ), unterminated comment"),
                }
            },
            'P' => match self.take() {
                Some('<') => {
                    let name = self.name('>')?;
                    self.capture(Some(name), verbose, depth)
                }
                Some('=') => {
                    let name = self.name(')')?;
                    match self.names.iter().find(|(known, _)| *known == name) {
                        Some((_, number)) => self.reference(*number),
                        None => invalid(format!("unknown group name '{name}'")),
                    }
                }
                Some(c) => invalid(format!("unknown extension ?P{c}")),
                None => invalid("unexpected end of pattern"),
            },
            '(' => self.conditional(verbose, depth),
            c if "aiLmsux-".contains(c) => self.flags(c, verbose, depth, at_start),
            c => invalid(format!("unknown extension ?{c}")),
        }
    }

    fn close(&mut self) -> Result<(), Stop> {
        if self.eat(')') { Ok(()) } else { invalid("missing ), unterminated subpattern") }
    }

    fn enclosed(&mut self, open: &str, verbose: bool, depth: usize) -> Result<Option<(String, Width, Kind)>, Stop> {
        let (inner, width) = self.alternatives(verbose, depth + 1)?;
        self.close()?;
        Ok(Some((format!("{open}{inner})"), width, Kind::Item)))
    }

    fn around(&mut self, open: &str, verbose: bool, depth: usize) -> Result<Option<(String, Width, Kind)>, Stop> {
        Ok(self.enclosed(open, verbose, depth)?.map(|(text, _, kind)| (text, Width::ZERO, kind)))
    }

    fn behind(&mut self, open: &str, verbose: bool, depth: usize) -> Result<Option<(String, Width, Kind)>, Stop> {
        self.in_look_behind += 1;
        let (inner, width) = self.alternatives(verbose, depth + 1)?;
        self.close()?;
        self.in_look_behind -= 1;
        if !width.is_fixed() {
            return invalid("look-behind requires fixed-width pattern");
        }
        Ok(Some((format!("{open}{inner})"), Width::ZERO, Kind::Item)))
    }

    fn capture(
        &mut self,
        name: Option<String>,
        verbose: bool,
        depth: usize,
    ) -> Result<Option<(String, Width, Kind)>, Stop> {
        let index = self.groups.len();
        self.groups.push(None);
        if let Some(name) = name {
            if self.names.iter().any(|(known, _)| *known == name) {
                return invalid(format!("redefinition of group name '{name}'"));
            }
            self.names.push((name, index + 1));
        }
        let (inner, width) = self.alternatives(verbose, depth + 1)?;
        self.close()?;
        if let Some(slot) = self.groups.get_mut(index) {
            *slot = Some(width);
        }
        Ok(Some((format!("({inner})"), width, Kind::Item)))
    }

    fn name(&mut self, end: char) -> Result<String, Stop> {
        let mut name = String::new();
        loop {
            match self.take() {
                Some(c) if c == end => break,
                Some(c) => name.push(c),
                None if name.is_empty() => return invalid("missing group name"),
                None => return invalid(format!("missing {end}, unterminated name")),
            }
        }
        let mut chars = name.chars();
        let identifier = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
            && chars.all(|c| c.is_alphanumeric() || c == '_');
        match (name.is_empty(), identifier) {
            (true, _) => invalid("missing group name"),
            (_, false) => invalid(format!("bad character in group name '{name}'")),
            _ => Ok(name),
        }
    }

    fn conditional(&mut self, verbose: bool, depth: usize) -> Result<Option<(String, Width, Kind)>, Stop> {
        let mut id = String::new();
        loop {
            match self.take() {
                Some(')') => break,
                Some(c) => id.push(c),
                None => return invalid("missing ), unterminated name"),
            }
        }
        let number = match id.parse::<usize>() {
            Ok(0) => return invalid("bad group number"),
            Ok(number) => number,
            Err(_) => match self.names.iter().find(|(known, _)| *known == id) {
                Some((_, number)) => *number,
                None => return invalid(format!("unknown group name '{id}'")),
            },
        };
        if number > self.groups.len() {
            return beyond("condition on a later group");
        }
        let (yes, mut width) = self.sequence(verbose, depth + 1)?;
        let mut no = String::new();
        if self.eat('|') {
            let (text, other) = self.sequence(verbose, depth + 1)?;
            if self.peek() == Some('|') {
                return invalid("conditional backref with more than two branches");
            }
            no = text;
            width = width.or(other);
        } else {
            width = width.or(Width::ZERO);
        }
        self.close()?;
        Ok(Some((format!("(?({number}){yes}|{no})"), width, Kind::Item)))
    }

    fn flags(
        &mut self,
        first: char,
        verbose: bool,
        depth: usize,
        at_start: bool,
    ) -> Result<Option<(String, Width, Kind)>, Stop> {
        let (mut on, mut off) = (String::new(), String::new());
        let mut negative = false;
        let mut c = Some(first);
        let end = loop {
            match c {
                Some('-') if !negative => negative = true,
                Some(end @ (':' | ')')) => break end,
                Some('L') => return invalid("bad inline flags: cannot use 'L' flag with a str pattern"),
                Some(flag) if "aimsux".contains(flag) => {
                    if negative {
                        if "au".contains(flag) {
                            return invalid("bad inline flags: cannot turn off flags 'a', 'u' and 'L'");
                        }
                        off.push(flag);
                    } else {
                        on.push(flag);
                    }
                }
                Some(c) if c.is_alphabetic() => return invalid("unknown flag"),
                Some(_) => return invalid("missing -, : or )"),
                None => return invalid("missing -, : or )"),
            }
            c = self.take();
        };
        if negative && off.is_empty() {
            return invalid("missing flag");
        }
        if on.chars().any(|flag| off.contains(flag)) {
            return invalid("bad inline flags: flag turned on and off");
        }
        if on.contains('a') && on.contains('u') {
            return invalid("bad inline flags: flags 'a', 'u' and 'L' are incompatible");
        }
        if end == ')' {
            if negative {
                return invalid("missing :");
            }
            if !at_start && self.python == Python::Since311 {
                return invalid("global flags not at the start of the expression");
            }
            self.ignore_case |= on.contains('i');
            if on.contains('x') && !self.verbose {
                return Err(Stop::Verbose);
            }
            return Ok(None);
        }
        let inner_verbose = (verbose || on.contains('x')) && !off.contains('x');
        let open = match (on.contains('i'), off.contains('i')) {
            (true, _) => "(?i:",
            (_, true) => "(?-i:",
            _ => "(?:",
        };
        self.enclosed(open, inner_verbose, depth)
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
