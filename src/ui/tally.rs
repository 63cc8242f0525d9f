//! What progress knows: how many hosts finished with which word, and which are under way for how long.

use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

use crate::report::model::Verdict;
use crate::report::style::{Style, verdict_tone};
use crate::report::wrap;

/// The counts of one sweep.
#[derive(Debug)]
pub struct Tally {
    total: usize,
    done: usize,
    outcomes: BTreeMap<Verdict, usize>,
    others: usize,
    running: HashMap<String, (Instant, String)>,
}

const VERDICTS: [Verdict; 5] =
    [Verdict::Critical, Verdict::Unverified, Verdict::Warning, Verdict::Ok, Verdict::NotApplicable];

impl Tally {
    /// Nothing has begun.
    pub fn new(total: usize) -> Self {
        Self { total, done: 0, outcomes: BTreeMap::new(), others: 0, running: HashMap::new() }
    }

    /// A host's turn began.
    pub fn started(&mut self, name: &str, now: Instant) {
        self.running.insert(name.to_owned(), (now, String::new()));
    }

    /// A host is doing something else now.
    pub fn phase(&mut self, name: &str, word: &str) {
        if let Some((_, phase)) = self.running.get_mut(name) {
            word.clone_into(phase);
        }
    }

    /// A host is done.
    pub fn finished(&mut self, name: &str, word: &str) {
        self.running.remove(name);
        self.done += 1;
        match VERDICTS.into_iter().find(|verdict| verdict.word() == word) {
            Some(verdict) => *self.outcomes.entry(verdict).or_default() += 1,
            None => self.others += 1,
        }
    }

    /// Hosts done.
    pub fn done(&self) -> usize {
        self.done
    }

    /// Whole tenths of the way.
    pub fn tenths(&self) -> usize {
        (self.done * 10).checked_div(self.total).unwrap_or(10)
    }

    /// `1 critical, 40 ok`, the worst first.
    pub fn counts(&self, style: &Style) -> String {
        let part =
            |(verdict, n): (&Verdict, &usize)| style.paint(verdict_tone(*verdict), &format!("{n} {}", verdict.word()));
        let mut parts: Vec<String> = self.outcomes.iter().map(part).collect();
        if self.others > 0 {
            parts.push(format!("{} other", self.others));
        }
        parts.join(", ")
    }

    /// The counts in `room` columns: in words, else by the verdicts' signs, else nothing: a bar that wraps jumps
    /// about.
    pub fn counts_within(&self, style: &Style, room: usize) -> String {
        let plain = Style { color: false, ..*style };
        if wrap::width(&self.counts(&plain)) <= room {
            return self.counts(style);
        }
        let signs = |style: &Style| -> String {
            let parts: Vec<String> = self
                .outcomes
                .iter()
                .map(|(verdict, n)| style.paint(verdict_tone(*verdict), &format!("{}{n}", style.symbol(*verdict))))
                .collect();
            parts.join(" ")
        };
        if wrap::width(&signs(&plain)) <= room { signs(style) } else { String::new() }
    }

    /// `slowest: gpu-6 connecting 5 s, gpu-7 running the script 3 s`, in `room` columns; empty while all are young.
    pub fn slowest(&self, now: Instant, room: usize) -> String {
        const SHOWN: usize = 3;
        const YOUNG: Duration = Duration::from_secs(2);
        let mut old: Vec<(&String, Duration, &String)> = self
            .running
            .iter()
            .map(|(name, (since, phase))| (name, now.saturating_duration_since(*since), phase))
            .filter(|(_, age, _)| *age >= YOUNG)
            .collect();
        old.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        let mut text = String::new();
        for (name, age, phase) in old.iter().take(SHOWN) {
            let gap = if phase.is_empty() { "" } else { " " };
            let part = format!("{name}{gap}{phase} {} s", age.as_secs());
            let next = if text.is_empty() { format!("slowest: {part}") } else { format!("{text}, {part}") };
            if wrap::width(&next) > room {
                break;
            }
            text = next;
        }
        text
    }

    /// One line for logs: `40/200 hosts: 1 critical, 39 ok; 32 running; slowest: ...`.
    pub fn line(&self, now: Instant, style: &Style) -> String {
        let mut line = format!("{}/{} hosts", self.done, self.total);
        let counts = self.counts(style);
        if !counts.is_empty() {
            line.push_str(&format!(": {counts}"));
        }
        if !self.running.is_empty() {
            line.push_str(&format!("; {} running", self.running.len()));
        }
        let slowest = self.slowest(now, 200);
        if !slowest.is_empty() {
            line.push_str(&format!("; {slowest}"));
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn style() -> Style {
        Style { width: 80, color: false, unicode: true, unread: false, now: jiff::Timestamp::UNIX_EPOCH }
    }

    #[test]
    fn counts_by_outcome_and_names_the_slowest_with_their_phase() {
        let start = Instant::now();
        let later = start + Duration::from_secs(7);
        let mut tally = Tally::new(10);
        for (name, age) in [("a", 0), ("b", 3), ("c", 6), ("d", 0), ("e", 0)] {
            tally.started(name, start + Duration::from_secs(age));
        }
        tally.phase("a", "connecting");
        tally.phase("b", "running the script");
        tally.phase("nobody", "x");
        tally.finished("d", "ok");
        tally.finished("e", "critical");
        assert_eq!(
            tally.line(later, &style()),
            "2/10 hosts: 1 critical, 1 ok; 3 running; slowest: a connecting 7 s, b running the script 4 s"
        );
        assert_eq!(tally.slowest(later, 30), "slowest: a connecting 7 s");
        assert_eq!(tally.slowest(later, 5), "");
        assert_eq!((tally.done(), tally.tenths()), (2, 2));
    }

    #[test]
    fn counts_never_need_more_room_than_there_is() {
        let mut tally = Tally::new(4);
        for (name, word) in [("a", "critical"), ("b", "unverified"), ("c", "unverified"), ("d", "ok")] {
            tally.finished(name, word);
        }
        let text = "1 critical, 2 unverified, 1 ok";
        assert_eq!(tally.counts_within(&style(), text.len()), text);
        assert_eq!(tally.counts_within(&style(), text.len() - 1), "✗1 ?2 ✓1");
        assert_eq!(tally.counts_within(&style(), 8), "✗1 ?2 ✓1");
        assert_eq!(tally.counts_within(&style(), 7), "");
    }

    #[test]
    fn an_empty_sweep_is_done_at_once() {
        let tally = Tally::new(0);
        assert_eq!(tally.line(Instant::now(), &style()), "0/0 hosts");
        assert_eq!(tally.tenths(), 10);
    }
}
