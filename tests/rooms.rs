//! Holds each pure room's imports against an allow-list, and checks that it forbids the impure lints.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Each pure room and the other rooms it may name. A room may always name itself.
const ROOMS: &[(&str, &[&str])] = &[
    ("reading.rs", &[]),
    ("transcript.rs", &[]),
    ("probe", &["reading", "transcript"]),
    ("evidence.rs", &["probe", "reading", "transcript"]),
    ("derive", &["check", "evidence", "probe", "reading", "remedy"]),
    ("check", &["derive", "evidence", "probe", "reading", "remedy"]),
    ("remedy", &["check", "derive", "evidence", "probe", "reading"]),
    ("verdict", &["check", "derive", "evidence", "probe", "reading", "report", "transcript"]),
    ("report", &["check", "reading"]),
    ("explain", &["check", "probe", "report"]),
    ("yaml", &[]),
    ("playbook", &["check", "inventory", "yaml"]),
];

fn sources(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(path).unwrap() {
        let entry = entry.unwrap().path();
        if entry.is_dir() {
            found.extend(sources(&entry));
        } else if entry.extension().is_some_and(|ext| ext == "rs") {
            found.push(entry);
        }
    }
    found.sort();
    found
}

/// The text in front of the file's tests: a test may look across rooms.
fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]").next().unwrap()
}

/// Every `crate::ROOM` in a text, `use crate::{a::b, c}` lists included.
fn rooms_named(text: &str) -> BTreeSet<String> {
    let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut found = BTreeSet::new();
    for (at, _) in text.match_indices("crate::") {
        let rest = &text[at + "crate::".len()..];
        if let Some(list) = rest.strip_prefix('{') {
            let mut depth = 0;
            let mut start = true;
            for (i, c) in list.char_indices() {
                match c {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => start = true,
                    c if start && (c.is_alphabetic() || c == '_') => {
                        found.insert(word(&list[i..]));
                        start = false;
                    }
                    _ => {}
                }
            }
        } else {
            found.insert(word(rest));
        }
    }
    found
}

#[test]
fn pure_rooms_import_only_what_they_may() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    for (room, allowed) in ROOMS {
        let own = room.trim_end_matches(".rs");
        for file in sources(&src.join(room)) {
            let name = file.strip_prefix(&src).unwrap().display().to_string();
            // A file of tests or fixtures stands beside the code it tests.
            if name.ends_with("tests.rs") || name.contains("/tests/") || name.contains("fixture") {
                continue;
            }
            let text = fs::read_to_string(&file).unwrap();
            for named in rooms_named(without_tests(&text)) {
                if named != own && !allowed.contains(&named.as_str()) {
                    wrong.push(format!("{name} names crate::{named}"));
                }
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn pure_rooms_forbid_clocks_files_and_printing() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (room, _) in ROOMS.iter().filter(|(room, _)| !room.ends_with(".rs")) {
        let text = fs::read_to_string(src.join(room).join("mod.rs")).unwrap().replace(char::is_whitespace, "");
        let lints = "forbid(clippy::disallowed_methods,clippy::disallowed_types,clippy::disallowed_macros)";
        assert!(text.contains(lints), "src/{room}/mod.rs does not forbid the impure lints");
    }
}

#[test]
fn the_import_reader_sees_lists_and_paths() {
    let text = "use crate::check::Look;\nuse crate::{probe::{a, b}, reading::Reading};\nfn f() { crate::verdict::x() }";
    let expected: BTreeSet<String> = ["check", "probe", "reading", "verdict"].map(String::from).into();
    assert_eq!(rooms_named(text), expected);
}
