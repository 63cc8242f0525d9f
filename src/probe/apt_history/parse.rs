//! The frame's sections to evidence.

use super::{Action, AptHistory, Item, Stanza};
use crate::probe::{Sections, log_files};
use crate::reading::Reading;

/// Reads the frame.
pub fn parse(sections: &Sections) -> Reading<AptHistory> {
    log_files::read(sections).map(|log| {
        let mut stanzas: Vec<Stanza> = Vec::new();
        for file in &log.files {
            let known = stanzas.len();
            for stanza in read(&file.lines, file.path) {
                // A rotation that was interrupted leaves the same stanzas in two files.
                let again = stanzas.iter().take(known).any(|other| {
                    other.start == stanza.start && Stanza { file: stanza.file.clone(), ..other.clone() } == stanza
                });
                if !again {
                    stanzas.push(stanza);
                }
            }
        }
        AptHistory { stanzas, reaches_back_to: log.reaches_back_to, unread_files: log.unread_files }
    })
}

/// The stanzas of one file. Lines before the first `Start-Date` belong to a stanza whose begin is lost.
fn read(lines: &[&str], file: &str) -> Vec<Stanza> {
    let mut stanzas = Vec::new();
    let mut open: Option<Stanza> = None;
    for line in lines {
        let Some((key, value)) = line.split_once(':') else { continue };
        let value = value.trim();
        if key == "Start-Date" {
            stanzas.extend(open.take());
            open = log_files::stamp(value).map(|start| Stanza { start, file: file.to_owned(), ..Stanza::default() });
            continue;
        }
        let Some(stanza) = open.as_mut() else { continue };
        match key {
            "End-Date" => stanza.end = log_files::stamp(value),
            "Commandline" => stanza.commandline = Some(value.to_owned()),
            "Requested-By" => stanza.requested_by = Some(value.to_owned()),
            "Error" => stanza.error = Some(value.to_owned()),
            _ => {
                if let Some(action) = action(key) {
                    stanza.items.extend(items(action, value));
                }
            }
        }
    }
    stanzas.extend(open);
    stanzas
}

fn action(key: &str) -> Option<Action> {
    Some(match key {
        "Install" => Action::Install,
        "Reinstall" => Action::Reinstall,
        "Upgrade" => Action::Upgrade,
        "Downgrade" => Action::Downgrade,
        "Remove" => Action::Remove,
        "Purge" => Action::Purge,
        _ => return None,
    })
}

/// A list: `name:arch (old, new), name:arch (new, automatic), name:arch (old)`. When the stanza was cut in it, the last
/// item has no closing bracket and its last version may be half a version: that one is dropped.
fn items(action: Action, list: &str) -> impl Iterator<Item = Item> {
    let whole = list.strip_suffix(')');
    let mut texts = whole.unwrap_or(list).split("), ").peekable();
    std::iter::from_fn(move || {
        let text = texts.next()?;
        Some(item(action, text, whole.is_some() || texts.peek().is_some()))
    })
    .flatten()
}

fn item(action: Action, text: &str, whole: bool) -> Option<Item> {
    let (package, versions) = text.split_once(" (")?;
    let (name, arch) = package.trim().split_once(':').unwrap_or((package.trim(), ""));
    if name.is_empty() || name.contains(char::is_whitespace) {
        return None;
    }
    let mut parts: Vec<&str> = versions.split(',').map(str::trim).collect();
    if !whole {
        parts.pop();
    }
    let mut parts = parts.into_iter().filter(|part| !part.is_empty() && *part != "automatic");
    let mut next = || parts.next().map(str::to_owned);
    let (old, new) = match action {
        Action::Install | Action::Reinstall => (None, next()),
        Action::Upgrade | Action::Downgrade => (next(), next()),
        Action::Remove | Action::Purge => (next(), None),
    };
    Some(Item { action, name: name.to_owned(), arch: arch.to_owned(), old, new })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::{samples, shells};

    #[test]
    fn samples_read_as_expected() {
        samples::check("apt_history", parse);
    }

    #[test]
    fn noise_does_no_harm() {
        samples::survive("apt_history", parse);
    }

    #[test]
    fn every_shell_ships_the_same() {
        shells::check("apt_history", "apt_history_of", "/var/log/apt/history.log");
    }
}
