//! Progress of a sweep on stderr: one bar on a terminal, a line every ten seconds or tenth of the way elsewhere.

use std::io::Write as _;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::report::clean;
use crate::report::style::Style;
use crate::ui::tally::Tally;
use crate::ui::{Terminal, diagnostic};

/// How long a log may stay silent.
const HEARTBEAT: Duration = Duration::from_secs(10);

/// The listener. Clones share one state; any thread may call it.
#[derive(Clone)]
pub struct Progress {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    /// Wakes the heartbeat when the sweep is over.
    over: Condvar,
    bar: Option<ProgressBar>,
    plain: bool,
    terminal: Terminal,
    style: Style,
}

struct State {
    tally: Tally,
    tenths: usize,
    said: Instant,
    finished: bool,
}

impl Progress {
    /// Begins: a bar on a terminal, else plain lines, or nothing when progress is off.
    pub fn new(total: usize, terminal: &Terminal) -> Self {
        let on_tty = terminal.stderr_width.is_some();
        let (bar, plain) = (terminal.progress && on_tty, terminal.progress && !on_tty);
        let state = State { tally: Tally::new(total), tenths: 0, said: Instant::now(), finished: false };
        let shared = Arc::new_cyclic(|weak| Shared {
            state: Mutex::new(state),
            over: Condvar::new(),
            bar: bar.then(|| draw(total, weak, terminal)),
            plain,
            terminal: *terminal,
            style: terminal.stderr_style(),
        });
        if plain {
            let weak = Arc::downgrade(&shared);
            // Without the thread a log is silent while every host hangs; a sweep is worth more than its progress.
            let _ = std::thread::Builder::new().name("progress".to_owned()).spawn(move || heartbeat(&weak));
        }
        Self { shared }
    }

    /// A host's turn began.
    pub fn started(&self, name: &str) {
        self.shared.lock().tally.started(&clean::line(name), Instant::now());
    }

    /// A host is doing something else now.
    pub fn phase(&self, name: &str, word: &str) {
        self.shared.lock().tally.phase(&clean::line(name), word);
    }

    /// A host is done, with its verdict's word.
    pub fn finished(&self, name: &str, word: &str) {
        let shared = &self.shared;
        let name = clean::line(name);
        let mut state = shared.lock();
        state.tally.finished(&name, word);
        let tenths = state.tally.tenths();
        let due = shared.plain && tenths > state.tenths;
        state.tenths = tenths;
        let line = due.then(|| {
            let now = Instant::now();
            state.said = now;
            state.tally.line(now, &shared.style)
        });
        let done = state.tally.done();
        drop(state);
        if let Some(bar) = &shared.bar {
            bar.set_position(u64::try_from(done).unwrap_or(u64::MAX));
        }
        if shared.terminal.verbose {
            shared.say(&format!("{name}: {word}\n"));
        }
        if let Some(line) = line {
            shared.say(&shared.style.finish(&[line]));
        }
    }

    /// A remark on the sweep, unless quiet.
    pub fn note(&self, text: &str) {
        if !self.shared.terminal.quiet() {
            self.shared.say(&diagnostic::dress(&worded("note: ", text), &self.shared.style));
        }
    }

    /// An error beside the sweep, said even when quiet.
    pub fn error(&self, text: &str) {
        self.shared.say(&diagnostic::dress(text, &self.shared.style));
    }

    /// Ends: the bar vanishes, the heartbeat stops.
    pub fn finish(&self) {
        self.shared.lock().finished = true;
        self.shared.over.notify_all();
        if let Some(bar) = &self.shared.bar {
            bar.finish_and_clear();
        }
    }
}

/// A remark may bring its own word (`warning: ...`).
fn worded(word: &str, text: &str) -> String {
    let has_word = ["note:", "warning:", "error:", "hint:"].iter().any(|word| text.starts_with(word));
    if has_word { text.to_owned() } else { format!("{word}{text}") }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // The counts stay usable whatever happened to the thread that held them.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn say(&self, text: &str) {
        let write = || {
            // A closed stderr must not end the sweep.
            let _ = std::io::stderr().lock().write_all(text.as_bytes());
        };
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }
}

