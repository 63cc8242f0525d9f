//! Ctrl-C and SIGTERM: the first ends the sweep and keeps what finished, a second abandons at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::cli::exit_code::{ExitCode, Interruption};

/// A signal that follows the first within this time is the same one: `timeout` sends it to its child and to the group,
/// and so the child hears it twice.
const ECHO: Duration = Duration::from_millis(400);

/// Which signal came, if any.
#[derive(Debug, Clone, Default)]
pub struct Signals {
    seen: Arc<AtomicU8>,
}

impl Signals {
    /// Listens until the program ends. `cancel` is called at the first signal.
    ///
    /// # Errors
    /// When the operating system refuses the handlers.
    pub fn listen(cancel: CancellationToken) -> std::io::Result<Self> {
        let signals = Self::default();
        let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        let seen = signals.seen.clone();
        tokio::spawn(async move {
            let mut first: Option<Instant> = None;
            loop {
                let which = tokio::select! {
                    Some(()) = interrupt.recv() => 1,
                    Some(()) = terminate.recv() => 2,
                    else => return,
                };
                if let Some(first) = first {
                    if first.elapsed() < ECHO {
                        continue;
                    }
                    crate::command::destination::abandon();
                    let code = if which == 1 { ExitCode::Interrupted } else { ExitCode::Terminated };
                    std::process::exit(code.code().into());
                }
                first = Some(Instant::now());
                seen.store(which, Ordering::SeqCst);
                cancel.cancel();
            }
        });
        Ok(signals)
    }

    /// The first signal that came.
    pub fn interruption(&self) -> Option<Interruption> {
        match self.seen.load(Ordering::SeqCst) {
            1 => Some(Interruption::Interrupt),
            2 => Some(Interruption::Terminate),
            _ => None,
        }
    }
}
