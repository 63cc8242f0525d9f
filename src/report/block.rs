//! A block of text about one kind of finding: whom it is on, what it says, what it rests on, what to do.

use crate::report::findings::{Group, Kind};
use crate::report::style::{Style, Tone, severity_tone};
use crate::report::{clean, fold, wrap};

/// Messages of one kind that are written out; further hosts are only named.
pub const MESSAGES: usize = 8;
/// Messages of one kind whose evidence is shown.
const EVIDENCED: usize = 1;
/// Lines of evidence per message.
const EVIDENCE: usize = 6;

/// The block of one kind of finding; `hosts` says whether its title names them.
pub fn finding(kind: &Kind, hosts: bool, style: &Style) -> Vec<String> {
    let head = match kind.fleet {
        true => format!("~ {}, fleet: {}", kind.severity.word(), kind.check),
        false => format!("{} {}: {}", style.severity_symbol(kind.severity), kind.severity.word(), kind.check),
    };
    let tone = severity_tone(kind.severity);
    let mut out = match kind.hosts().as_slice() {
        names if hosts && !names.is_empty() => title(style, tone, &head, names),
        _ => vec![style.paint(tone, &head)],
    };
    let alone = kind.groups.len() == 1;
    for (i, group) in kind.groups.iter().take(MESSAGES).enumerate() {
        out.extend(message(group, alone, style));
        if i < EVIDENCED {
            out.extend(evidence(group, style));
        }
    }
    let rest: Vec<&str> =
        kind.groups.iter().skip(MESSAGES).flat_map(|group| group.hosts.iter().map(String::as_str)).collect();
    if !rest.is_empty() {
        let text = format!("and {} more, each with its own message: ", rest.len());
        out.push(format!("  {text}"));
        out.extend(
            wrap::names(&fold::fold_list(&rest), style.width.saturating_sub(4)).iter().map(|l| format!("    {l}")),
        );
    }
    out.extend(fixes(kind, style));
    out.extend(more(&kind.check, style));
    out
}

/// The first fix in full. Others differ in names or versions; a page of each would bury the table.
fn fixes(kind: &Kind, style: &Style) -> Vec<String> {
    let Some(((hosts, text), rest)) = kind.fixes.split_first() else { return Vec::new() };
    let whom = if rest.is_empty() { None } else { Some(fold::fold_list(hosts)) };
    let mut out = fix(text, whom, style);
    let others: Vec<&String> = rest.iter().flat_map(|(hosts, _)| hosts).collect();
    if !others.is_empty() {
        let text =
            format!("{}: the same with their own names; `gpusweep audit` prints each host's", fold::fold(&others));
        out.extend(labelled("", wrap::lines(&text, style.width.saturating_sub(LABEL)), style));
    }
    out
}

fn message(group: &Group, alone: bool, style: &Style) -> Vec<String> {
    if alone {
        return indent(2, wrap::lines(&group.message, style.width.saturating_sub(2)));
    }
    let mut out: Vec<String> = wrap::names(&fold::fold_list(&group.hosts), style.width.saturating_sub(2))
        .iter()
        .map(|line| format!("  {}", style.paint(Tone::Strong, line)))
        .collect();
    let text = wrap::lines(&group.message, style.width.saturating_sub(4));
    // A short name and a short message share a line.
    if let ([name], [one]) = (out.as_mut_slice(), text.as_slice())
        && wrap::width(&fold::fold(&group.hosts)) + wrap::width(one) + 4 <= style.width
    {
        *name = format!("{name}: {one}");
        return out;
    }
    out.extend(indent(4, text));
    out
}

fn evidence(group: &Group, style: &Style) -> Vec<String> {
    let shown: Vec<_> = group.evidence.iter().take(EVIDENCE).collect();
    let widest = shown.iter().map(|line| wrap::width(&line.probe)).max().unwrap_or(0);
    let mut lines = Vec::new();
    for line in &shown {
        let probe = clean::line(&line.probe);
        let pad = " ".repeat(widest.saturating_sub(wrap::width(&probe)) + 2);
        let text = wrap::lines(&clean::short(&line.text, 600), style.width.saturating_sub(LABEL + widest + 2));
        lines.extend(wrap::hang(&format!("{probe}{pad}"), text));
    }
    if group.evidence.len() > shown.len() {
        lines.push(format!("and {} more lines", group.evidence.len() - shown.len()));
    }
    labelled("evidence", lines, style)
}

