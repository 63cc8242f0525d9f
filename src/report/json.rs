//! `json`: the report model as it is, for CI jobs and `jq`.
//!
//! Nothing is stripped here: JSON escapes control characters itself, and machines want what was read.

use crate::report::model::Report;

/// The document, indented, with a final newline.
pub fn render(report: &Report) -> String {
    // Serialising plain structs with string keys cannot fail; an empty document would show at once if it ever did.
    let mut text = serde_json::to_string_pretty(report).unwrap_or_default();
    text.push('\n');
    text
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
    fn the_fixed_fleet() {
        insta::assert_snapshot!("json", render(&fixture::fleet()));
    }

    #[test]
    fn control_characters_are_escaped_and_the_end_is_a_newline() {
        let text = render(&fixture::fleet());
        assert!(text.contains("\\u001b[31mPermission"));
        assert!(text.ends_with("}\n") && !text.contains('\u{1b}'));
    }
}