/// Prints a line whenever nothing was said for a while, until the sweep is over or forgotten.
fn heartbeat(weak: &Weak<Shared>) {
    while let Some(shared) = weak.upgrade() {
        let state = shared.lock();
        let wait = HEARTBEAT.saturating_sub(state.said.elapsed());
        let (mut state, _) = match shared.over.wait_timeout(state, wait) {
            Ok(woken) => woken,
            Err(poisoned) => poisoned.into_inner(),
        };
        if state.finished {
            return;
        }
        if state.said.elapsed() >= HEARTBEAT {
            let now = Instant::now();
            state.said = now;
            let line = state.tally.line(now, &shared.style);
            drop(state);
            shared.say(&shared.style.finish(&[line]));
        }
    }
}

/// The bar; what stands in it is read when it is drawn, so that ages move while no event comes.
fn draw(total: usize, weak: &Weak<Shared>, terminal: &Terminal) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(
        Some(u64::try_from(total).unwrap_or(u64::MAX)),
        ProgressDrawTarget::stderr_with_hz(10),
    );
    let width = terminal.stderr_width.unwrap_or(80);
    // What stands before the counts: the bar, two numbers with a slash, and at most five columns of time.
    let numbers = 2 * total.to_string().len() + "/".len() + " 59min  ".len();
    let (template, before) = if width >= 70 {
        ("{bar:24} {pos}/{len} {elapsed}  {counts}\n{slowest}", 24 + " ".len() + numbers)
    } else {
        ("{pos}/{len} {elapsed} {counts}\n{slowest}", numbers)
    };
    let room = width.saturating_sub(before + 1);
    let (counts, slowest) = (weak.clone(), weak.clone());
    let Ok(style) = ProgressStyle::with_template(template) else { return bar };
    let style = style
        .progress_chars(if terminal.unicode { "━╸─" } else { "=>-" })
        .with_key("counts", move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
            if let Some(shared) = counts.upgrade() {
                let _ = out.write_str(&shared.lock().tally.counts_within(&shared.style, room));
            }
        })
        .with_key("slowest", move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
            if let Some(shared) = slowest.upgrade() {
                let text = shared.lock().tally.slowest(Instant::now(), width.saturating_sub(1));
                let _ = write!(out, "{text}");
            }
        });
    bar.set_style(style);
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Color, GlobalArgs};
    use crate::ui::Surroundings;

    fn terminal(tty: bool, flags: GlobalArgs) -> Terminal {
        let around = Surroundings { stdout: None, stderr: tty.then_some(80), variable: Box::new(|_| None) };
        Terminal::from(&flags, &around)
    }

    fn flags(no_progress: bool) -> GlobalArgs {
        GlobalArgs { color: Color::Never, width: None, no_progress, verbose: 0, quiet: false }
    }

    #[test]
    fn many_threads_may_report_at_once() {
        let progress = Progress::new(400, &terminal(false, flags(true)));
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let progress = progress.clone();
                scope.spawn(move || {
                    for n in 0..100 {
                        let name = format!("{thread}-{n}");
                        progress.started(&name);
                        progress.phase(&name, "connecting");
                        progress.finished(&name, if n % 2 == 0 { "ok" } else { "unverified" });
                    }
                });
            }
        });
        let style = progress.shared.style;
        assert_eq!(progress.shared.lock().tally.line(Instant::now(), &style), "400/400 hosts: 200 unverified, 200 ok");
        progress.finish();
    }

    #[test]
    fn a_bar_only_on_a_terminal_and_a_heartbeat_only_elsewhere() {
        let on = Progress::new(3, &terminal(true, flags(false)));
        assert!(on.shared.bar.is_some() && !on.shared.plain);
        on.finish();
        let log = Progress::new(3, &terminal(false, flags(false)));
        assert!(log.shared.bar.is_none() && log.shared.plain);
        log.finish();
        let off = Progress::new(3, &terminal(true, flags(true)));
        assert!(off.shared.bar.is_none() && !off.shared.plain);
    }

    #[test]
    fn a_remark_keeps_its_own_word() {
        assert_eq!(worded("note: ", "ramping up"), "note: ramping up");
        assert_eq!(worded("note: ", "warning: file limit is 64"), "warning: file limit is 64");
    }
}
