//! The loop that starts hosts, hears of their results and stops in time.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::mpsc::Sender;
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until, timeout_at};
use tokio_util::sync::CancellationToken;

use super::order::round_robin;
use super::{Event, Options, forks_within};
use crate::inventory::Target;
use crate::reading::{Reason, Unread};
use crate::transport::{AuthGate, Collected, Contact, Timing, Watch};

/// How long hosts in flight get at the end of a sweep's time to hand over what they have.
const GRACE: Duration = Duration::from_secs(1);

/// How a sweep ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Every target has a result.
    Complete,
    /// Every target has a result, but the sweep's time limit cut some short.
    TimedOut,
    /// It was cancelled, or nobody listens any more.
    Cancelled,
}

/// What is left to say when a sweep is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// Indices of the targets without a result, in order; empty unless cancelled.
    pub unfinished: Vec<usize>,
}

/// Contacts every target. Each gets exactly one [`Event::Finished`], whatever happens to it; after a cancellation those
/// in flight and those not begun get none and are named in the outcome.
pub async fn run(
    targets: Vec<Target>,
    contact: Arc<dyn Contact>,
    options: Options,
    events: Sender<Event>,
    cancel: CancellationToken,
) -> Outcome {
    let (forks, note) = forks_within(options.forks.min(targets.len()));
    let until = options.sweep_timeout.map(|limit| Instant::now() + limit);
    let mut sweep = Sweep {
        pending: round_robin(&targets).into_iter(),
        targets: targets.into_iter().map(Arc::new).collect(),
        contact,
        gate: Arc::new(AuthGate::new(options.auth_brake)),
        events,
        until,
        tasks: JoinSet::new(),
        running: HashMap::new(),
        finished: Vec::new(),
    };
    sweep.finished.resize(sweep.targets.len(), false);
    if let Some(note) = note
        && sweep.events.send(Event::Note(note)).await.is_err()
    {
        return sweep.cancelled().await;
    }
    match sweep.drive(forks, options.ramp, &cancel).await {
        Ok(true) => Outcome { end: End::Complete, unfinished: Vec::new() },
        Ok(false) => match sweep.time_is_up(&cancel).await {
            Ok(()) => Outcome { end: End::TimedOut, unfinished: Vec::new() },
            Err(Stop) => sweep.cancelled().await,
        },
        Err(Stop) => sweep.cancelled().await,
    }
}

/// The sweep was cancelled, or its listener is gone.
struct Stop;

type Done = Result<(Id, Collected), JoinError>;

struct Sweep {
    pending: std::vec::IntoIter<usize>,
    targets: Vec<Arc<Target>>,
    contact: Arc<dyn Contact>,
    gate: Arc<AuthGate>,
    events: Sender<Event>,
    until: Option<Instant>,
    tasks: JoinSet<Collected>,
    running: HashMap<Id, usize>,
    finished: Vec<bool>,
}

impl Sweep {
    /// Runs until every target has its result (true) or the time is up (false).
    async fn drive(&mut self, forks: usize, ramp: Duration, cancel: &CancellationToken) -> Result<bool, Stop> {
        let mut ticks = interval(ramp.max(Duration::from_micros(1)));
        ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
        let mut ramping = forks;
        let end = self.until.unwrap_or_else(|| Instant::now() + Duration::from_secs(86_400 * 365));
        loop {
            let more = self.pending.len() > 0;
            if !more && self.tasks.is_empty() {
                return Ok(true);
            }
            let room = more && self.tasks.len() < forks;
            tokio::select! {
                biased;
                () = cancel.cancelled() => return Err(Stop),
                () = sleep_until(end), if self.until.is_some() => return Ok(false),
                Some(done) = self.tasks.join_next_with_id() => self.finish(done).await?,
                // Only the first wave is stretched; after it, hosts start as others end.
                _ = ticks.tick(), if room && ramping > 0 => {
                    ramping -= 1;
                    self.start().await?;
                }
                () = std::future::ready(()), if room && ramping == 0 => self.start().await?,
            }
        }
    }

    async fn start(&mut self) -> Result<(), Stop> {
        let Some(index) = self.pending.next() else { return Ok(()) };
        let Some(target) = self.targets.get(index).map(Arc::clone) else { return Ok(()) };
        let (contact, events) = (Arc::clone(&self.contact), self.events.clone());
        let mut watch = Watch::new(Some(Arc::clone(&self.gate)), move |phase| {
            // A listener that lags behind misses a step, never a result.
            _ = events.try_send(Event::Phase { index, phase });
        });
        watch.until = self.until;
        self.send(Event::Started { index }).await?;
        let task = self.tasks.spawn(async move { contact.collect(&target, &watch).await });
        self.running.insert(task.id(), index);
        Ok(())
    }

    async fn finish(&mut self, done: Done) -> Result<(), Stop> {
        let (id, collected) = match done {
            Ok((id, collected)) => (id, collected),
            Err(error) => {
                let detail = format!("gpusweep itself failed on this host ({}); please report this", words(&error));
                (error.id(), blank(Reason::NotTried, detail))
            }
        };
        match self.running.remove(&id) {
            Some(index) => self.result(index, collected).await,
            None => Ok(()),
        }
    }

    async fn result(&mut self, index: usize, collected: Collected) -> Result<(), Stop> {
        self.send(Event::Finished { index, collected }).await?;
        if let Some(finished) = self.finished.get_mut(index) {
            *finished = true;
        }
        Ok(())
    }

    /// Lets those in flight hand over what they have, then names the rest.
    async fn time_is_up(&mut self, cancel: &CancellationToken) -> Result<(), Stop> {
        let grace = Instant::now() + GRACE;
        while !self.tasks.is_empty() {
            tokio::select! {
                () = cancel.cancelled() => return Err(Stop),
                done = timeout_at(grace, self.tasks.join_next_with_id()) => match done {
                    Ok(Some(done)) => self.finish(done).await?,
                    _ => break,
                },
            }
        }
        self.tasks.abort_all();
        let mut late: Vec<usize> = self.running.drain().map(|(_, index)| index).collect();
        late.sort_unstable();
        for index in late {
            self.result(index, blank(Reason::Deadline, "the sweep's time limit passed".into())).await?;
        }
        for index in std::mem::take(&mut self.pending) {
            let detail = "the sweep's time limit passed before this host's turn";
            self.result(index, blank(Reason::NotTried, detail.into())).await?;
        }
        Ok(())
    }

    async fn cancelled(mut self) -> Outcome {
        self.tasks.shutdown().await;
        let unfinished =
            (0..).zip(&self.finished).filter(|(_, finished)| !**finished).map(|(index, _)| index).collect();
        Outcome { end: End::Cancelled, unfinished }
    }

    async fn send(&self, event: Event) -> Result<(), Stop> {
        self.events.send(event).await.map_err(|_| Stop)
    }
}

fn words(error: &JoinError) -> &'static str {
    if error.is_panic() { "panic" } else { "aborted" }
}

/// A result without an answer.
fn blank(reason: Reason, detail: String) -> Collected {
    Collected {
        bytes: Vec::new(),
        marker: String::new(),
        failure: Some(Unread::new(reason, detail)),
        become_failure: None,
        received: Timestamp::now(),
        address: String::new(),
        timing: Timing::default(),
    }
}

#[cfg(test)]
mod tests;
