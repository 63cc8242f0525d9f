//! The data-folder test of a probe: each `samples/NAME.txt` holds a frame's body, `NAME.expected` the reading of it.
//!
//! A sample is named after what is unusual in it. With `GPUSWEEP_BLESS=1` the expectations are written anew; read the
//! difference before committing it.

use std::fmt::Debug;
use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::Sections;
use crate::reading::Reading;

/// Holds every sample in `src/probe/FOLDER/samples` against its expectation.
pub fn check<T: Debug>(folder: &str, parse: fn(&Sections) -> Reading<T>) {
    let mut wrong = String::new();
    let inputs = inputs(folder);
    assert!(!inputs.is_empty(), "no samples in {folder}");
    for input in &inputs {
        let got = format!("{:#?}\n", parse(&Sections::parse(&lossy(input))));
        let expected = input.with_extension("expected");
        if std::env::var_os("GPUSWEEP_BLESS").is_some() {
            fs::write(&expected, &got).unwrap();
        }
        let want = fs::read_to_string(&expected).unwrap_or_default();
        if got != want {
            wrong.push_str(&format!("{}:\n--- expected\n{want}--- got\n{got}\n", input.display()));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Feeds a parser pieces of its samples, cut, shuffled and with noise in them: it may say anything, but not panic.
pub fn survive<T: Debug>(folder: &str, parse: fn(&Sections) -> Reading<T>) {
    let mut lines: Vec<String> =
        vec!["+".into(), "-ok 0".into(), "-failed x".into(), "|".into(), "|\u{1b}[0m\u{fffd}é".into()];
    for input in inputs(folder) {
        lines.extend(lossy(&input).lines().map(str::to_owned));
    }
    let line = prop_oneof![
        4 => proptest::sample::select(lines.clone()),
        1 => (proptest::sample::select(lines), any::<prop::sample::Index>()).prop_map(|(line, at)| {
            let count = line.chars().count() + 1;
            line.chars().take(at.index(count)).collect()
        }),
        1 => ".{0,40}".prop_map(|noise| format!("|{noise}")),
    ];
    let body = proptest::collection::vec(line, 0..40).prop_map(|lines| lines.join("\n"));
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::with_cases(400) });
    runner
        .run(&body, |body| {
            let _ = parse(&Sections::parse(&body));
            Ok(())
        })
        .unwrap();
}

fn inputs(folder: &str) -> Vec<PathBuf> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/probe").join(folder).join("samples");
    let Ok(entries) = fs::read_dir(&samples) else { return Vec::new() };
    let mut inputs: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "txt"))
        .collect();
    inputs.sort();
    inputs
}

fn lossy(path: &Path) -> String {
    String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned()
}
