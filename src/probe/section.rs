//! What stands inside a probe's frame: sections, each one command's or one file's output.
//!
//! ```text
//! +NAME ARGUMENT       opens a section; ARGUMENT (a path, a kernel release) is everything behind the first blank
//! |content             one line of content, as it was
//! -STATE EXIT          closes it: ok, absent, denied, failed, timed-out or truncated, and the exit status
//! ```
//!
//! Because each content line carries a leading `|`, nothing a host's files say can open or close a section.

use crate::reading::{Reading, Reason, Unread};
use crate::transcript::State;

/// One command's or one file's output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// What it is, in the probe's own words.
    pub name: String,
    /// The path or other argument; may be empty.
    pub argument: String,
    /// The content, line by line, without line ends.
    pub lines: Vec<String>,
    /// How it ended; `Truncated` when its closing line is missing.
    pub state: State,
    /// The exit status on its closing line.
    pub exit: Option<i32>,
}

impl Section {
    /// The content as a reading: `absent` and the ways of failing keep their meaning.
    pub fn reading(&self) -> Reading<&[String]> {
        match self.state {
            State::Ok => Reading::Known(&self.lines),
            State::Absent => Reading::Absent,
            State::Denied => Reading::Unread(self.unread(Reason::PermissionDenied)),
            State::Failed => Reading::Unread(self.unread(Reason::Unparseable)),
            State::TimedOut => Reading::Unread(self.unread(Reason::TimedOut)),
            State::Truncated => Reading::Unread(self.unread(Reason::Truncated)),
        }
    }

    /// The content as one text.
    pub fn text(&self) -> String {
        self.lines.join("\n")
    }

    /// This section's failure in one line: what it read, the exit status and the last thing it said.
    pub fn unread(&self, reason: Reason) -> Unread {
        let what = if self.argument.is_empty() { &self.name } else { &self.argument };
        let said = self.lines.iter().rev().find(|line| !line.trim().is_empty());
        let mut detail = what.clone();
        if let Some(exit) = self.exit.filter(|exit| *exit != 0) {
            detail.push_str(&format!(" (exit {exit})"));
        }
        if let Some(said) = said {
            detail.push_str(": ");
            detail.extend(said.trim().chars().filter(|c| !c.is_control()).take(200));
        }
        Unread::new(reason, detail)
    }
}

/// All sections of one frame.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sections(pub Vec<Section>);

impl Sections {
    /// Reads a frame's body. Lines that are neither of the three kinds are noise and dropped.
    pub fn parse(body: &str) -> Self {
        let mut sections = Vec::new();
        let mut open: Option<Section> = None;
        for line in body.lines() {
            if let Some(content) = line.strip_prefix('|') {
                if let Some(section) = open.as_mut() {
                    section.lines.push(content.trim_end_matches('\r').to_owned());
                }
            } else if let Some(head) = line.strip_prefix('+') {
                sections.extend(open.take());
                let (name, argument) = head.split_once(' ').unwrap_or((head, ""));
                open = Some(Section {
                    name: name.to_owned(),
                    argument: argument.to_owned(),
                    lines: Vec::new(),
                    state: State::Truncated,
                    exit: None,
                });
            } else if let Some(tail) = line.strip_prefix('-')
                && let Some(mut section) = open.take()
            {
                let mut words = tail.split_ascii_whitespace();
                section.state = words.next().and_then(|word| word.parse().ok()).unwrap_or(State::Failed);
                section.exit = words.next().and_then(|word| word.parse().ok());
                sections.push(section);
            }
        }
        sections.extend(open);
        Self(sections)
    }

    /// The first section of a name.
    pub fn get(&self, name: &str) -> Option<&Section> {
        self.0.iter().find(|section| section.name == name)
    }

    /// Every section of a name, in order.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Section> {
        self.0.iter().filter(move |section| section.name == name)
    }

    /// The first section of a name as a reading; a section that never came is unread.
    pub fn reading(&self, name: &str) -> Reading<&[String]> {
        match self.get(name) {
            Some(section) => section.reading(),
            None => Reading::unread(Reason::Truncated, format!("no answer for `{name}`")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_cannot_open_or_close_a_section() {
        let sections = Sections::parse("noise\n+file /etc/a b\n|+file /etc/shadow\n|-ok 0\n||\n-ok 0\n+cmd\n|x\n");
        assert_eq!(sections.0.len(), 2);
        let file = sections.get("file").unwrap();
        assert_eq!((file.argument.as_str(), file.state, file.exit), ("/etc/a b", State::Ok, Some(0)));
        assert_eq!(file.lines, ["+file /etc/shadow", "-ok 0", "|"]);
        assert_eq!(sections.get("cmd").unwrap().state, State::Truncated);
    }

    #[test]
    fn each_state_keeps_its_meaning() {
        let sections = Sections::parse("+a /x\n|no\n-denied 1\n+b\n-absent 1\n+c\n|E: bad\n-failed 100\n");
        assert_eq!(sections.reading("a"), Reading::unread(Reason::PermissionDenied, "/x (exit 1): no"));
        assert_eq!(sections.reading("b"), Reading::Absent);
        assert_eq!(sections.reading("c"), Reading::unread(Reason::Unparseable, "c (exit 100): E: bad"));
        assert_eq!(sections.reading("d"), Reading::unread(Reason::Truncated, "no answer for `d`"));
    }
}
