//! Running commands of this machine: every failure carries the whole output.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// What a finished command left.
pub struct Done {
    /// Its exit status, `-1` for a signal.
    pub code: i32,
    /// Its standard output.
    pub out: String,
    /// Its standard error.
    pub err: String,
}

/// Runs a shell script and returns its standard output.
///
/// # Panics
/// With all output when the script fails.
pub fn sh(script: &str) -> String {
    let done = feed(Command::new("/bin/sh").arg("-eu"), script);
    assert!(done.code == 0, "script failed ({}):\n{script}\n--- out\n{}\n--- err\n{}", done.code, done.out, done.err);
    done.out
}

/// Runs a command with `input` on its standard input, to the end.
pub fn feed(command: &mut Command, input: &str) -> Done {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("cannot start {command:?}: {error}"));
    let mut pipe = child.stdin.take().expect("stdin is a pipe");
    let input = input.to_owned();
    // A child may print before it has read everything, or exit without reading: never wait for the write here.
    let writer = std::thread::spawn(move || drop(pipe.write_all(input.as_bytes())));
    let output = child.wait_with_output().expect("child can be waited for");
    writer.join().expect("writer ends");
    Done {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Whether a program is on `PATH` or in the folders for administrators.
pub fn has(program: &str) -> bool {
    let path = std::env::var("PATH").unwrap_or_default();
    path.split(':').chain(["/usr/sbin", "/sbin"]).any(|folder| Path::new(folder).join(program).is_file())
}

/// Quotes a word for the shell.
pub fn word(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// A short stable name for some content.
pub fn digest(parts: &[&str]) -> String {
    use sha1::{Digest as _, Sha1};
    let mut hash = Sha1::new();
    for part in parts {
        hash.update(part.len().to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// A line that is seen even when the test harness captures output.
pub fn say(line: &str) {
    drop(writeln!(std::io::stderr(), "lab: {line}"));
}
