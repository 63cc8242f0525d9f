//! What begins with a parenthesis: groups, look-around, conditions and flags.

use super::Python;
use super::parse::{Kind, Parser, Stop, beyond, invalid};
use super::width::Width;

impl Parser {
    pub(super) fn group(
        &mut self,
        verbose: bool,
        depth: usize,
        at_start: bool,
    ) -> Result<Option<(String, Width, Kind)>, Stop> {
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
