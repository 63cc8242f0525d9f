//! Which sources the updater may take packages from: `Allowed-Origins` and `Origins-Pattern`.
//!
//! Source of the rules: `get_allowed_origins`, `match_whitelist_string` and `substitute` of unattended-upgrade.

use crate::derive::protection::glob;
use crate::probe::apt_config::AptConfig;
use crate::probe::apt_policy::PolicySource;
use crate::probe::system::System;

/// One allowed origin: all conditions must hold, and none at all matches nothing; or what the updater dies of when it
/// comes to try it.
type Rule = Result<Vec<(Field, String)>, String>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Origin,
    Label,
    Archive,
    Component,
    Site,
    Codename,
}

/// The allowed origins of a host.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Origins {
    rules: Vec<Rule>,
}

impl Origins {
    /// Reads them from the configuration.
    ///
    /// # Errors
    /// The entry the updater dies on as it starts, and why.
    pub fn read(config: &AptConfig, system: Option<&System>) -> Result<Self, String> {
        let names = Names::of(system);
        let mut rules = Vec::new();
        for text in config.list("Unattended-Upgrade::Allowed-Origins") {
            let blame = |why: String| format!("`Allowed-Origins` entry `{text}`: {why}");
            let (origin, archive) = legacy(text).ok_or_else(|| blame("is not `origin:archive`".to_owned()))?;
            let origin = names.expand(&origin).map_err(blame)?;
            let archive = names.expand(&archive).map_err(blame)?;
            rules.push(Ok(vec![(Field::Origin, origin), (Field::Archive, archive)]));
        }
        for text in config.list("Unattended-Upgrade::Origins-Pattern") {
            let blame = |why: String| format!("`Origins-Pattern` entry `{text}`: {why}");
            let expanded = names.expand(text).map_err(blame)?;
            rules.push(pattern(&expanded, &names).map_err(blame));
        }
        Ok(Self { rules })
    }

    /// Whether packages may come from this source.
    pub fn allow(&self, source: &PolicySource) -> bool {
        self.rules.iter().flatten().any(|rule| all_hold(rule, source))
    }

    /// The entry the updater dies on when it asks about these sources: entries are tried in order, so a faulty one
    /// behind a match is never reached. Without any known source every faulty entry counts.
    pub fn fault(&self, sources: Option<&[PolicySource]>) -> Option<String> {
        let Some(sources) = sources else { return self.rules.iter().find_map(|rule| rule.clone().err()) };
        sources.iter().filter(|source| !is_installed_state(source)).find_map(|source| {
            let reached = self.rules.iter().find(|rule| rule.as_ref().map_or(true, |rule| all_hold(rule, source)));
            reached.and_then(|rule| rule.clone().err())
        })
    }
}

fn all_hold(rule: &[(Field, String)], source: &PolicySource) -> bool {
    !rule.is_empty()
        && rule.iter().all(|(field, wanted)| {
            let found = match field {
                Field::Origin => &source.origin,
                Field::Label => &source.label,
                Field::Archive => &source.archive,
                Field::Component => &source.component,
                Field::Site => &source.site,
                Field::Codename => &source.codename,
            };
            glob::matches(wanted, found, false)
        })
}

/// The installed state, which is no source of anything new.
pub fn is_installed_state(source: &PolicySource) -> bool {
    source.line.contains("/var/lib/dpkg/status") || (source.archive == "now" && source.site.is_empty())
}

/// Splits `origin:archive` at the only unescaped colon, else at blanks.
fn legacy(text: &str) -> Option<(String, String)> {
    let bytes = text.as_bytes();
    let colons: Vec<usize> = (0..bytes.len())
        .filter(|&i| bytes.get(i) == Some(&b':') && (i == 0 || bytes.get(i - 1) != Some(&b'\\')))
        .collect();
    let (origin, archive) = match colons.as_slice() {
        [at] => (text.get(..*at)?, text.get(at + 1..)?),
        [] => {
            let mut words = text.split_whitespace();
            match (words.next(), words.next(), words.next()) {
                (Some(origin), Some(archive), None) => (origin, archive),
                _ => return None,
            }
        }
        _ => return None,
    };
    Some((origin.replace("\\:", ":"), archive.to_owned()))
}

fn pattern(text: &str, names: &Names) -> Result<Vec<(Field, String)>, String> {
    const COMMA: char = '\u{1}';
    let text = text.trim().replace("\\,", &COMMA.to_string());
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let mut out = Vec::new();
    for token in text.split(',') {
        let (key, value) = match token.split('=').collect::<Vec<_>>().as_slice() {
            [key, value] => (key.trim(), value.trim().replace(COMMA, ",")),
            _ => return Err(format!("`{}` is not `key=value`", token.replace(COMMA, ","))),
        };
        let field = match key {
            "o" | "origin" => Field::Origin,
            "l" | "label" => Field::Label,
            "a" | "suite" | "archive" => Field::Archive,
            "c" | "component" => Field::Component,
            "site" => Field::Site,
            "n" | "codename" => Field::Codename,
            other => return Err(format!("unknown key `{other}`")),
        };
        out.push((field, names.expand(&value)?));
    }
    Ok(out)
}

