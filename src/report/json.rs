//! `json`: the report model as it is, for CI jobs and `jq`.
//!
//! Nothing is stripped here: machines want what was read. Characters that would act on a terminal or hide from a
//! reader are written as `\u` escapes, so that a document shown by `cat` is as harmless as a table.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, PrettyFormatter, Serializer};

use crate::report::clean;
use crate::report::model::Report;

/// The document, indented, with a final newline.
pub fn render(report: &Report) -> String {
    let mut text = pretty(report);
    text.push('\n');
    text
}

/// Any value, indented.
pub fn pretty<T: Serialize>(value: &T) -> String {
    written(value, PrettyFormatter::new())
}

/// Any value, on one line.
pub fn compact<T: Serialize>(value: &T) -> String {
    written(value, serde_json::ser::CompactFormatter)
}

fn written<T: Serialize>(value: &T, inner: impl Formatter) -> String {
    let mut bytes = Vec::new();
    // Serialising plain structs with string keys cannot fail; an empty document would show at once if it ever did.
    match value.serialize(&mut Serializer::with_formatter(&mut bytes, Harmless(inner))) {
        Ok(()) => String::from_utf8(bytes).unwrap_or_default(),
        Err(_) => String::new(),
    }
}

/// Writes what [`clean`] would strip as escapes; everything else as the formatter inside does.
struct Harmless<F>(F);

macro_rules! delegate {
    ($($name:ident($($more:ident: $type:ty),*);)*) => {
        $(fn $name<W: ?Sized + Write>(&mut self, out: &mut W, $($more: $type),*) -> io::Result<()> {
            self.0.$name(out, $($more),*)
        })*
    };
}

impl<F: Formatter> Formatter for Harmless<F> {
    delegate! {
        begin_array(); end_array(); begin_array_value(first: bool); end_array_value();
        begin_object(); end_object(); begin_object_key(first: bool); end_object_key();
        begin_object_value(); end_object_value();
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, c)) = rest.char_indices().find(|(_, c)| clean::acts(*c)) {
            let (before, after) = rest.split_at(at);
            out.write_all(before.as_bytes())?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
            rest = after.get(c.len_utf8()..).unwrap_or_default();
        }
        out.write_all(rest.as_bytes())
    }
}

/// Reads a document back; the error says where it is wrong.
pub fn parse(text: &str) -> Result<Report, serde_json::Error> {
    serde_json::from_str(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    #[test]
    fn a_document_reads_back_as_it_was() {
        let report = fixture::fleet();
        assert_eq!(parse(&render(&report)).unwrap(), report);
    }

    #[test]
    fn what_acts_on_a_terminal_is_escaped_and_reads_back() {
        let text = "a\u{202e}b\u{9b}2J\u{feff}\u{7f}\u{e0041}\u{2028}ß≠\n";
        let written = compact(&text);
        assert_eq!(written, r#""a\u202eb\u009b2J\ufeff\u007f\udb40\udc41\u2028ß≠\n""#);
        assert_eq!(serde_json::from_str::<String>(&written).unwrap(), text);
        assert_eq!(pretty(&vec![1, 2]), "[\n  1,\n  2\n]");
    }

    #[test]
    fn control_characters_are_escaped_and_the_end_is_a_newline() {
        let text = render(&fixture::fleet());
        assert!(text.contains("\\u001b[31mPermission"));
        assert!(text.ends_with("}\n") && !text.contains('\u{1b}'));
    }
}