fn fix(text: &str, whom: Option<Vec<String>>, style: &Style) -> Vec<String> {
    let room = style.width.saturating_sub(LABEL);
    let mut lines: Vec<(usize, String)> = Vec::new();
    if let Some(hosts) = whom {
        lines.extend(wrap::names(&hosts, room).iter().map(|line| (LABEL, style.paint(Tone::Strong, line))));
    }
    let command = |line: &&str| line.starts_with([' ', '\t']);
    let blanks = |line: &str| line.len() - line.trim_start().len();
    let margin = text.lines().filter(command).map(blanks).min().unwrap_or(0);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        if command(&line) {
            lines.extend(fix_command(line.get(margin..).unwrap_or(line), style));
        } else {
            lines.extend(wrap::lines(line, room).into_iter().map(|line| (LABEL, line)));
        }
    }
    let label = format!("  {}{}", style.paint(Tone::Quiet, "fix"), " ".repeat(LABEL - 5));
    let mut out = Vec::new();
    for (i, (indent, line)) in lines.into_iter().enumerate() {
        match i {
            0 if indent >= LABEL => out.push(format!("{label}{}{line}", " ".repeat(indent - LABEL))),
            0 => out.extend([label.trim_end().to_owned(), format!("{}{line}", " ".repeat(indent))]),
            _ => out.push(format!("{}{line}", " ".repeat(indent))),
        }
    }
    out
}

/// A command where it can be pasted from: under the prose, or further left when it is too wide for that.
fn fix_command(line: &str, style: &Style) -> Vec<(usize, String)> {
    const FAR: usize = LABEL + 2;
    const NEAR: usize = 4;
    let fits = FAR + wrap::width(line) <= style.width;
    let indent = if fits { FAR } else { NEAR };
    let parts = wrap::command(line, style.width.saturating_sub(indent));
    parts.into_iter().map(|part| (indent, style.paint(Tone::Command, &part))).collect()
}

/// Where to read on; left out where the screen is too narrow for a command to paste.
pub fn more(check: &str, style: &Style) -> Vec<String> {
    let text = format!("gpusweep explain {check}");
    if LABEL + wrap::width(&text) > style.width {
        return Vec::new();
    }
    labelled("more", vec![style.paint(Tone::Command, &text)], style)
}

/// `HEAD on HOST`, or `HEAD on 3 hosts: gpu-[1-3]`.
pub fn title(style: &Style, tone: Tone, head: &str, hosts: &[&str]) -> Vec<String> {
    let sets = fold::fold_list(hosts);
    let on = if hosts.len() > 1 { format!(" on {} hosts: ", hosts.len()) } else { " on ".to_owned() };
    let used = wrap::width(head) + wrap::width(&on);
    let names = wrap::names(&sets, style.width.saturating_sub(used).max(10));
    let first = format!("{}{on}", style.paint(tone, head));
    let mut out = Vec::new();
    for (i, line) in names.iter().enumerate() {
        let name = style.paint(Tone::Strong, line);
        match i {
            0 if used + wrap::width(line) <= style.width => out.push(format!("{first}{name}")),
            0 => out.extend([first.trim_end().to_owned(), format!("    {name}")]),
            _ => out.push(format!("    {name}")),
        }
    }
    out
}

/// Width of `  evidence  `.
pub const LABEL: usize = 12;

/// Lines behind a label.
pub fn labelled(label: &str, lines: Vec<String>, style: &Style) -> Vec<String> {
    if lines.is_empty() {
        return lines;
    }
    let pad = " ".repeat(LABEL - 2 - label.len());
    lines
        .into_iter()
        .enumerate()
        .map(|(i, line)| match i {
            0 => format!("  {}{pad}{line}", style.paint(Tone::Quiet, label)),
            _ => format!("{}{line}", " ".repeat(LABEL)),
        })
        .collect()
}

/// Lines moved right.
pub fn indent(by: usize, lines: Vec<String>) -> Vec<String> {
    lines.into_iter().map(|line| format!("{}{line}", " ".repeat(by))).collect()
}

/// A paragraph behind a quiet word, its further lines indented.
pub fn note(style: &Style, head: &str, text: &str) -> Vec<String> {
    let room = style.width.saturating_sub(2);
    let mut lines = wrap::lines(&format!("{head}: {text}"), room);
    if let Some(first) = lines.first_mut() {
        *first = first.replacen(head, &style.paint(Tone::Quiet, head), 1);
    }
    hanging(2, lines)
}

/// Lines of which all but the first move right.
pub fn hanging(by: usize, lines: Vec<String>) -> Vec<String> {
    let indent = " ".repeat(by);
    lines.into_iter().enumerate().map(|(i, l)| if i == 0 { l } else { format!("{indent}{l}") }).collect()
}
