//! The frame's sections to evidence.

use super::{AptPolicy, PolicyPackage, PolicySource, PolicyVersion};
use crate::probe::Sections;
use crate::reading::{Reading, Reason};
use crate::transcript::State;

/// More package files than any sources.list brings.
const MAX_SOURCES: usize = 1000;
/// More packages than are ever asked for.
const MAX_PACKAGES: usize = 4000;

/// Reads the frame.
pub fn parse(sections: &Sections) -> Reading<AptPolicy> {
    let Some(asked) = sections.get("sources") else {
        return Reading::unread(Reason::Truncated, "no answer for `sources`");
    };
    for section in ["sources", "packages"].into_iter().filter_map(|name| sections.get(name)) {
        if section.state != State::Ok {
            let said =
                sections.all("messages").flat_map(|messages| &messages.lines).find(|line| line.starts_with("E: "));
            let mut unread = match section.reading() {
                Reading::Unread(unread) => unread,
                _ => return Reading::Absent,
            };
            if let Some(said) = said {
                unread.detail = said.chars().filter(|c| !c.is_control()).take(200).collect();
            }
            return Reading::Unread(unread);
        }
    }
    let (count, newest) = match sections.reading("lists") {
        Reading::Known(lines) => {
            let mut numbers =
                lines.iter().flat_map(|line| line.split_ascii_whitespace()).map(|word| word.parse::<i64>().ok());
            (numbers.next().flatten().unwrap_or(0), numbers.next().flatten().filter(|newest| *newest > 0))
        }
        Reading::Absent => (0, None),
        Reading::Unread(unread) => return Reading::Unread(unread),
    };
    let sources = sources(&asked.lines);
    let packages = sections.get("packages").map(|section| packages(&section.lines)).unwrap_or_default();
    // Each package is held against each source: a list that no host has must not take for ever.
    if sources.len() > MAX_SOURCES || packages.len() > MAX_PACKAGES {
        let detail = format!("{} sources and {} packages from `apt-cache policy`", sources.len(), packages.len());
        return Reading::unread(Reason::OutputCap, detail);
    }
    Reading::Known(AptPolicy { sources, packages, lists_present: count > 0, lists_updated: newest })
}

/// The package files: ` 500 URL SUITE/COMPONENT ARCH Packages`, and below each `release` and `origin`.
fn sources(lines: &[String]) -> Vec<PolicySource> {
    let mut sources: Vec<PolicySource> = Vec::new();
    for line in lines {
        let line = line.trim();
        if line == "Pinned packages:" {
            break;
        }
        if let Some(release) = line.strip_prefix("release ") {
            if let Some(source) = sources.last_mut() {
                describe(source, release);
            }
        } else if let Some(site) = line.strip_prefix("origin ") {
            if let Some(source) = sources.last_mut() {
                source.site = site.trim().to_owned();
            }
        } else if let Some((priority, source)) = numbered(line) {
            sources.push(PolicySource { line: source.to_owned(), priority, ..PolicySource::default() });
        }
    }
    sources
}

/// `v=12,o=Debian,a=stable,n=bookworm,l=Debian,c=main,b=amd64`. A value may hold a comma: what is no `x=` goes on with it.
fn describe(source: &mut PolicySource, release: &str) {
    let mut fields: Vec<(char, String)> = Vec::new();
    for part in release.split(',') {
        let mut chars = part.chars();
        match (chars.next(), chars.next()) {
            (Some(key), Some('=')) if key.is_ascii_lowercase() => fields.push((key, chars.as_str().to_owned())),
            _ => {
                if let Some((_, value)) = fields.last_mut() {
                    value.push(',');
                    value.push_str(part);
                }
            }
        }
    }
    for (key, value) in fields {
        match key {
            'o' => source.origin = value,
            'l' => source.label = value,
            'a' => source.archive = value,
            'n' => source.codename = value,
            'c' => source.component = value,
            _ => {}
        }
    }
}

/// The packages: a name and a colon at the margin, two fields, then the version table: a version with its priority
/// (five blanks, or ` *** ` for the installed one), and deeper the sources that carry it.
fn packages(lines: &[String]) -> Vec<PolicyPackage> {
    let mut packages: Vec<PolicyPackage> = Vec::new();
    for line in lines {
        let depth = line.len() - line.trim_start().len();
        let text = line.trim();
        if depth == 0 {
            if let Some(name) = text.strip_suffix(':') {
                packages.push(PolicyPackage { name: name.to_owned(), ..PolicyPackage::default() });
            }
            continue;
        }
        let Some(package) = packages.last_mut() else { continue };
        let value = |text: &str| Some(text.trim().to_owned()).filter(|value| value != "(none)");
        if let Some(version) = text.strip_prefix("Installed:") {
            package.installed = value(version);
        } else if let Some(version) = text.strip_prefix("Candidate:") {
            package.candidate = value(version);
        } else if text.ends_with(':') || text.starts_with("Package pin:") {
            // `Version table:`, or the word for a pinned version.
        } else if depth >= 7 {
            if let (Some((_, source)), Some(version)) = (numbered(text), package.versions.last_mut())
                && !is_status(source)
            {
                version.sources.push(source.to_owned());
            }
        } else {
            let mut words = text.strip_prefix("***").unwrap_or(text).split_ascii_whitespace();
            if let Some(version) = words.next() {
                // `-1` and phasing notes follow the priority in newer releases.
                let priority = words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
                package.versions.push(PolicyVersion { version: version.to_owned(), priority, sources: Vec::new() });
            }
        }
    }
    packages
}

/// A priority and what follows it.
fn numbered(text: &str) -> Option<(i64, &str)> {
    let (number, rest) = text.split_once(' ')?;
    Some((number.parse().ok()?, rest.trim()))
}

/// The installed state is no source to get a version from.
fn is_status(source: &str) -> bool {
    source.ends_with("/dpkg/status")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::samples;

    #[test]
    fn samples_read_as_expected() {
        samples::check("apt_policy", parse);
    }

    #[test]
    fn noise_does_no_harm() {
        samples::survive("apt_policy", parse);
    }

    #[test]
    fn more_sources_than_any_host_has_are_not_weighed() {
        let many: String =
            (0..1500).map(|n| format!("| 500 http://mirror-{n}/ubuntu jammy/main amd64 Packages\n")).collect();
        let body = format!("+lists /var/lib/apt/lists\n|1 1700000000\n-ok 0\n+sources\n{many}-ok 0\n");
        let reading = super::parse(&crate::probe::Sections::parse(&body));
        assert_eq!(reading.why_unread().map(|why| why.reason), Some(crate::reading::Reason::OutputCap));
    }
}
