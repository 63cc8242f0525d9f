//! The brake on authentication: a typo in a user name or key must not ban an operator across a fleet.
//!
//! Until one host has accepted, only ten hosts may be authenticating or have refused. When ten have refused and none has
//! accepted, the gate shuts for the rest of the sweep. Everything before authentication goes on at full speed.

use std::sync::Mutex;

use tokio::sync::Notify;

/// The state of one sweep's authentications.
pub struct AuthGate {
    limit: usize,
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Default)]
struct State {
    inside: usize,
    refused: usize,
    verdict: Option<Verdict>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Open,
    Shut,
}

/// The gate is shut: this many hosts refused and none accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shut {
    /// Hosts that refused.
    pub refused: usize,
}

/// The right to authenticate once. Dropped without a word, it counts for nothing (the connection broke, say).
pub struct Pass<'a> {
    gate: &'a AuthGate,
    settled: bool,
}

impl AuthGate {
    /// A gate that shuts after `limit` refusals in a row from the start; 0 never shuts.
    pub fn new(limit: usize) -> Self {
        let verdict = (limit == 0).then_some(Verdict::Open);
        Self { limit, state: Mutex::new(State { verdict, ..State::default() }), changed: Notify::new() }
    }

    /// Waits for a turn.
    pub async fn enter(&self) -> Result<Pass<'_>, Shut> {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            {
                let mut state = self.lock();
                match state.verdict {
                    Some(Verdict::Open) => return Ok(Pass { gate: self, settled: true }),
                    Some(Verdict::Shut) => return Err(Shut { refused: state.refused }),
                    None if state.inside + state.refused < self.limit => {
                        state.inside += 1;
                        return Ok(Pass { gate: self, settled: false });
                    }
                    None => {}
                }
            }
            changed.await;
        }
    }

    /// True once the gate has shut.
    pub fn is_shut(&self) -> Option<Shut> {
        let state = self.lock();
        (state.verdict == Some(Verdict::Shut)).then_some(Shut { refused: state.refused })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn settle(&self, change: impl FnOnce(&mut State)) {
        {
            let mut state = self.lock();
            state.inside = state.inside.saturating_sub(1);
            change(&mut state);
            if state.verdict.is_none() && state.refused >= self.limit {
                state.verdict = Some(Verdict::Shut);
            }
        }
        self.changed.notify_waiters();
    }
}

impl Pass<'_> {
    /// The host accepted: the gate stays open for everyone.
    pub fn accepted(mut self) {
        if !std::mem::replace(&mut self.settled, true) {
            self.gate.settle(|state| state.verdict = Some(Verdict::Open));
        }
    }

    /// The host refused every identity.
    pub fn refused(mut self) {
        if !std::mem::replace(&mut self.settled, true) {
            self.gate.settle(|state| state.refused += 1);
        }
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        if !self.settled {
            self.gate.settle(|_| {});
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[tokio::test]
    async fn it_shuts_after_the_limit_and_says_how_many() {
        let gate = AuthGate::new(2);
        gate.enter().await.unwrap().refused();
        gate.enter().await.unwrap().refused();
        assert_eq!(gate.enter().await.err(), Some(Shut { refused: 2 }));
    }

    #[tokio::test]
    async fn one_acceptance_opens_it_for_good() {
        let gate = AuthGate::new(2);
        let late = gate.enter().await.unwrap();
        gate.enter().await.unwrap().accepted();
        late.refused();
        for _ in 0..5 {
            gate.enter().await.unwrap().refused();
        }
        assert_eq!(gate.is_shut(), None);
    }

    #[tokio::test]
    async fn a_full_gate_waits_and_a_lost_pass_is_given_on() {
        let gate = AuthGate::new(1);
        let pass = gate.enter().await.unwrap();
        let mut waiting = Box::pin(gate.enter());
        assert!(waiting.as_mut().now_or_never().is_none());
        drop(pass);
        waiting.await.unwrap().refused();
        assert_eq!(gate.is_shut(), Some(Shut { refused: 1 }));
    }

    #[tokio::test]
    async fn a_limit_of_zero_never_shuts() {
        let gate = AuthGate::new(0);
        gate.enter().await.unwrap().refused();
        assert!(gate.enter().await.is_ok());
    }
}