/// What `${distro_id}` and `${distro_codename}` stand for.
struct Names {
    id: String,
    codename: String,
}

impl Names {
    /// As `lsb_release` answers: the id with a capital, the codename as it is.
    fn of(system: Option<&System>) -> Self {
        let Some(system) = system else { return Self { id: String::new(), codename: String::new() } };
        let mut chars = system.os_id.chars();
        let id = chars.next().map(|c| c.to_uppercase().chain(chars).collect()).unwrap_or_default();
        Self { id, codename: system.os_codename.clone() }
    }

    /// Python's `string.Template(text).substitute`.
    fn expand(&self, text: &str) -> Result<String, String> {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('$') {
            out.push_str(before);
            if let Some(after) = after.strip_prefix('$') {
                out.push('$');
                rest = after;
                continue;
            }
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let (name, behind) = match after.strip_prefix('{') {
                Some(braced) => braced.split_once('}').ok_or("unclosed `${`")?,
                None => after.split_at(after.find(|c| !is_name(c)).unwrap_or(after.len())),
            };
            out.push_str(match name {
                "distro_id" => &self.id,
                "distro_codename" => &self.codename,
                _ => return Err(format!("`${{{name}}}` is not known to the updater")),
            });
            rest = behind;
        }
        out.push_str(rest);
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(entries: &[(&str, &str)]) -> Result<Origins, String> {
        let entries = entries.iter().map(|(k, v)| (format!("Unattended-Upgrade::{k}::"), (*v).to_owned())).collect();
        let system = System { os_id: "ubuntu".into(), os_codename: "jammy".into(), ..System::default() };
        Origins::read(&AptConfig { entries, ..AptConfig::default() }, Some(&system))
    }

    fn source(origin: &str, label: &str, archive: &str, site: &str) -> PolicySource {
        let text = str::to_owned;
        PolicySource {
            origin: text(origin),
            label: text(label),
            archive: text(archive),
            site: text(site),
            codename: "jammy".into(),
            ..PolicySource::default()
        }
    }

    #[test]
    fn ubuntu_defaults_take_security_and_the_release_pocket() {
        let origins = read(&[
            ("Allowed-Origins", "${distro_id}:${distro_codename}"),
            ("Allowed-Origins", "${distro_id}:${distro_codename}-security"),
            ("Allowed-Origins", "${distro_id}ESMApps:${distro_codename}-apps-security"),
        ])
        .unwrap();
        assert!(origins.allow(&source("Ubuntu", "Ubuntu", "jammy-security", "archive.ubuntu.com")));
        assert!(origins.allow(&source("Ubuntu", "Ubuntu", "jammy", "archive.ubuntu.com")));
        assert!(origins.allow(&source("UbuntuESMApps", "UbuntuESMApps", "jammy-apps-security", "esm.ubuntu.com")));
        assert!(!origins.allow(&source("Ubuntu", "Ubuntu", "jammy-updates", "archive.ubuntu.com")));
        assert!(!origins.allow(&source("NVIDIA", "NVIDIA CUDA", "", "developer.download.nvidia.com")));
    }

    #[test]
    fn patterns_are_globs_over_all_their_keys() {
        let origins =
            read(&[("Origins-Pattern", "origin=NVIDIA, label=NVIDIA*"), ("Origins-Pattern", "site=*.lan")]).unwrap();
        assert!(origins.allow(&source("NVIDIA", "NVIDIA CUDA", "", "x")));
        assert!(!origins.allow(&source("NVIDIA", "Other", "", "x")));
        assert!(origins.allow(&source("Artifactory", "x", "y", "apt.lan")));
        let escaped =
            read(&[("Origins-Pattern", r"o=A\, B,l=C"), ("Allowed-Origins", r"X\:Y:z"), ("Allowed-Origins", "P q")]);
        let escaped = escaped.unwrap();
        assert!(escaped.allow(&source("A, B", "C", "", "")));
        assert!(escaped.allow(&source("X:Y", "", "z", "")));
        assert!(escaped.allow(&source("P", "", "q", "")));
    }

    #[test]
    fn an_empty_pattern_matches_nothing() {
        assert!(!read(&[("Origins-Pattern", " ")]).unwrap().allow(&source("Ubuntu", "", "", "")));
        assert!(!read(&[]).unwrap().allow(&source("Ubuntu", "", "", "")));
    }

    #[test]
    fn entries_the_updater_dies_on() {
        for value in ["Ubuntu", "a:b:c", "${distro}:x"] {
            assert!(read(&[("Allowed-Origins", value)]).is_err(), "`{value}`");
        }
        let (other, ubuntu) = (source("X", "", "", ""), source("Ubuntu", "", "jammy", ""));
        for value in ["Ubuntu", "vendor=x", "o=a=b"] {
            let origins = read(&[("Allowed-Origins", "Ubuntu:jammy"), ("Origins-Pattern", value)]).unwrap();
            assert!(origins.fault(None).is_some(), "`{value}`");
            assert!(origins.fault(Some(&[ubuntu.clone(), other.clone()])).is_some(), "`{value}`");
            assert_eq!(origins.fault(Some(std::slice::from_ref(&ubuntu))), None, "`{value}` is never reached");
        }
    }
}
