//! The framed bytes one host returned: what the probe script prints and what everything after it is judged from.
//!
//! ```text
//! gpusweep-received 2026-12-01T03:00:00Z      only in a stored transcript, always its first line: the controller's clock
//! gpusweep-transcript/1 %%9f3c0a51d2e84b77    the header, with this run's random marker
//! %%9f3c0a51d2e84b77 begin module
//! +proc /proc/driver/nvidia/version           a section (see `probe::section`)
//! |NVRM version: ...
//! -ok 0
//! %%9f3c0a51d2e84b77 end module ok 0          the frame's state and exit status
//! %%9f3c0a51d2e84b77 done                     without this line the transcript is incomplete
//! ```
//!
//! Text outside frames (a banner, a MOTD, a noisy `.bashrc`) is ignored. A marker must be alone at the start of a line.

use std::str::FromStr;

use jiff::Timestamp;

/// The header's fixed first word; the number is the format's version.
pub const HEADER: &str = "gpusweep-transcript/1";
/// The first word of the line a stored transcript begins with.
pub const RECEIVED: &str = "gpusweep-received";

/// How a probe ended, in the host's own judgement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It ran to its end.
    Ok,
    /// It looked and what it reads is not there.
    Absent,
    /// The login user may not read it.
    Denied,
    /// Something else went wrong.
    Failed,
    /// Its time limit passed.
    TimedOut,
    /// Its byte limit was reached, or its end was never seen.
    Truncated,
}

impl FromStr for State {
    type Err = ();

    fn from_str(word: &str) -> Result<Self, ()> {
        Ok(match word {
            "ok" => Self::Ok,
            "absent" => Self::Absent,
            "denied" => Self::Denied,
            "failed" => Self::Failed,
            "timed-out" => Self::TimedOut,
            "truncated" => Self::Truncated,
            _ => return Err(()),
        })
    }
}

/// One probe's output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The probe's name.
    pub probe: String,
    /// What stood between its begin and end lines; bytes that are not UTF-8 became U+FFFD.
    pub body: String,
    /// How it ended.
    pub state: State,
    /// Its exit status, when its end line was seen.
    pub exit: Option<i32>,
}

/// One host's answer to the probe script.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Transcript {
    /// The controller's clock when the answer was complete; `None` for one collected by hand.
    pub received: Option<Timestamp>,
    /// The frames in the order they came. A name that comes twice is kept twice; the first one counts.
    pub frames: Vec<Frame>,
    /// The header was seen.
    pub started: bool,
    /// The end line was seen.
    pub complete: bool,
    /// The probe whose begin line came last without its end line.
    pub running: Option<String>,
}

impl Transcript {
    /// Reads a transcript. With `marker`, only lines of that marker count (a live host cannot forge frames by printing
    /// an old transcript at login); without, the first header names it.
    pub fn parse(bytes: &[u8], marker: Option<&str>) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let mut transcript = Self::default();
        let mut marker = marker.map(str::to_owned);
        let mut open: Option<Frame> = None;
        for (number, line) in text.lines().enumerate() {
            if number == 0
                && let Some(stamp) = line.strip_prefix(RECEIVED)
            {
                transcript.received = stamp.trim().parse().ok();
                continue;
            }
            if !transcript.started {
                transcript.started = header(line, &mut marker);
                continue;
            }
            let control = marker.as_deref().and_then(|m| line.strip_prefix(m)).and_then(|rest| rest.strip_prefix(' '));
            let Some(control) = control else {
                if let Some(frame) = open.as_mut() {
                    frame.body.push_str(line);
                    frame.body.push('\n');
                }
                continue;
            };
            let mut words = control.split_ascii_whitespace();
            match (words.next(), words.next()) {
                (Some("begin"), Some(probe)) => {
                    transcript.frames.extend(open.take());
                    open = Some(Frame {
                        probe: probe.to_owned(),
                        body: String::new(),
                        state: State::Truncated,
                        exit: None,
                    });
                }
                (Some("end"), Some(probe)) => {
                    if let Some(mut frame) = open.take_if(|frame| frame.probe == probe) {
                        frame.state = words.next().and_then(|word| word.parse().ok()).unwrap_or(State::Failed);
                        frame.exit = words.next().and_then(|word| word.parse().ok());
                        transcript.frames.push(frame);
                    }
                }
                (Some("done"), None) => {
                    transcript.complete = true;
                    break;
                }
                _ => {}
            }
        }
        transcript.running = open.as_ref().map(|frame| frame.probe.clone());
        transcript.frames.extend(open);
        transcript
    }

    /// The first frame of a probe.
    pub fn frame(&self, probe: &str) -> Option<&Frame> {
        self.frames.iter().find(|frame| frame.probe == probe)
    }
}

