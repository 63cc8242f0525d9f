//! How many hosts at once.

use std::time::Duration;

/// File descriptors that are kept for everything but hosts.
const RESERVE: u64 = 64;

/// File descriptors that one host may need: a socket, and an agent's or a child's pipes beside it.
const PER_HOST: u64 = 3;

/// Settings of a sweep.
#[derive(Debug, Clone)]
pub struct Options {
    /// Hosts at a time.
    pub forks: usize,
    /// Time between the first connections, so that they do not all start at once.
    pub ramp: Duration,
    /// The end of the whole sweep: hosts in flight get `deadline`, the others `not-tried`.
    pub sweep_timeout: Option<Duration>,
    /// Hosts that must all refuse authentication, from the start, for the rest to be left alone; 0 for never.
    pub auth_brake: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { forks: 256, ramp: Duration::from_millis(1), sweep_timeout: None, auth_brake: 10 }
    }
}

/// Raises the process's limit of open files as far as it goes and fits the number of forks into it. The text says so
/// when fewer fit than were asked for.
pub fn forks_within(wanted: usize) -> (usize, Option<String>) {
    let limit = rlimit::increase_nofile_limit(u64::MAX).unwrap_or(256);
    fit(wanted, limit)
}

fn fit(wanted: usize, limit: u64) -> (usize, Option<String>) {
    let wanted = wanted.max(1);
    let room = usize::try_from(limit.saturating_sub(RESERVE) / PER_HOST).unwrap_or(usize::MAX).max(1);
    if wanted <= room {
        return (wanted, None);
    }
    let note = format!(
        "only {room} hosts at a time instead of {wanted}: the limit of open files is {limit}; raise it with `ulimit -n`"
    );
    (room, Some(note))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_fits_a_usual_limit_and_a_small_one_caps_aloud() {
        assert_eq!(fit(256, 1024), (256, None));
        let (forks, note) = fit(256, 256);
        assert_eq!(forks, 64);
        assert_eq!(
            note.as_deref(),
            Some("only 64 hosts at a time instead of 256: the limit of open files is 256; raise it with `ulimit -n`")
        );
        assert_eq!(fit(0, 1024).0, 1);
        assert_eq!(fit(10, 0).0, 1);
    }
}
