//! A package log and its rotated files, as `script/logs.sh` ships them: one section `log FILE` each, newest file first.
//!
//! Within a section the lines of interest stand oldest first, behind what the host noted: `#dropped N` (the N oldest
//! were over the limit), `#cut` (the file could not be read to its end), `#first STAMP` (the file's first stamp).

use jiff::civil::DateTime;

use super::Sections;
use crate::reading::{Reading, Reason, Unread};
use crate::transcript::State;

/// All files of one log.
#[derive(Debug, Default)]
pub(super) struct LogFiles<'a> {
    /// The readable ones, oldest first.
    pub files: Vec<LogFile<'a>>,
    /// How far back they reach without a gap at the old end.
    pub reaches_back_to: Option<DateTime>,
    /// Those that exist and could not be read, or not to their end.
    pub unread_files: Vec<String>,
}

/// One file.
#[derive(Debug)]
pub(super) struct LogFile<'a> {
    /// Its path.
    pub path: &'a str,
    /// Its lines of interest, oldest first.
    pub lines: Vec<&'a str>,
    first: Option<DateTime>,
    dropped: bool,
    cut: bool,
}

/// Reads the sections of a log.
pub(super) fn read(sections: &Sections) -> Reading<LogFiles<'_>> {
    let mut log = LogFiles::default();
    let mut why: Option<Unread> = None;
    for section in sections.all("log") {
        // Without its closing line a section may lack the newest lines of its file.
        let unclosed = section.state == State::Truncated && section.exit.is_none();
        let reason = match section.state {
            State::Absent => continue,
            State::Ok => None,
            State::Truncated if !unclosed => None,
            State::Denied => Some(Reason::PermissionDenied),
            State::TimedOut => Some(Reason::TimedOut),
            State::Truncated => Some(Reason::Truncated),
            State::Failed => Some(Reason::Unparseable),
        };
        if let Some(reason) = reason {
            log.unread_files.push(section.argument.clone());
            why.get_or_insert_with(|| section.unread(reason));
            continue;
        }
        let file = file(&section.argument, &section.lines);
        if file.cut {
            log.unread_files.push(section.argument.clone());
            why.get_or_insert_with(|| Unread::new(Reason::Unparseable, format!("{}: cannot be unpacked", file.path)));
            if file.first.is_none() {
                continue;
            }
        }
        log.files.push(file);
    }
    if let (true, Some(why)) = (log.files.is_empty(), why) {
        return Reading::Unread(why);
    }
    if log.files.is_empty() {
        return match sections.get("dir") {
            Some(dir) => dir.reading().and_then(|_| Reading::Absent),
            None => Reading::Absent,
        };
    }
    // Rotated files may be there, in a folder that cannot be listed.
    log.unread_files
        .extend(sections.get("dir").filter(|dir| dir.state == State::Denied).map(|dir| dir.argument.clone()));
    order(&mut log.files);
    log.reaches_back_to = log.files.iter().find_map(|file| {
        let kept = || file.lines.iter().find_map(|line| stamp(line.strip_prefix("Start-Date: ").unwrap_or(line)));
        if file.dropped { kept() } else { file.first }
    });
    Reading::Known(log)
}

fn file<'a>(path: &'a str, content: &'a [String]) -> LogFile<'a> {
    let mut file = LogFile { path, lines: Vec::new(), first: None, dropped: false, cut: false };
    for line in content {
        if !file.lines.is_empty() {
            file.lines.push(line);
        } else if line.starts_with("#dropped ") {
            file.dropped = true;
        } else if line == "#cut" {
            file.cut = true;
        } else if let Some(first) = line.strip_prefix("#first ") {
            file.first = stamp(first);
        } else {
            file.lines.push(line);
        }
    }
    file
}

/// Oldest first. The host lists counted files before dated ones; where a log has both, their first stamps decide.
fn order(files: &mut [LogFile<'_>]) {
    files.reverse();
    let has =
        |mark: char| files.iter().any(|file| file.path.rsplit("log").next().is_some_and(|end| end.starts_with(mark)));
    if has('.') && has('-') {
        files.sort_by_key(|file| file.first);
    }
}

/// A stamp at the start of a text, `2026-11-30 23:56:17` with any number of blanks between; what follows is ignored.
pub(super) fn stamp(text: &str) -> Option<DateTime> {
    let (date, rest) = text.trim_start().split_once(' ')?;
    let time = rest.trim_start().get(..8)?;
    let number =
        |part: &str| part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse::<i16>().ok()).flatten();
    let small = |part: &str| number(part).and_then(|value| i8::try_from(value).ok());
    let mut date = date.split('-');
    let (year, month, day) = (number(date.next()?)?, small(date.next()?)?, small(date.next()?)?);
    let mut time = time.split(':');
    let (hour, minute, second) = (small(time.next()?)?, small(time.next()?)?, small(time.next()?)?);
    DateTime::new(year, month, day, hour, minute, second, 0).ok()
}

/// Whether a package may concern the driver or the kernel it needs; the same names as `log_names` in `script/logs.sh`.
pub(super) fn of_interest(name: &str) -> bool {
    const KERNELS: [&str; 23] = [
        "image",
        "headers",
        "modules",
        "objects",
        "signatures",
        "restricted",
        "signed",
        "generic",
        "lowlatency",
        "virtual",
        "server",
        "aws",
        "azure",
        "gcp",
        "gke",
        "oracle",
        "oem",
        "kvm",
        "hwe",
        "ibm",
        "raspi",
        "realtime",
        "intel",
    ];
    const PROXMOX: [&str; 4] = ["pve-kernel", "pve-headers", "proxmox-kernel", "proxmox-headers"];
    name.contains("nvidia")
        || name.contains("cuda")
        || name.starts_with("libnv")
        || name.starts_with("libxnvctrl")
        || name.strip_prefix("linux-").is_some_and(|rest| KERNELS.iter().any(|part| rest.starts_with(part)))
        || PROXMOX.iter().any(|part| name.starts_with(part))
}

#[cfg(test)]
mod on_hosts;
#[cfg(test)]
mod tests;
