//! Escapes and bracket expressions.

use super::parse::{Parser, Stop, escape, invalid};

/// What an escape means.
pub enum Piece {
    /// One character.
    Char(char),
    /// A set, as the engine spells it.
    Class(String),
    /// A position.
    Position(String),
    /// A group.
    Reference(usize),
}

/// An escape outside brackets; the backslash was taken.
pub fn escape_outside(parser: &mut Parser) -> Result<Piece, Stop> {
    let Some(c) = parser.take() else { return invalid("bad escape (end of pattern)") };
    Ok(match c {
        'A' => Piece::Position(r"\A".to_owned()),
        'Z' => Piece::Position(r"\z".to_owned()),
        'b' | 'B' => Piece::Position(format!("\\{c}")),
        '0' => {
            let digits = octal(parser, 2);
            Piece::Char(char::from_u32(u32::from_str_radix(&digits, 8).unwrap_or(0)).unwrap_or('\0'))
        }
        '1'..='9' => reference(parser, c)?,
        c => common(parser, c)?,
    })
}

fn reference(parser: &mut Parser, first: char) -> Result<Piece, Stop> {
    let mut digits = first.to_string();
    if let Some(c) = parser.peek().filter(char::is_ascii_digit) {
        parser.take();
        digits.push(c);
        let octal = |c: char| ('0'..='7').contains(&c);
        if octal(first)
            && octal(c)
            && let Some(third) = parser.peek().filter(|c| octal(*c))
        {
            parser.take();
            digits.push(third);
            let value = u32::from_str_radix(&digits, 8).unwrap_or(u32::MAX);
            return match value {
                0..=0o377 => Ok(Piece::Char(char::from_u32(value).unwrap_or('\0'))),
                _ => invalid(format!("octal escape value \\{digits} outside of range 0-0o377")),
            };
        }
    }
    Ok(Piece::Reference(digits.parse().unwrap_or(usize::MAX)))
}

fn octal(parser: &mut Parser, most: usize) -> String {
    let mut digits = "0".to_owned();
    while digits.len() <= most
        && let Some(c) = parser.peek().filter(|c| ('0'..='7').contains(c))
    {
        parser.take();
        digits.push(c);
    }
    digits
}

fn common(parser: &mut Parser, c: char) -> Result<Piece, Stop> {
    let hex = |parser: &mut Parser, count: usize| -> Result<Piece, Stop> {
        let mut digits = String::new();
        while digits.len() < count
            && let Some(d) = parser.peek().filter(char::is_ascii_hexdigit)
        {
            parser.take();
            digits.push(d);
        }
        if digits.len() < count {
            return invalid(format!("incomplete escape \\{c}{digits}"));
        }
        match u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32) {
            Some(c) => Ok(Piece::Char(c)),
            None => invalid(format!("bad escape \\{c}{digits}")),
        }
    };
    Ok(match c {
        'd' | 'D' | 's' | 'S' | 'w' | 'W' => Piece::Class(format!("\\{c}")),
        'a' => Piece::Char('\x07'),
        'f' => Piece::Char('\x0c'),
        'n' => Piece::Char('\n'),
        'r' => Piece::Char('\r'),
        't' => Piece::Char('\t'),
        'v' => Piece::Char('\x0b'),
        'x' => hex(parser, 2)?,
        'u' => hex(parser, 4)?,
        'U' => hex(parser, 8)?,
        c if c.is_ascii_alphanumeric() => return invalid(format!("bad escape \\{c}")),
        c => Piece::Char(c),
    })
}

/// A bracket expression; the opening bracket was taken.
pub fn bracket(parser: &mut Parser) -> Result<String, Stop> {
    let mut out = String::from("[");
    if parser.eat('^') {
        out.push('^');
    }
    let mut first = true;
    loop {
        let Some(c) = parser.take() else { return invalid("unterminated character set") };
        if c == ']' && !first {
            break;
        }
        first = false;
        let low = member(parser, c)?;
        if parser.peek() != Some('-') {
            push(&mut out, &low);
            continue;
        }
        parser.take();
        let Some(c) = parser.take() else { return invalid("unterminated character set") };
        if c == ']' {
            push(&mut out, &low);
            out.push_str(r"\-");
            break;
        }
        let high = member(parser, c)?;
        match (low, high) {
            (Piece::Char(low), Piece::Char(high)) if low <= high => {
                out.push_str(&escape(low));
                out.push('-');
                out.push_str(&escape(high));
            }
            (low, high) => return invalid(format!("bad character range {}-{}", show(&low), show(&high))),
        }
    }
    out.push(']');
    Ok(out)
}

fn member(parser: &mut Parser, c: char) -> Result<Piece, Stop> {
    if c != '\\' {
        return Ok(Piece::Char(c));
    }
    let Some(c) = parser.take() else { return invalid("bad escape (end of pattern)") };
    match c {
        'b' => Ok(Piece::Char('\x08')),
        '0'..='7' => {
            let mut digits = c.to_string();
            while digits.len() < 3
                && let Some(d) = parser.peek().filter(|d| ('0'..='7').contains(d))
            {
                parser.take();
                digits.push(d);
            }
            match u32::from_str_radix(&digits, 8).ok().filter(|value| *value <= 0o377).and_then(char::from_u32) {
                Some(c) => Ok(Piece::Char(c)),
                None => invalid(format!("octal escape value \\{digits} outside of range 0-0o377")),
            }
        }
        c => common(parser, c),
    }
}

fn push(out: &mut String, piece: &Piece) {
    match piece {
        Piece::Char(c) => out.push_str(&escape(*c)),
        Piece::Class(text) | Piece::Position(text) => out.push_str(text),
        Piece::Reference(_) => {}
    }
}

fn show(piece: &Piece) -> String {
    match piece {
        Piece::Char(c) => c.to_string(),
        Piece::Class(text) | Piece::Position(text) => text.clone(),
        Piece::Reference(number) => format!("\\{number}"),
    }
}
