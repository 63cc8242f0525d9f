//! Who ran a transaction, from the two lines in which apt names its caller.

use crate::derive::upgrade::Actor;

/// The caller of a transaction with this `Commandline` and `Requested-By`.
pub(super) fn of(command: Option<&str>, requested_by: Option<&str>) -> Actor {
    let Some(command) = command.map(str::trim).filter(|command| !command.is_empty()) else {
        return if requested_by.is_some() { Actor::Manual } else { Actor::Unknown };
    };
    let words: Vec<&str> = command.split_whitespace().collect();
    match program(&words) {
        "unattended-upgrade" | "unattended-upgrades" => Actor::UnattendedUpgrades,
        _ if is_automation(&words, requested_by) => Actor::Other,
        _ if requested_by.is_some() => Actor::Manual,
        // The front end for people; `apt -y` without a requesting user is still somebody's root shell.
        "apt" | "aptdaemon" | "synaptic" | "dselect" | "do-release-upgrade" => Actor::Manual,
        "apt-get" | "aptitude" | "apt-fast" if !answers_by_itself(&words) => Actor::Manual,
        _ => Actor::Other,
    }
}

/// A trial run: it writes complete stanzas and changes nothing.
pub(super) fn is_dry_run(command: Option<&str>) -> bool {
    let is = |word: &str| (word.len() >= "--dr".len() && "--dry-run".starts_with(word)) || word == "--simulate";
    command.is_some_and(|command| command.split_whitespace().any(is))
}

/// The program's own name: an interpreter in front of it does not count.
fn program<'a>(words: &[&'a str]) -> &'a str {
    let base = |word: &'a str| word.rsplit('/').next().unwrap_or(word);
    let Some(first) = words.first().map(|word| base(word)) else { return "" };
    if first.starts_with("python") || matches!(first, "sh" | "dash" | "bash" | "perl") {
        return words.iter().skip(1).find(|word| !word.starts_with('-')).map_or(first, |word| base(word));
    }
    first
}

fn answers_by_itself(words: &[&str]) -> bool {
    words.iter().any(|word| {
        let short = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
        matches!(*word, "--yes" | "--assume-yes" | "--force-yes" | "--quiet=2")
            || short.is_some_and(|letters| {
                letters.bytes().all(|b| b.is_ascii_alphabetic()) && (letters.contains('y') || letters.contains("qq"))
            })
    })
}

/// Configuration management leaves its mark: it answers every question beforehand, or runs under its own name.
fn is_automation(words: &[&str], requested_by: Option<&str>) -> bool {
    let user = requested_by.and_then(|by| by.split_whitespace().next()).unwrap_or_default();
    let tools = ["ansible", "puppet", "chef", "salt", "landscape", "awx"];
    let conffiles = words.iter().any(|word| word.to_ascii_lowercase().contains("dpkg::options::=--force-conf"));
    tools.iter().any(|tool| user == *tool || user.strip_prefix(tool).is_some_and(|rest| rest.starts_with(['-', '_'])))
        || tools.iter().any(|tool| program(words).starts_with(tool))
        || (conffiles && answers_by_itself(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callers() {
        use Actor::{Manual, Other, UnattendedUpgrades, Unknown};
        for (command, by, want) in [
            (Some("/usr/bin/unattended-upgrade"), None, UnattendedUpgrades),
            (Some("/usr/bin/unattended-upgrades -v"), None, UnattendedUpgrades),
            (Some("/usr/bin/python3 /usr/bin/unattended-upgrade -d"), None, UnattendedUpgrades),
            (Some("apt install unattended-upgrades"), Some("mara (1000)"), Manual),
            (Some("apt-get -y install unattended-upgrades"), None, Other),
            (Some("apt upgrade"), Some("mara (1000)"), Manual),
            (Some("apt upgrade"), None, Manual),
            (Some("apt -y upgrade"), None, Manual),
            (Some("apt-get dist-upgrade"), None, Manual),
            (Some("apt-get -y upgrade"), None, Other),
            (Some("/usr/bin/apt-get -qqy upgrade"), None, Other),
            (Some("apt-get -y upgrade"), Some("mara (1000)"), Manual),
            (Some("apt-get -y upgrade"), Some("ansible (998)"), Other),
            (
                Some(
                    "/usr/bin/apt-get -y -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold install x",
                ),
                Some("deploy (1001)"),
                Other,
            ),
            (Some("aptitude safe-upgrade"), None, Manual),
            (Some("aptdaemon role='role-commit-packages' sender=':1.9'"), None, Manual),
            (Some("packagekit role='update-packages'"), Some("mara (1000)"), Manual),
            (Some("packagekit role='update-packages'"), None, Other),
            (Some("/usr/sbin/synaptic"), None, Manual),
            (Some("/usr/lib/landscape/package-changer"), None, Other),
            (None, Some("mara (1000)"), Manual),
            (None, None, Unknown),
            (Some("  "), None, Unknown),
        ] {
            assert_eq!(of(command, by), want, "{command:?} {by:?}");
        }
    }

    #[test]
    fn trial_runs() {
        assert!(is_dry_run(Some("/usr/bin/unattended-upgrade --dry-run -d")));
        assert!(is_dry_run(Some("/usr/bin/unattended-upgrade --dry")));
        assert!(!is_dry_run(Some("/usr/bin/unattended-upgrade -d")));
        assert!(!is_dry_run(Some("apt-get -d -y upgrade")));
        assert!(!is_dry_run(None));
    }
}
