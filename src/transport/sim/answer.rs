//! What a simulated host prints, made from a stored transcript and the script it was sent.

use crate::transcript::RECEIVED;
use crate::transport::replay::marker_of;

/// The marker a script announces on one of its first lines: `marker='%%…'`.
pub(super) fn announced(script: &[u8]) -> Option<String> {
    let head = script.split(|byte| *byte == b'\n').take(5);
    head.into_iter().find_map(|line| {
        let value = line.strip_prefix(b"marker=")?.trim_ascii();
        let value = value.strip_prefix(b"'").and_then(|value| value.strip_suffix(b"'")).unwrap_or(value);
        String::from_utf8(value.to_vec()).ok()
    })
}

/// A stored transcript as the host would print it now: without the controller's first line, with the new marker.
pub(super) fn with_marker(transcript: &[u8], marker: &str) -> Vec<u8> {
    let body = match transcript.starts_with(RECEIVED.as_bytes()) {
        true => transcript.iter().position(|byte| *byte == b'\n').and_then(|end| transcript.get(end + 1..)),
        false => Some(transcript),
    };
    let body = body.unwrap_or_default();
    let Some(old) = marker_of(body) else { return body.to_vec() };
    replace(body, old.as_bytes(), marker.as_bytes())
}

fn replace(text: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(byte) = rest.first() {
        match rest.strip_prefix(old) {
            Some(after) => {
                out.extend_from_slice(new);
                rest = after;
            }
            None => {
                out.push(*byte);
                rest = rest.get(1..).unwrap_or_default();
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scripts_marker_takes_the_stored_ones_place() {
        let script = b"#!/bin/sh\nmarker='%%0123456789abcdef'\necho\n";
        let marker = announced(script).unwrap();
        assert_eq!(marker, "%%0123456789abcdef");
        let stored = b"gpusweep-received 2026-01-01T00:00:00Z\ngpusweep-transcript/1 %%aa\n%%aa begin x\n%%aa done\n";
        let answer = with_marker(stored, &marker);
        assert_eq!(
            String::from_utf8(answer).unwrap(),
            "gpusweep-transcript/1 %%0123456789abcdef\n%%0123456789abcdef begin x\n%%0123456789abcdef done\n"
        );
        assert_eq!(announced(b"echo hi\n"), None);
    }
}
