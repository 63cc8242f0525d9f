//! The script's output as it comes in: whose first line was the header, whether the end line has come.

use crate::reading::{Reason, Unread};
use crate::transcript::HEADER;

use super::text::one_line_bytes;

/// Bytes of a host's stderr that are kept.
const STDERR_CAP: usize = 4096;

/// Watches the output of one script, piece by piece, for its header and its end line.
pub(crate) struct Output {
    header: Vec<u8>,
    done: Vec<u8>,
    /// The line that is still open, cut at the longest line that matters.
    line: Vec<u8>,
    pub started: bool,
    pub complete: bool,
    pub stderr: Vec<u8>,
}

/// How the far end's shell ended, as far as it said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Exit {
    Status(u32),
    Signal(String),
    Silent,
}

impl Output {
    pub fn new(marker: &str) -> Self {
        Self {
            header: format!("{HEADER} {marker}").into_bytes(),
            done: format!("{marker} done").into_bytes(),
            line: Vec::new(),
            started: false,
            complete: false,
            stderr: Vec::new(),
        }
    }

    /// Takes the next piece; true once the end line is complete.
    pub fn feed(&mut self, data: &[u8]) -> bool {
        let longest = self.header.len().max(self.done.len()) + 2;
        for piece in data.split_inclusive(|byte| *byte == b'\n') {
            let room = longest.saturating_sub(self.line.len());
            self.line.extend_from_slice(piece.get(..room.min(piece.len())).unwrap_or_default());
            if piece.last() == Some(&b'\n') {
                self.end_line();
            }
            if self.complete {
                return true;
            }
        }
        false
    }

    fn end_line(&mut self) {
        let line = self.line.trim_ascii_end();
        if line == self.header {
            self.started = true;
        } else if self.started && line == self.done {
            self.complete = true;
        }
        self.line.clear();
    }

    pub fn feed_stderr(&mut self, data: &[u8]) {
        let room = STDERR_CAP.saturating_sub(self.stderr.len());
        self.stderr.extend_from_slice(data.get(..room.min(data.len())).unwrap_or_default());
    }

    /// Why output that never reached its end line ended, in one line.
    pub fn unfinished(&self, exit: &Exit, stdout: &[u8]) -> Unread {
        let ended = match exit {
            Exit::Status(status) => format!("exit status {status}"),
            Exit::Signal(name) => format!("killed by {name}"),
            Exit::Silent => "no exit status".to_owned(),
        };
        if !self.started {
            let said = [stdout, self.stderr.as_slice()].map(one_line_bytes).into_iter().find(|said| !said.is_empty());
            let said = said.map_or_else(|| "it printed nothing".to_owned(), |said| format!("it printed: {said}"));
            return Unread::new(Reason::Shell, format!("the login shell did not run the script ({ended}); {said}"));
        }
        let said = one_line_bytes(&self.stderr);
        let said = if said.is_empty() { said } else { format!("; stderr: {said}") };
        let reason = if *exit == Exit::Silent { Reason::NoExitStatus } else { Reason::Shell };
        Unread::new(reason, format!("the script stopped before its end ({ended}){said}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const M: &str = "%%0123456789abcdef";

    #[test]
    fn the_end_line_is_seen_across_pieces_and_only_alone_on_its_line() {
        let mut output = Output::new(M);
        assert!(!output.feed(b"motd\n%%0123456789abcdef done\n"), "an end line before the header is noise");
        assert!(!output.feed(b"gpusweep-transcript/1 %%0123456789abcdef\r\n%%012345"));
        assert!(output.started);
        assert!(!output.feed(b"6789abcdef done and more\n |%%0123456789abcdef done\n"));
        assert!(!output.feed(b"%%0123456789abcdef done"));
        assert!(output.feed(b"\n"));
    }

    #[test]
    fn a_line_without_end_costs_no_memory() {
        let mut output = Output::new(M);
        output.feed(&vec![b'x'; 1 << 20]);
        assert!(output.line.len() < 100);
    }

    #[test]
    fn what_a_shell_printed_instead_is_told() {
        let output = Output::new(M);
        let why = output.unfinished(&Exit::Status(1), b"This account is currently not available.\n");
        assert_eq!(why.reason, Reason::Shell);
        assert_eq!(
            why.detail,
            "the login shell did not run the script (exit status 1); it printed: This account is currently not available."
        );
    }

    #[test]
    fn a_script_cut_short_differs_by_what_is_known() {
        let mut output = Output::new(M);
        output.feed(format!("{HEADER} {M}\n").as_bytes());
        assert_eq!(output.unfinished(&Exit::Silent, b"").reason, Reason::NoExitStatus);
        output.feed_stderr(b"sh: 3: Syntax error\n");
        let why = output.unfinished(&Exit::Status(2), b"");
        assert_eq!(why.reason, Reason::Shell);
        assert_eq!(why.detail, "the script stopped before its end (exit status 2); stderr: sh: 3: Syntax error");
    }
}
