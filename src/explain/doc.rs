//! The `//!` block at the head of a source text, taken apart into the few kinds of paragraph that it uses.

/// A piece of documentation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// `# Heading` with its depth, from 1.
    Heading(usize, String),
    /// Prose, joined to one line.
    Paragraph(String),
    /// One item of a list, joined to one line.
    Item(String),
    /// A line of code, as it stands.
    Code(String),
}

/// The lines of the first `//!` block, without their marks.
pub fn lines(source: &str) -> Vec<&str> {
    source
        .lines()
        .skip_while(|line| !line.starts_with("//!"))
        .map_while(|line| line.strip_prefix("//!"))
        .map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end())
        .collect()
}

/// Takes the block apart.
pub fn pieces(source: &str) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::new();
    let (mut fenced, mut fresh) = (false, true);
    for line in lines(source) {
        if line.starts_with("```") {
            fenced = !fenced;
            fresh = true;
        } else if fenced || line.starts_with("    ") {
            out.push(Piece::Code(line.strip_prefix("    ").filter(|_| !fenced).unwrap_or(line).to_owned()));
        } else if line.is_empty() {
            fresh = true;
        } else if let Some((depth, text)) = heading(line) {
            out.push(Piece::Heading(depth, text.to_owned()));
            fresh = true;
        } else if let Some(text) = line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")) {
            out.push(Piece::Item(text.to_owned()));
            fresh = false;
        } else {
            match out.last_mut().filter(|_| !fresh) {
                Some(Piece::Paragraph(text) | Piece::Item(text)) => {
                    text.push(' ');
                    text.push_str(line.trim_start());
                }
                _ => out.push(Piece::Paragraph(line.to_owned())),
            }
            fresh = false;
        }
    }
    out
}

fn heading(line: &str) -> Option<(usize, &str)> {
    let depth = line.bytes().take_while(|byte| *byte == b'#').count();
    let text = line.get(depth..)?.strip_prefix(' ')?;
    (depth > 0).then_some((depth, text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::fixture::CHECKS;

    #[test]
    fn a_block_is_taken_apart() {
        let said = |text: &str| text.to_owned();
        assert_eq!(
            pieces(CHECKS[0].source),
            vec![
                Piece::Heading(1, said("half-upgraded")),
                Piece::Heading(2, said("What it checks")),
                Piece::Paragraph(said(
                    "Two versions differ, and `libnvidia-ml.so.1` is the newer one of the two by far. It goes on."
                )),
                Piece::Item(said("one thing")),
                Piece::Item(said("another thing that is long enough to be broken somewhere")),
                Piece::Code(said("Driver/library   version mismatch")),
                Piece::Heading(2, said("Fix")),
                Piece::Paragraph(said("Reboot.")),
            ]
        );
    }

    #[test]
    fn a_source_without_documentation_has_none() {
        assert_eq!(pieces("use x;\nfn y() {}\n"), vec![]);
    }
}
