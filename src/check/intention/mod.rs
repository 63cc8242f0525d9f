//! What somebody evidently meant: texts in apt's configuration that name open packages and do not keep them.

mod lexer;

use crate::check::exposure;
use crate::derive::protection::glob;
use crate::derive::protection::pattern::{self, Python};
use crate::evidence::Evidence;
use crate::probe::apt_config::AptConfig;
use crate::probe::apt_files::ConfFile;
use lexer::{Kind, Statement};

const NODE: &str = "Unattended-Upgrade::Package-Blacklist";

/// Why a text does not work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It stands in a comment.
    CommentedOut,
    /// apt does not read a file of this name.
    FileIgnored,
    /// It stands under another name than the updater's.
    WrongNamespace,
    /// A `;` is missing, so it became a name instead of a value.
    MissingSemicolon,
    /// A comma stands where a `;` belongs.
    Comma,
    /// Quotes that apt takes for part of the text.
    WrongQuotes,
    /// A value of the list itself instead of an entry in it.
    Scalar,
    /// A later `#clear` empties the list.
    ClearedLater,
    /// A shell glob where a regular expression belongs.
    Glob,
    /// The case of its letters.
    Case,
}

impl Fault {
    /// The word in the details.
    pub fn word(self) -> &'static str {
        match self {
            Self::CommentedOut => "commented-out",
            Self::FileIgnored => "file-ignored",
            Self::WrongNamespace => "wrong-namespace",
            Self::MissingSemicolon => "missing-semicolon",
            Self::Comma => "comma",
            Self::WrongQuotes => "wrong-quotes",
            Self::Scalar => "scalar",
            Self::ClearedLater => "cleared-later",
            Self::Glob => "glob",
            Self::Case => "case",
        }
    }
}

/// A text that does not work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed {
    /// The file and its line; `None` when only the effective configuration shows it.
    pub place: Option<(String, usize)>,
    /// The text, as written.
    pub text: String,
    /// Why it does not work.
    pub fault: Fault,
    /// The file or line that is at fault beside it: where the list is cleared, the node it stands under.
    pub also: String,
    /// Open packages it was meant for.
    pub meant: Vec<String>,
}

/// Finds them, in the order of the files.
pub fn failed(evidence: &Evidence, open: &[&str]) -> Vec<Failed> {
    let Some(config) = evidence.apt_config.known() else { return Vec::new() };
    let effective = config.list(NODE);
    let files = evidence.apt_files.known().map(|files| files.files.as_slice()).unwrap_or_default();
    let mut out: Vec<Failed> = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let Some(text) = &file.text else { continue };
        for statement in lexer::read(text) {
            let later = files.get(index + 1..).unwrap_or_default();
            out.extend(judge(file, text, &statement, later, &effective, open));
        }
    }
    for failed in from_dump(config, &effective, open) {
        if !out.iter().any(|known| known.meant.iter().any(|name| failed.meant.contains(name))) {
            out.push(failed);
        }
    }
    out
}

fn judge(
    file: &ConfFile,
    text: &str,
    statement: &Statement,
    later: &[ConfFile],
    effective: &[&str],
    open: &[&str],
) -> Vec<Failed> {
    let (node, values) = match statement.kind {
        Kind::Clear => return Vec::new(),
        Kind::Commented => (NODE.to_owned(), statement.words.clone()),
        Kind::Plain => split(statement),
    };
    if !mentions_a_blacklist(&node) {
        return Vec::new();
    }
    let in_list = node.eq_ignore_ascii_case(NODE);
    let scalar = in_list
        && statement.kind == Kind::Plain
        && !statement.node.eq_ignore_ascii_case(NODE)
        && !names_an_entry(statement);
    let mut out = Vec::new();
    for value in &values {
        let meant = meant_for(value, open);
        if meant.is_empty() {
            continue;
        }
        let cleared = || cleared_by(text, statement.line, &file.path, later);
        let (fault, also) = if !file.name_is_read {
            (Fault::FileIgnored, String::new())
        } else if statement.kind == Kind::Commented {
            (Fault::CommentedOut, String::new())
        } else if !in_list {
            (Fault::WrongNamespace, node.clone())
        } else if scalar {
            (Fault::Scalar, String::new())
        } else if values.len() > 1 {
            let comma = values.iter().any(|value| value.ends_with(','));
            (if comma { Fault::Comma } else { Fault::MissingSemicolon }, String::new())
        } else if let (Some(place), false) = (cleared(), effective.contains(&value.as_str())) {
            (Fault::ClearedLater, place)
        } else if let Some(fault) = own_fault(value) {
            (fault, String::new())
        } else {
            continue;
        };
        let place = Some((file.path.clone(), statement.line));
        out.push(Failed { place, text: value.clone(), fault, also, meant });
    }
    out
}

