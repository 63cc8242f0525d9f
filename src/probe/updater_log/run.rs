//! One run's lines, read by what no translation changes.
//!
//! A run begins with four lines within two seconds: that it starts, its origins (`o=Debian,...`), its blacklist and its
//! whitelist, in this order; up to 0.9x blacklist (and whitelist) stand before the other two. Both orders are told
//! apart by where the origins stand. The list of packages to upgrade is the line whose next one names the dpkg log.

use jiff::civil::DateTime;

use super::UpdaterRun;
use crate::probe::log_files::stamp;

/// The most of one run that is kept; a host's log is not trusted to be small.
const MOST: usize = 2000;

struct Line<'a> {
    at: DateTime,
    level: &'a str,
    /// Other blanks and colons made the plain ones.
    message: String,
}

/// Reads a run; `None` when no line carries a stamp.
pub(super) fn read(lines: &[&str]) -> Option<UpdaterRun> {
    let mut run = UpdaterRun::default();
    let mut entries: Vec<Line<'_>> = Vec::new();
    for text in lines.iter().take(MOST) {
        if let Some(ending) = text.strip_prefix(' ') {
            run.errors.push(ending.trim().to_owned());
        } else if let Some(entry) = entry(text) {
            if matches!(entry.level, "ERROR" | "CRITICAL") {
                run.errors.push(entry.message.clone());
            }
            run.dry_run |= entry.message.contains("--dry-run");
            entries.push(entry);
        }
    }
    for pair in entries.windows(2) {
        if let [list, log] = pair
            && list.level == "INFO"
            && log.level == "INFO"
            && log.message.contains("unattended-upgrades-dpkg.log")
        {
            run.packages.extend(packages(&list.message));
        }
    }
    let head = entries.iter().position(|entry| origins(&entry.message));
    let (first, blacklist) = head.map_or((0, None), |head| opening(&entries, head));
    run.started = entries.get(first)?.at;
    // Where no origins are allowed, only the untranslated words are left to go by.
    let named = entries.iter().find(|entry| entry.message.starts_with("Initial blacklist"));
    run.blacklist = blacklist.or_else(|| named.and_then(|entry| behind_colon(&entry.message)).map(words));
    Some(run)
}

/// Where the run begins, and its blacklist, from the position of its origins.
fn opening(entries: &[Line<'_>], head: usize) -> (usize, Option<Vec<String>>) {
    let listing = |at: Option<usize>| {
        let (entry, origin) = (entries.get(at?)?, entries.get(head)?);
        let near = entry.at.duration_until(origin.at).as_secs().abs() <= 2;
        (near && entry.level == "INFO").then(|| behind_colon(&entry.message)).flatten()
    };
    let start = head.saturating_sub(1);
    if let (Some(blacklist), Some(_)) = (listing(head.checked_add(1)), listing(head.checked_add(2))) {
        return (start, Some(words(blacklist)));
    }
    let before = |back: usize| listing(head.checked_sub(back)).map(|text| (head.saturating_sub(back), text));
    match (before(3), before(2)) {
        (Some((first, blacklist)), Some(_)) | (None, Some((first, blacklist))) => (first, Some(words(blacklist))),
        _ => (start, None),
    }
}

/// Patterns are joined by blanks; one that holds a blank cannot be told from two.
fn words(text: &str) -> Vec<String> {
    text.split_ascii_whitespace().map(str::to_owned).collect()
}

/// `2026-11-30 23:56:21,869 INFO message`.
fn entry(text: &str) -> Option<Line<'_>> {
    let at = stamp(text)?;
    let mut parts = text.splitn(4, ' ').skip(2);
    let level = parts.next().unwrap_or_default();
    let message = parts.next().unwrap_or_default().replace('\u{a0}', " ").replace('\u{ff1a}', ": ");
    Some(Line { at, level, message })
}

/// What stands behind the first colon that a blank or the end follows.
fn behind_colon(message: &str) -> Option<&str> {
    match message.split_once(": ") {
        Some((_, rest)) => Some(rest),
        None => message.strip_suffix(':').map(|_| ""),
    }
}

/// Whether a message lists origins: Python's list of them, or patterns such as `origin=Debian,codename=bookworm`.
fn origins(message: &str) -> bool {
    const KEYS: [&str; 12] =
        ["origin", "archive", "suite", "label", "component", "codename", "site", "o", "a", "l", "c", "n"];
    behind_colon(message).is_some_and(|list| {
        let key = list.split('=').next().unwrap_or_default();
        list.starts_with('[') || (list.contains('=') && KEYS.contains(&key))
    })
}

/// The names behind the last colon, if all of them are package names.
fn packages(message: &str) -> Vec<String> {
    let list = message.rsplit(": ").next().filter(|list| list.len() < message.len()).unwrap_or_default();
    let names: Vec<String> = list.split_ascii_whitespace().take(MOST).map(str::to_owned).collect();
    if names.iter().all(|name| is_package(name)) { names } else { Vec::new() }
}

fn is_package(name: &str) -> bool {
    let (name, arch) = name.split_once(':').unwrap_or((name, "any"));
    let letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    name.len() > 1
        && name.bytes().next().is_some_and(letter)
        && name.bytes().all(|byte| letter(byte) || b"+-.".contains(&byte))
        && !arch.is_empty()
        && arch.bytes().all(|byte| letter(byte) || byte == b'-')
}
