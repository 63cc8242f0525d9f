//! apt preferences: whether a pin keeps every other upstream version of a package away.
//!
//! Source of the rules: apt's `policy.cc` (the first specific pin that matches a version decides, general pins only
//! set a source's priority) and `versionmatch.cc` (globs and `/regex/`, both without regard to case for names).

use crate::derive::protection::{debian_version, glob, pattern};
use crate::probe::apt_policy::{PolicyPackage, PolicySource};
use crate::probe::apt_preferences::Pin;

/// What a package's pins are asked about.
pub struct Asked<'a> {
    /// Bare name.
    pub name: &'a str,
    /// Architecture.
    pub arch: &'a str,
    /// Source package.
    pub source: &'a str,
    /// Installed version.
    pub version: &'a str,
    /// apt's own view of the package, if known.
    pub policy: Option<&'a PolicyPackage>,
    /// Every source apt knows.
    pub sources: &'a [PolicySource],
    /// The allowed sources that carry the name.
    pub carriers: &'a [&'a PolicySource],
}

/// The pin that blocks every other upstream version from every carrier, in words.
///
/// A version is kept away when its priority is negative, or lower than the installed version's.
pub fn blocking(pins: &[Pin], asked: &Asked<'_>) -> Option<String> {
    if asked.carriers.is_empty() {
        return None;
    }
    let specific: Vec<&Pin> = pins.iter().filter(|pin| names(pin, asked)).collect();
    let installed = installed_priority(&specific, asked);
    let mut how = None;
    for carrier in asked.carriers {
        for next in debian_version::successors(asked.version) {
            let decided = specific.iter().find(|pin| admits(pin, carrier, &next));
            let priority = decided.map_or(carrier.priority, |pin| pin.priority);
            if priority >= 0 && priority >= installed.0 {
                return None;
            }
            how = how.or_else(|| {
                decided
                    .map(|pin| words(pin))
                    .or_else(|| installed.1.clone())
                    .or_else(|| Some(format!("priority {} of `{}`", carrier.priority, carrier.line)))
            });
        }
    }
    how
}

fn words(pin: &Pin) -> String {
    format!("`Pin: {}` at priority {} in {}", pin.pin, pin.priority, pin.file)
}

/// The installed version's priority and the pin that gives it.
fn installed_priority(specific: &[&Pin], asked: &Asked<'_>) -> (i64, Option<String>) {
    let row = asked.policy.and_then(|policy| policy.versions.iter().find(|row| row.version == asked.version));
    let origins: Vec<&PolicySource> = row
        .map(|row| asked.sources.iter().filter(|source| row.sources.contains(&source.line)).collect())
        .unwrap_or_default();
    let decided = specific.iter().find(|pin| {
        version_pin(pin).is_some_and(|glob| version_matches(glob, asked.version))
            || origins.iter().any(|source| source_matches(&pin.pin, source) == Some(true))
    });
    if let Some(pin) = decided {
        return (pin.priority, Some(words(pin)));
    }
    // The installed state alone counts 100; a source that may be taken from and still carries the version lifts it. What
    // apt's policy shows for the row counts the other sources too, which the updater pins away before it looks.
    let lifted = asked.carriers.iter().filter(|carrier| row.is_some_and(|row| row.sources.contains(&carrier.line)));
    (lifted.map(|carrier| carrier.priority).max().unwrap_or(100).max(100), None)
}

/// The pin is specific (not `*`) and names the package.
fn names(pin: &Pin, asked: &Asked<'_>) -> bool {
    pin.packages.iter().any(|word| {
        if word == "*" {
            return false;
        }
        let (word, name) = match word.strip_prefix("src:") {
            Some(rest) => (rest, if asked.source.is_empty() { asked.name } else { asked.source }),
            None => (word.as_str(), asked.name),
        };
        let is_regex = word.len() > 1 && word.starts_with('/') && word.ends_with('/');
        let (word, arch) = match word.rsplit_once(':') {
            Some((word, arch)) if !is_regex => (word, Some(arch)),
            _ => (word, None),
        };
        arch.is_none_or(|arch| arch == asked.arch || arch == "any") && expression_matches(word, name)
    })
}

/// The pin decides about this version from this source.
fn admits(pin: &Pin, source: &PolicySource, version: &str) -> bool {
    match version_pin(pin) {
        Some(glob) => version_matches(glob, version),
        None => source_matches(&pin.pin, source) == Some(true),
    }
}

fn version_pin(pin: &Pin) -> Option<&str> {
    let (kind, rest) = pin.pin.trim().split_once(char::is_whitespace)?;
    kind.eq_ignore_ascii_case("version").then(|| rest.trim())
}

fn version_matches(wanted: &str, version: &str) -> bool {
    match wanted.strip_suffix('*') {
        Some(prefix) if version.starts_with(prefix) => true,
        _ => wanted == version || expression_matches(wanted, version),
    }
}

