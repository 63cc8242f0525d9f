//! What a contact has brought back so far, kept where a deadline can still find it.

use std::sync::Mutex;
use std::time::Instant;

use jiff::Timestamp;

use super::{Collected, Phase, Timing, Watch};
use crate::reading::Unread;

/// The running record of one contact. Its owner wraps the work in a deadline and closes the record either way.
pub(crate) struct Partial<'a> {
    watch: &'a Watch,
    started: Instant,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    bytes: Vec<u8>,
    address: String,
    phase: Phase,
    connect: Option<std::time::Duration>,
    become_failure: Option<Unread>,
    received: Option<Timestamp>,
}

impl<'a> Partial<'a> {
    pub fn new(watch: &'a Watch) -> Self {
        Self { watch, started: Instant::now(), inner: Mutex::default() }
    }

    pub fn phase(&self, phase: Phase) {
        self.lock().phase = phase;
        self.watch.phase(phase);
    }

    pub fn doing(&self) -> &'static str {
        self.lock().phase.doing()
    }

    pub fn address(&self, address: String) {
        self.lock().address = address;
    }

    /// Marks the moment of a successful authentication.
    pub fn connected(&self) {
        self.lock().connect = Some(self.started.elapsed());
    }

    pub fn become_failed(&self, why: Unread) {
        self.lock().become_failure = Some(why);
    }

    /// Starts the output anew: what a first channel said is not what the script says.
    pub fn restart(&self) {
        self.lock().bytes.clear();
    }

    /// Appends output; false when that would pass the cap, which is then filled to the brim.
    pub fn push(&self, data: &[u8], cap: usize) -> bool {
        let mut inner = self.lock();
        inner.received = Some(Timestamp::now());
        let room = cap.saturating_sub(inner.bytes.len());
        inner.bytes.extend_from_slice(data.get(..room.min(data.len())).unwrap_or_default());
        data.len() <= room
    }

    pub fn with_bytes<T>(&self, f: impl FnOnce(&[u8]) -> T) -> T {
        f(&self.lock().bytes)
    }

    /// Closes the record.
    pub fn finish(&self, marker: String, failure: Option<Unread>) -> Collected {
        let inner = std::mem::take(&mut *self.lock());
        Collected {
            bytes: inner.bytes,
            marker,
            failure,
            become_failure: inner.become_failure,
            received: inner.received.unwrap_or_else(Timestamp::now),
            address: inner.address,
            timing: Timing { connect: inner.connect, total: self.started.elapsed() },
        }
    }

    pub fn watch(&self) -> &Watch {
        self.watch
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
