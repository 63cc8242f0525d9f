//! The real binary, as a person or a CI job runs it.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod catalogue;
mod demo;
mod errors;
mod interrupt;
mod output;

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A finished run.
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// Standard output as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}\n{}", self.out, self.err))
    }
}

/// Runs the binary with a scrubbed environment and an empty home.
pub fn gpusweep(args: &[&str]) -> Ran {
    let home = tempfile::tempdir().unwrap();
    let output: Output = Command::new(env!("CARGO_BIN_EXE_gpusweep"))
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_clear()
        .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
        .env("HOME", home.path())
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A file with this text, kept until the folder is dropped.
pub fn file(folder: &tempfile::TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    path
}
