//! Lines of cron files and timers that upgrade packages behind unattended-upgrades' back.

/// What such a line does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Does {
    /// Runs `unattended-upgrade`: its blacklist counts, the periodic switches do not.
    UnattendedUpgrade,
    /// Upgrades through apt itself: only holds and pins count.
    AptUpgrade,
    /// Nothing that replaces a package without being asked.
    Nothing,
}

/// Reads one line. `assume_yes` is apt's own configured default.
pub fn read(line: &str, assume_yes: bool) -> Does {
    if line.trim_start().starts_with('#') {
        return Does::Nothing;
    }
    let mut found = Does::Nothing;
    for part in line.split(['&', ';', '|', '(', ')', '`']) {
        let piped_yes = line.split('|').any(|left| left.split_whitespace().next_back() == Some("yes"));
        match command(part, assume_yes || piped_yes) {
            Does::AptUpgrade => return Does::AptUpgrade,
            Does::UnattendedUpgrade => found = Does::UnattendedUpgrade,
            Does::Nothing => {}
        }
    }
    found
}

fn command(text: &str, assume_yes: bool) -> Does {
    let words: Vec<&str> = text.split_whitespace().map(|word| word.trim_matches(['"', '\''])).collect();
    let base = |word: &str| word.rsplit('/').next().unwrap_or(word).to_owned();
    let Some(at) = words.iter().position(|word| {
        matches!(base(word).as_str(), "apt" | "apt-get" | "aptitude" | "unattended-upgrade" | "unattended-upgrades")
    }) else {
        return Does::Nothing;
    };
    let program = words.get(at).map(|word| base(word)).unwrap_or_default();
    let arguments = words.get(at + 1..).unwrap_or(&[]);
    let short = |letter: char| {
        arguments.iter().any(|word| word.starts_with('-') && !word.starts_with("--") && word.contains(letter))
    };
    let long = |names: &[&str]| arguments.iter().any(|word| names.contains(word));
    if program.starts_with("unattended") {
        return if long(&["--dry-run", "--download-only", "--help"]) { Does::Nothing } else { Does::UnattendedUpgrade };
    }
    if short('s')
        || short('d')
        || long(&["--simulate", "--just-print", "--dry-run", "--recon", "--download-only", "--print-uris"])
    {
        return Does::Nothing;
    }
    let verb = arguments.iter().find(|word| !word.starts_with('-') && !word.contains('='));
    let upgrades = match verb.copied() {
        Some("upgrade" | "dist-upgrade" | "full-upgrade" | "safe-upgrade") => true,
        Some("install" | "reinstall") => arguments
            .iter()
            .any(|word| word.contains("nvidia") || word.contains("cuda-drivers") || word.contains("libcuda")),
        _ => false,
    };
    // Without an answer to its question apt aborts; a variable may hold one.
    let agrees = assume_yes
        || short('y')
        || arguments.iter().any(|word| word.starts_with("-qq"))
        || long(&["--yes", "--assume-yes", "--force-yes"])
        || text.contains("Assume-Yes=true")
        || arguments.iter().any(|word| word.contains('$'));
    if upgrades && agrees { Does::AptUpgrade } else { Does::Nothing }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_upgrades() {
        for line in [
            "0 4 * * * root apt-get update -qq && apt-get -y upgrade",
            "@weekly root /usr/bin/apt -y full-upgrade >/dev/null 2>&1",
            "ExecStart=/usr/bin/apt-get --assume-yes -o Dpkg::Options::=--force-confold dist-upgrade",
            "30 2 * * 0 root yes | apt-get upgrade",
            "5 5 * * * root sh -c 'apt-get -qq upgrade'",
            "5 5 * * * root apt-get install -y --only-upgrade nvidia-driver-535",
        ] {
            assert_eq!(read(line, false), Does::AptUpgrade, "{line}");
        }
        assert_eq!(read("17 3 * * * root /usr/bin/unattended-upgrade -v", false), Does::UnattendedUpgrade);
        assert_eq!(read("17 3 * * * root apt-get upgrade", true), Does::AptUpgrade);
    }

    #[test]
    fn what_does_not() {
        for line in [
            "# 0 4 * * * root apt-get -y upgrade",
            "0 4 * * * root apt-get update",
            "0 4 * * * root apt-get -s upgrade",
            "0 4 * * * root apt-get -y -d dist-upgrade",
            "0 4 * * * root apt-get upgrade",
            "0 4 * * * root apt list --upgradable",
            "0 4 * * * root apt-get -y install curl",
            "0 4 * * * root unattended-upgrade --dry-run",
            "0 4 * * * root /usr/local/bin/backup",
        ] {
            assert_eq!(read(line, false), Does::Nothing, "{line}");
        }
    }
}