/// A name, glob or `/regex/`, without regard to case.
fn expression_matches(wanted: &str, text: &str) -> bool {
    let regex = wanted.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
    match regex {
        Some(regex) => {
            // POSIX extended expressions search anywhere; Python's spelling of the common part is the same.
            pattern::compile(&format!("(?i)(?:.*?)(?:{regex})"), pattern::Python::Since311)
                .ok()
                .and_then(|matcher| matcher.matches(text))
                .unwrap_or(false)
        }
        None => glob::matches(wanted, text, true),
    }
}

/// Whether a `release ...` or `origin ...` pin matches a source; `None` when it asks for what is not known here.
fn source_matches(pin: &str, source: &PolicySource) -> Option<bool> {
    let (kind, rest) = pin.trim().split_once(char::is_whitespace)?;
    let rest = rest.trim();
    if kind.eq_ignore_ascii_case("origin") {
        let site = rest.trim_matches('"');
        return Some(if site.is_empty() { source.site.is_empty() } else { expression_matches(site, &source.site) });
    }
    if !kind.eq_ignore_ascii_case("release") {
        return None;
    }
    if rest == "*" {
        return Some(true);
    }
    let mut known = true;
    for part in rest.split(',') {
        let Some((key, value)) = part.split_once('=') else {
            let bare = part.trim();
            let matched = [&source.archive, &source.codename].into_iter().any(|field| expression_matches(bare, field));
            known &= bare.chars().next().is_some_and(|c| !c.is_ascii_digit());
            if known && !matched {
                return Some(false);
            }
            continue;
        };
        let value = value.trim().trim_matches('"');
        let found = match key.trim() {
            "o" => &source.origin,
            "l" => &source.label,
            "a" => &source.archive,
            "n" => &source.codename,
            "c" => &source.component,
            _ => {
                known = false;
                continue;
            }
        };
        if !expression_matches(value, found) {
            return Some(false);
        }
    }
    known.then_some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    const INSTALLED: &str = "535.183.01-0ubuntu0.22.04.1";

    fn archive() -> PolicySource {
        PolicySource {
            line: "http://archive.ubuntu.com/ubuntu jammy-security/restricted amd64 Packages".into(),
            priority: 500,
            origin: "Ubuntu".into(),
            label: "Ubuntu".into(),
            archive: "jammy-security".into(),
            codename: "jammy".into(),
            component: "restricted".into(),
            site: "archive.ubuntu.com".into(),
        }
    }

    fn blocked_by(packages: &str, pin: &str, priority: i64, carrier: PolicySource) -> bool {
        let pin = Pin {
            packages: packages.split(' ').map(str::to_owned).collect(),
            pin: pin.into(),
            priority,
            file: "/etc/apt/preferences.d/nvidia".into(),
        };
        let carriers = [&carrier];
        let asked = Asked {
            name: "libnvidia-compute-535",
            arch: "amd64",
            source: "nvidia-graphics-drivers-535",
            version: INSTALLED,
            policy: None,
            sources: &[],
            carriers: &carriers,
        };
        blocking(&[pin], &asked).is_some()
    }

    #[test]
    fn an_exact_version_above_the_sources_priority_protects() {
        for pin in ["version 535.183.01-0ubuntu0.22.04.1", "version 535.183.01-*", "version 535.183.01*"] {
            assert!(blocked_by("libnvidia-compute-535", pin, 1001, archive()), "{pin}");
            assert!(blocked_by("*nvidia*", pin, 600, archive()), "{pin}");
            assert!(!blocked_by("*nvidia*", pin, 400, archive()), "{pin}");
        }
        assert!(blocked_by("/^libnvidia-/", r"version /^535\.183\.01-/", 1001, archive()));
        assert!(blocked_by("src:nvidia-graphics-drivers-535", "version 535.183.01-*", 1001, archive()));
    }

    #[test]
    fn rule_6_a_branch_pin_or_a_preferred_source_does_not_protect() {
        for pin in ["version 535.*", "version 535*", "version 535.183*", "version 580.*", "version *"] {
            assert!(!blocked_by("*nvidia*", pin, 1001, archive()), "{pin}");
        }
        assert!(!blocked_by("*", "release o=NVIDIA", 600, archive()));
        assert!(!blocked_by("nvidia-*", "release o=Ubuntu", -1, archive()));
        assert!(!blocked_by("libnvidia-compute-535", "version 535.171.04-*", 1001, archive()));
        assert!(!blocked_by("libnvidia-*:i386", "version 535.183.01-*", 1001, archive()));
    }

    #[test]
    fn a_negative_priority_protects_whatever_way_it_names_the_source() {
        for pin in
            ["release *", "release o=Ubuntu", "release a=jammy-security,c=restricted", "origin archive.ubuntu.com"]
        {
            assert!(blocked_by("libnvidia-compute-535", pin, -1, archive()), "{pin}");
        }
        assert!(!blocked_by("libnvidia-*", "release o=Debian", -1, archive()));
        assert!(!blocked_by("libnvidia-*", "release v=22.04", -1, archive()), "unknown field: no claim of protection");
        assert!(blocked_by("foo", "release *", -1, PolicySource { priority: -10, ..archive() }), "general pin");
        assert!(
            blocked_by("foo", "release *", -1, PolicySource { priority: 50, ..archive() }),
            "below the installed 100"
        );
    }
}
