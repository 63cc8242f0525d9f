//! Command lines: does this one change installed packages?

/// Options with which apt and the updater only pretend.
const PRETENDS: [&str; 6] = ["-s", "--simulate", "--just-print", "--dry-run", "--recon", "--no-act"];

/// Options with which apt only downloads. To unattended-upgrade `-d` means debug.
const DOWNLOADS: [&str; 2] = ["-d", "--download-only"];

/// Words that make apt and its like change packages.
const CHANGES: [&str; 12] = [
    "upgrade",
    "dist-upgrade",
    "full-upgrade",
    "safe-upgrade",
    "install",
    "reinstall",
    "remove",
    "purge",
    "autoremove",
    "autopurge",
    "-f",
    "--fix-broken",
];

/// Whether a scheduled command changes packages: a simulation or a download does not.
pub fn upgrades(command: &str) -> bool {
    let has = |options: &[&str]| words(command).any(|word| options.contains(&word));
    !has(&PRETENDS) && (command.contains("unattended-upgrade") || !has(&DOWNLOADS))
}

/// Names of the processes that change packages, each once. Lines of `processes` are name, `here` or `elsewhere` (a
/// container's), arguments; lines of `locks` are process id and name of who holds dpkg's lock.
pub fn running(processes: &[String], locks: &[String]) -> Vec<String> {
    let mut running: Vec<String> = Vec::new();
    let busy = processes.iter().filter_map(|line| {
        let (name, rest) = line.split_once(' ')?;
        let (place, arguments) = rest.split_once(' ').unwrap_or((rest, ""));
        (place == "here" && changes(name, arguments)).then(|| full_name(name, arguments))
    });
    let holders = locks.iter().filter_map(|line| Some(full_name(line.split_once(' ')?.1, "")));
    for name in busy.chain(holders) {
        if !running.contains(&name) {
            running.push(name);
        }
    }
    running
}

fn changes(name: &str, arguments: &str) -> bool {
    let has = |wanted: &[&str]| words(arguments).any(|word| wanted.contains(&word));
    // It waits for the shutdown signal from boot to shutdown.
    if arguments.contains("unattended-upgrade-shutdown") || has(&PRETENDS) {
        return false;
    }
    match name {
        "unattended-upgr" => true,
        "dpkg" => {
            has(&["--configure", "--unpack", "-i", "--install", "-r", "--remove", "-P", "--purge", "--triggers-only"])
                || words(arguments).any(|word| word.starts_with("--unpack") || word == "--status-fd")
        }
        "apt" | "apt-get" | "aptitude" | "nala" => has(&CHANGES),
        // The daily job's `update` only fetches lists.
        "apt.systemd.dai" => has(&["install"]),
        "rpm" => words(arguments).any(|word| matches!(word, "-i" | "-U" | "-F" | "-e" | "-ivh" | "-Uvh")),
        "dnf" | "dnf5" | "yum" | "zypper" => has(&CHANGES) || has(&["update"]),
        _ if name.starts_with("python3") => arguments.contains("unattended-upgrade"),
        _ => false,
    }
}

/// The kernel cuts names to 15 characters.
fn full_name(name: &str, arguments: &str) -> String {
    match name {
        "unattended-upgr" => "unattended-upgrade".to_owned(),
        "apt.systemd.dai" => "apt.systemd.daily".to_owned(),
        _ if name.starts_with("python3") && arguments.contains("unattended-upgrade") => "unattended-upgrade".to_owned(),
        _ => name.chars().filter(|c| !c.is_control()).take(40).collect(),
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ';')).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_simulation_is_no_upgrade_and_debugging_is() {
        assert!(upgrades("0 4 * * * root apt-get -y upgrade"));
        assert!(upgrades("ExecStart=/usr/bin/unattended-upgrade -d"));
        assert!(!upgrades("0 4 * * * root apt-get -s upgrade | mail ops"));
        assert!(!upgrades("apt-get -y -d dist-upgrade"));
    }

    #[test]
    fn a_lock_holder_counts_and_a_container_s_process_does_not() {
        let processes = ["apt-get elsewhere apt-get install x".to_owned(), "dpkg here dpkg --unpack /x.deb".to_owned()];
        let locks = ["77 unattended-upgr".to_owned(), "78 dpkg".to_owned()];
        assert_eq!(running(&processes, &locks), ["dpkg", "unattended-upgrade"]);
    }

    #[test]
    fn only_what_changes_packages_counts() {
        for (name, arguments, expected) in [
            ("unattended-upgr", "/usr/bin/python3 /usr/bin/unattended-upgrade", true),
            (
                "unattended-upgr",
                "/usr/bin/python3 /usr/share/unattended-upgrades/unattended-upgrade-shutdown --wait-for-signal",
                false,
            ),
            ("unattended-upgr", "/usr/bin/python3 /usr/bin/unattended-upgrade --dry-run -d", false),
            ("python3.11", "python3 /usr/bin/unattended-upgrade", true),
            ("apt-get", "apt-get -y dist-upgrade", true),
            ("apt-get", "apt-get update", false),
            ("apt-get", "apt-get -s upgrade", false),
            ("apt", "apt list --upgradable", false),
            ("dpkg", "/usr/bin/dpkg --status-fd 25 --no-triggers --unpack --auto-deconfigure /x.deb", true),
            ("dpkg", "dpkg -l", false),
            ("apt.systemd.dai", "/bin/sh /usr/lib/apt/apt.systemd.daily install", true),
            ("apt.systemd.dai", "/bin/sh /usr/lib/apt/apt.systemd.daily update", false),
        ] {
            assert_eq!(changes(name, arguments), expected, "{arguments}");
        }
    }
}
