//! The frame's sections to evidence.

use jiff::Timestamp;

use super::{Flavor, LoadedModule, Modules};
use crate::probe::{Sections, driver_version};
use crate::reading::{Reading, Reason, Unread};

const PROC: &str = "/proc/driver/nvidia/version";
const SYS: &str = "/sys/module/nvidia/version";

/// Reads the frame.
pub fn parse(sections: &Sections) -> Reading<Modules> {
    if sections.0.is_empty() {
        return Reading::unread(Reason::Truncated, "no answer");
    }
    let listed = |name: &str| in_sys(sections).any(|(n, _)| n == name) || in_proc(sections, name).is_some();
    Reading::Known(Modules {
        nvidia: nvidia(sections),
        nouveau: listed("nouveau"),
        satellites: in_sys(sections)
            .filter(|(name, version)| !matches!(*name, "nvidia" | "nouveau") && !version.is_empty())
            .map(|(name, version)| (name.to_owned(), version.to_owned()))
            .collect(),
    })
}

/// Modules with a folder in /sys/module, with their version files' text.
fn in_sys(sections: &Sections) -> impl Iterator<Item = (&str, &str)> {
    sections.all("in-sys").filter_map(|section| {
        let line = section.lines.first()?.trim();
        Some(line.split_once(' ').unwrap_or((line, "")))
    })
}

/// A module's line in /proc/modules: name, size, references, users.
fn in_proc<'a>(sections: &'a Sections, name: &str) -> Option<&'a str> {
    let lines = &sections.get("modules")?.lines;
    lines.iter().map(String::as_str).find(|line| line.split_ascii_whitespace().next() == Some(name))
}

fn nvidia(sections: &Sections) -> Reading<LoadedModule> {
    let proc = sections.reading("proc");
    let sys = sections.get("sys").and_then(|section| section.lines.first()).map(|line| line.trim());
    let in_sysfs = in_sys(sections).any(|(name, _)| name == "nvidia");
    let row = in_proc(sections, "nvidia");
    let module = |version: Reading<String>, flavor, source: &str, line: &str| {
        Reading::Known(LoadedModule {
            version,
            flavor,
            source: source.to_owned(),
            line: line.to_owned(),
            refcount: row.and_then(|row| row.split_ascii_whitespace().nth(2)).and_then(|count| count.parse().ok()),
            loaded_at: changed(sections),
        })
    };
    let sys_version = sys.filter(|version| driver_version::is_version(version));
    let known = match &proc {
        Reading::Known(lines) => lines.iter().find(|line| line.starts_with("NVRM version:")),
        _ => None,
    };
    if let Some(line) = known {
        let line = without_builder(line);
        let flavor = if line.contains("Open Kernel Module") {
            Some(Flavor::Open)
        } else if line.contains("Kernel Module") {
            Some(Flavor::Proprietary)
        } else {
            None
        };
        let rest = line.strip_prefix("NVRM version:").unwrap_or_default();
        let version = match driver_version::first_in(rest).or(sys_version) {
            Some(version) => Reading::Known(version.to_owned()),
            None => Reading::unread(Reason::Unparseable, format!("{PROC} names no numeric version: {line}")),
        };
        return module(version, flavor, PROC, &line);
    }
    if let Some(version) = sys_version {
        return module(Reading::Known(version.to_owned()), None, SYS, version);
    }
    let why = match proc {
        Reading::Unread(unread) => Some(unread),
        Reading::Known(_) => Some(Unread::new(Reason::Unparseable, format!("{PROC} has no `NVRM version:` line"))),
        Reading::Absent => None,
    };
    if in_sysfs || row.is_some() || matches!(why, Some(Unread { reason: Reason::Unparseable, .. })) {
        let why = why.unwrap_or_else(|| Unread::new(Reason::Unparseable, "the module is loaded and names no version"));
        return module(
            Reading::Unread(why),
            None,
            if in_sysfs { SYS } else { "/proc/modules" },
            sys.unwrap_or_default(),
        );
    }
    match why {
        Some(why) => Reading::Unread(why),
        // Without /sys and /proc/modules a missing file in /proc alone still says enough: the module itself makes it.
        None => Reading::Absent,
    }
}

/// The line without who built the module where: `(user@host)`.
fn without_builder(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('(') {
        let Some((inside, tail)) = after.split_once(')') else { break };
        out.push_str(before);
        if !inside.contains('@') && inside != "builder" {
            out.push('(');
            out.push_str(inside);
            out.push(')');
        }
        rest = tail;
    }
    // An opening bracket that is never closed may hold the same.
    out.push_str(rest.split('(').next().unwrap_or_default());
    let out: String = out.chars().filter(|c| !c.is_control() || c.is_whitespace()).take(400).collect();
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn changed(sections: &Sections) -> Option<Timestamp> {
    let second = sections.get("changed")?.lines.first()?.trim().parse().ok()?;
    Timestamp::from_second(second).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::samples;

    #[test]
    fn samples_read_as_expected() {
        samples::check("module", parse);
    }

    #[test]
    fn no_input_panics() {
        samples::survive("module", parse);
    }

    #[test]
    fn who_built_it_is_left_out() {
        assert_eq!(without_builder("a  (me@box)  b (x) c (me@bo"), "a b (x) c");
    }
}
