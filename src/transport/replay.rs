//! Stored transcripts as a way of reaching hosts: for tests and for judging again what was collected before.

use std::collections::HashMap;

use futures::future::BoxFuture;
use jiff::Timestamp;

use super::{Collected, Contact, Timing, Watch};
use crate::inventory::Target;
use crate::reading::{Reason, Unread};
use crate::transcript::Transcript;

/// Answers for each host with the transcript stored under its name.
#[derive(Debug, Clone, Default)]
pub struct Replay {
    transcripts: HashMap<String, Vec<u8>>,
}

impl Replay {
    /// The transcripts by host name, as stored (see [`crate::transcript::stored`]) or as collected by hand.
    pub fn new(transcripts: impl IntoIterator<Item = (String, Vec<u8>)>) -> Self {
        Self { transcripts: transcripts.into_iter().collect() }
    }

    fn answer(&self, target: &Target) -> Collected {
        let bytes = self.transcripts.get(&target.name).cloned();
        let failure = bytes.is_none().then(|| Unread::new(Reason::NotTried, "no transcript of this host"));
        let bytes = bytes.unwrap_or_default();
        let received = Transcript::parse(&bytes, None).received.unwrap_or(Timestamp::UNIX_EPOCH);
        let marker = marker_of(&bytes).unwrap_or_default();
        let address = target.address.clone();
        Collected { bytes, marker, failure, become_failure: None, received, address, timing: Timing::default() }
    }
}

impl Contact for Replay {
    fn collect<'a>(&'a self, target: &'a Target, _: &'a Watch) -> BoxFuture<'a, Collected> {
        Box::pin(async move { self.answer(target) })
    }
}

/// The marker that the first header line of a transcript announces.
pub(crate) fn marker_of(bytes: &[u8]) -> Option<String> {
    let header = format!("{} ", crate::transcript::HEADER);
    bytes.split(|byte| *byte == b'\n').find_map(|line| {
        let named = line.strip_prefix(header.as_bytes())?.trim_ascii();
        let named = std::str::from_utf8(named).ok()?;
        (!named.is_empty() && !named.contains(char::is_whitespace)).then(|| named.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_stored_host_answers_and_another_was_not_tried() {
        let text = b"gpusweep-received 2026-05-01T10:00:00Z\ngpusweep-transcript/1 %%ab\n%%ab done\n".to_vec();
        let replay = Replay::new([("gpu-1".to_owned(), text)]);
        let known = Target { name: "gpu-1".into(), ..Target::default() };
        let answer = replay.collect(&known, &Watch::default()).await;
        assert_eq!((answer.marker.as_str(), answer.failure), ("%%ab", None));
        assert_eq!(answer.received.to_string(), "2026-05-01T10:00:00Z");
        let other = Target { name: "gpu-2".into(), ..Target::default() };
        let missing = replay.collect(&other, &Watch::default()).await;
        assert_eq!(missing.failure.unwrap().reason, Reason::NotTried);
    }
}