/// The node and the values of a statement: `NODE { "value"; }`, `NODE:: "value";`, `NODE "value";`.
fn split(statement: &Statement) -> (String, Vec<String>) {
    if mentions_a_blacklist(&statement.node) {
        return (statement.node.clone(), statement.words.clone());
    }
    let Some((key, values)) = statement.words.split_first() else { return (String::new(), Vec::new()) };
    let key = key.trim_end_matches(':');
    let node = if statement.node.is_empty() { key.to_owned() } else { format!("{}::{key}", statement.node) };
    (node, values.to_vec())
}

/// The key ends in `::`: an entry of the list, not its own value.
fn names_an_entry(statement: &Statement) -> bool {
    statement.words.first().is_some_and(|key| key.ends_with("::"))
}

fn mentions_a_blacklist(node: &str) -> bool {
    let node = node.to_ascii_lowercase();
    node.contains("blacklist") || node.contains("black-list") || node.contains("package-exclude")
}

/// What is wrong with a text that is an entry of the list and matches none of the open packages.
fn own_fault(value: &str) -> Option<Fault> {
    if value.contains(['\'', '\u{2018}', '\u{2019}', '\u{201c}', '\u{201d}', '`']) {
        return Some(Fault::WrongQuotes);
    }
    if value.ends_with(',') {
        return Some(Fault::Comma);
    }
    if value.contains(char::is_whitespace) {
        return Some(Fault::MissingSemicolon);
    }
    if value.contains('*') {
        return Some(Fault::Glob);
    }
    value.bytes().any(|b| b.is_ascii_uppercase()).then_some(Fault::Case)
}

/// Where the list is cleared after a place: below it in its own file, or in a later one that is read.
fn cleared_by(text: &str, line: usize, path: &str, later: &[ConfFile]) -> Option<String> {
    let clear_in = |text: &str, after: usize| {
        lexer::read(text)
            .into_iter()
            .find(|s| s.kind == Kind::Clear && s.line > after && s.words.iter().any(|rest| exposure::clears(rest)))
            .map(|s| s.line)
    };
    if let Some(line) = clear_in(text, line) {
        return Some(format!("{path} line {line}"));
    }
    later.iter().filter(|file| file.name_is_read).find_map(|file| {
        let line = clear_in(file.text.as_deref()?, 0)?;
        Some(format!("{} line {line}", file.path))
    })
}

/// What only the effective configuration shows.
fn from_dump(config: &AptConfig, effective: &[&str], open: &[&str]) -> Vec<Failed> {
    let mut out = Vec::new();
    let mut push = |text: &str, fault: Fault, also: &str| {
        let meant = meant_for(text, open);
        if !meant.is_empty() {
            out.push(Failed { place: None, text: text.to_owned(), fault, also: also.to_owned(), meant });
        }
    };
    for (key, value) in &config.entries {
        let head = key.get(..NODE.len()).unwrap_or_default();
        let tail = key.get(NODE.len()..).unwrap_or_default();
        if head.eq_ignore_ascii_case(NODE) {
            match tail.strip_prefix("::") {
                // apt writes a blank in a name as %20.
                Some(child) if !child.is_empty() => {
                    let fault = if child.ends_with(',') { Fault::Comma } else { Fault::MissingSemicolon };
                    push(&child.replace("%20", " "), fault, "");
                }
                Some(_) => {}
                None if tail.is_empty() => push(value, Fault::Scalar, ""),
                None => push(value, Fault::WrongNamespace, key.trim_end_matches(':')),
            }
        } else if mentions_a_blacklist(key) {
            push(value, Fault::WrongNamespace, key.trim_end_matches(':'));
        }
    }
    for value in effective {
        if let Some(fault) = own_fault(value) {
            push(value, fault, "");
        }
    }
    out
}

/// The open packages a text was evidently meant for: it speaks of the driver, and read as a pattern, a glob or the
/// beginning of a name, with quotes and case forgiven, it fits them.
fn meant_for(text: &str, open: &[&str]) -> Vec<String> {
    let trimmed = text.trim_matches(|c: char| {
        c.is_whitespace() || matches!(c, '\'' | '"' | '`' | ',' | '\u{2018}' | '\u{2019}' | '\u{201c}' | '\u{201d}')
    });
    let mut names: Vec<String> = Vec::new();
    for word in trimmed.split_whitespace() {
        let lower = word.to_lowercase();
        if !["nvidia", "cuda", "nvcuvid", "nvoptix", "nvsdm"].iter().any(|part| lower.contains(part)) {
            continue;
        }
        let matcher = pattern::compile(&format!("(?i){word}"), Python::Since311).ok();
        for name in open {
            let fits = matcher.as_ref().and_then(|matcher| matcher.matches(name)) == Some(true)
                || (glob::is_glob(word) && glob::matches(&lower, name, true));
            if fits && !names.iter().any(|known| known == name) {
                names.push((*name).to_owned());
            }
        }
    }
    names
}