/// The bytes to store: the controller's receive time, then the host's answer as it came.
pub fn stored(received: Timestamp, bytes: &[u8]) -> Vec<u8> {
    let mut out = format!("{RECEIVED} {received}\n").into_bytes();
    out.extend_from_slice(bytes);
    out
}

fn header(line: &str, marker: &mut Option<String>) -> bool {
    let Some(named) = line.strip_prefix(HEADER).map(str::trim) else { return false };
    if named.is_empty() || named.contains(char::is_whitespace) {
        return false;
    }
    match marker {
        Some(expected) => expected == named,
        None => {
            *marker = Some(named.to_owned());
            true
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOISY: &str = "Welcome!\n%%aa begin module\nnot a frame\n%%aa end module ok 0\n\
        gpusweep-transcript/1 %%aa\nbash: warning\n%%aa begin module\n|x\n%%bb end module ok 0\n%%aa end module ok 0\n\
        noise\n%%aa begin clock\n|1\n%%aa end clock failed 7\n%%aa done\ntrailing";

    #[test]
    fn noise_outside_frames_and_foreign_markers_are_ignored() {
        let transcript = Transcript::parse(NOISY.as_bytes(), None);
        assert!(transcript.started && transcript.complete);
        assert_eq!(transcript.running, None);
        assert_eq!(
            transcript.frames,
            vec![
                Frame {
                    probe: "module".into(),
                    body: "|x\n%%bb end module ok 0\n".into(),
                    state: State::Ok,
                    exit: Some(0)
                },
                Frame { probe: "clock".into(), body: "|1\n".into(), state: State::Failed, exit: Some(7) },
            ]
        );
    }

    #[test]
    fn a_header_of_another_marker_is_not_ours() {
        let transcript = Transcript::parse(NOISY.as_bytes(), Some("%%cc"));
        assert!(!transcript.started && !transcript.complete);
        assert_eq!(transcript.frames, vec![]);
    }

    #[test]
    fn a_cut_transcript_names_the_probe_that_was_running() {
        let cut =
            "gpusweep-transcript/1 %%aa\n%%aa begin boot\n|btime 1\n%%aa end boot ok 0\n%%aa begin packages\n|half";
        let transcript = Transcript::parse(cut.as_bytes(), Some("%%aa"));
        assert!(!transcript.complete);
        assert_eq!(transcript.running.as_deref(), Some("packages"));
        assert_eq!(transcript.frame("packages").map(|f| f.state), Some(State::Truncated));
        assert_eq!(transcript.frame("boot").map(|f| f.state), Some(State::Ok));
    }

    #[test]
    fn the_receive_time_counts_only_on_the_first_line() {
        let at: Timestamp = "2026-12-01T03:00:00Z".parse().unwrap();
        let transcript = Transcript::parse(&stored(at, NOISY.as_bytes()), None);
        assert_eq!(transcript.received, Some(at));
        let forged = format!("motd\n{RECEIVED} 2020-01-01T00:00:00Z\n{NOISY}");
        assert_eq!(Transcript::parse(forged.as_bytes(), None).received, None);
    }
}
