//! Documentation of checks for the terminal.

use crate::check::Check;
use crate::explain::doc::{Piece, pieces};
use crate::report::style::{Style, Tone, severity_tone};
use crate::report::{clean, plain_table, wrap};

/// The widest line of prose that reads well.
const READABLE: usize = 96;

/// Lines of a pasted text that are shown again.
const PASTED: usize = 3;

/// One check's page.
pub fn page(check: &Check, style: &Style) -> String {
    let mut lines = head(check, style);
    let room = style.width.clamp(20, READABLE) - 2;
    let mut before = None;
    for piece in pieces(check.source) {
        let here = std::mem::discriminant(&piece);
        let together = before == Some(here) && matches!(piece, Piece::Item(_) | Piece::Code(_));
        match piece {
            Piece::Heading(1, _) => continue,
            Piece::Heading(_, text) => {
                lines.extend([String::new(), style.paint(Tone::Strong, &text)]);
                before = None;
                continue;
            }
            _ if before.is_some() && !together => lines.push(String::new()),
            _ => {}
        }
        before = Some(here);
        match &piece {
            Piece::Heading(..) => {}
            Piece::Paragraph(text) => lines.extend(wrap::lines(text, room).iter().map(|line| format!("  {line}"))),
            Piece::Item(text) => {
                let body = wrap::lines(text, room.saturating_sub(2));
                lines.extend(wrap::hang("- ", body).iter().map(|line| format!("  {line}")));
            }
            Piece::Code(text) => lines.push(format!("    {}", style.paint(Tone::Command, text))),
        }
    }
    lines.extend(foot(check, room, style));
    style.finish(&lines)
}

/// The checks that know a pasted error text: one page, or a choice.
pub fn symptom_page(what: &str, checks: &[&Check], style: &Style) -> String {
    if let [check] = checks {
        return page(check, style);
    }
    let text = clean::line(what);
    let mut lines = wrap::lines(&format!("That text is a symptom of {} checks:", checks.len()), style.width);
    lines.push(String::new());
    let widest = checks.iter().map(|check| check.id.len()).max().unwrap_or(0);
    for check in checks {
        let pad = " ".repeat(widest - check.id.len() + 2);
        let body = wrap::lines(check.summary, style.width.saturating_sub(widest + 4).max(20));
        let plain = wrap::hang(&format!("  {}{pad}", check.id), body);
        lines.extend(plain.iter().map(|line| line.replacen(check.id, &style.paint(Tone::Strong, check.id), 1)));
    }
    lines.push(String::new());
    let next = "which one it is, a host's own clues tell: `gpusweep audit HOST`; more on each: `gpusweep explain ID`";
    lines.extend(wrap::lines(next, style.width));
    let pasted = wrap::lines(&text, style.width);
    lines.splice(0..0, pasted.iter().take(PASTED).map(|line| style.paint(Tone::Quiet, line)));
    style.finish(&lines)
}

/// Every check on a line.
pub fn catalogue(checks: &[Check], style: &Style) -> String {
    let rows = checks.iter().map(|check| {
        vec![
            check.id.to_owned(),
            format!("{} {}", style.severity_symbol(check.severity), check.severity.word()),
            check.summary.to_owned(),
        ]
    });
    let mut text = plain_table(&["check", "severity", "finds"], rows, style);
    let more =
        format!("{} checks; `gpusweep explain ID` tells what one looks at, why, and how to fix it", checks.len());
    text.push_str(&style.finish(&wrap::lines(&more, style.width)));
    text
}

fn head(check: &Check, style: &Style) -> Vec<String> {
    let severity = format!("{} {}", style.severity_symbol(check.severity), check.severity.word());
    let mut lines = vec![format!(
        "{}  {}",
        style.paint(Tone::Strong, check.id),
        style.paint(severity_tone(check.severity), &severity)
    )];
    lines.extend(wrap::lines(check.summary, style.width.clamp(20, READABLE)));
    lines
}

fn foot(check: &Check, room: usize, style: &Style) -> Vec<String> {
    let mut lines = Vec::new();
    let mut section = |title: &str, text: String| {
        lines.extend([String::new(), style.paint(Tone::Strong, title)]);
        lines.extend(wrap::lines(&text, room).iter().map(|line| format!("  {line}")));
    };
    if !check.symptoms.is_empty() {
        let texts: Vec<String> = check.symptoms.iter().map(|text| format!("`{text}`")).collect();
        section("Error texts that lead here", texts.join(", "));
    }
    if !check.needs.is_empty() {
        let names: Vec<String> = check.needs.iter().map(|probe| format!("`{}`", probe.name())).collect();
        section("Probes it cannot do without", names.join(", "));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::fixture::CHECKS;

    fn style(width: usize) -> Style {
        Style { width, color: false, unicode: true, unread: false, now: jiff::Timestamp::UNIX_EPOCH }
    }

    #[test]
    fn a_page() {
        insta::assert_snapshot!("page", page(&CHECKS[2], &style(60)));
    }

    #[test]
    fn a_choice_of_checks() {
        let checks = [&CHECKS[1], &CHECKS[2]];
        insta::assert_snapshot!(
            "choice",
            symptom_page("Driver/library version\u{1b}[1m mismatch", &checks, &style(70))
        );
        assert_eq!(symptom_page("x", &checks[..1], &style(60)), page(&CHECKS[1], &style(60)));
    }

    #[test]
    fn the_catalogue() {
        insta::assert_snapshot!("catalogue", catalogue(&CHECKS, &style(60)));
    }
}
