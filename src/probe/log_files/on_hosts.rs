//! What `script/logs.sh` makes of whole folders of logs.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use crate::probe::apt_history::AptHistory;
use crate::probe::{Sections, apt_history, dpkg_log, shells, updater_log};
use crate::reading::{Reading, Reason};
use crate::transcript::State;

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    for (name, text) in files {
        let plain = name.trim_end_matches(".gz");
        fs::write(folder.path().join(plain), text).unwrap();
        if plain != *name {
            assert!(Command::new("gzip").arg(folder.path().join(plain)).status().unwrap().success());
        }
    }
    folder
}

fn stanza(month: u8, to: &str) -> String {
    format!(
        "\nStart-Date: 2026-{month:02}-09  06:10:00\nCommandline: /usr/bin/unattended-upgrade\n\
         Upgrade: libnvidia-compute-550:amd64 (550.1, {to}), tzdata:amd64 (1, 2)\nEnd-Date: 2026-{month:02}-09  06:10:09\n"
    )
}

fn histories(folder: &Path) -> Vec<(String, AptHistory)> {
    shells::frames(&format!("apt_history_of '{}/history.log'", folder.display()))
        .into_iter()
        .map(|(host, frame)| {
            let history = apt_history::parse(&Sections::parse(&frame.body)).known().unwrap().clone();
            (host, history)
        })
        .collect()
}

fn targets(history: &AptHistory) -> Vec<&str> {
    history.stanzas.iter().map(|stanza| stanza.items[0].new.as_deref().unwrap()).collect()
}

#[test]
fn rotated_files_of_both_numberings_are_read_oldest_first() {
    // Right after a rotation there is no history.log at all; twelve counted files and some dated ones are left.
    let counted = folder(&[
        ("history.log.1.gz", &stanza(9, "550.9")),
        ("history.log.2.gz", &stanza(8, "550.8")),
        ("history.log.10.gz", &stanza(2, "550.2")),
        ("history.log.12.gz", &stanza(1, "550.1")),
        ("history.log.1", &stanza(9, "550.9")),
        ("history.logger", &stanza(12, "550.12")),
        ("history.log.old", &stanza(12, "550.12")),
    ]);
    let dated = folder(&[
        ("history.log", &stanza(9, "550.9")),
        ("history.log-20260801", &stanza(7, "550.7")),
        ("history.log-20260901.gz", &stanza(8, "550.8")),
        ("history.log-20260701.gz", &stanza(6, "550.6")),
    ]);
    for (host, history) in histories(counted.path()) {
        assert_eq!(targets(&history), ["550.1", "550.2", "550.8", "550.9"], "{host}");
        assert_eq!(history.reaches_back_to, super::stamp("2026-01-09 06:10:00"), "{host}");
        assert!(history.stanzas[0].file.ends_with("/history.log.12.gz"), "{host}");
        assert_eq!(history.stanzas[0].items.len(), 1, "{host}: only what matters is shipped");
    }
    for (host, history) in histories(dated.path()) {
        assert_eq!(targets(&history), ["550.6", "550.7", "550.8", "550.9"], "{host}");
    }
}

#[test]
fn of_too_much_the_newest_is_kept() {
    let many: String = (0..9000).map(|n| stanza(3, &format!("550.{n}"))).collect();
    let logs = folder(&[("history.log", &many), ("history.log.1", &stanza(2, "550.old"))]);
    for (host, frame) in shells::frames(&format!("apt_history_of '{}/history.log'", logs.path().display())) {
        assert!(frame.body.len() < 700_000, "{host}: {}", frame.body.len());
        let history = apt_history::parse(&Sections::parse(&frame.body)).known().unwrap().clone();
        assert_eq!(frame.state, State::Ok, "{host}");
        assert_eq!(targets(&history).last(), Some(&"550.8999"), "{host}");
        assert!(!targets(&history).contains(&"550.old") && !targets(&history).contains(&"550.0"), "{host}");
        assert_eq!(history.reaches_back_to, super::stamp("2026-03-09 06:10:00"), "{host}");
    }
}

#[test]
fn a_damaged_file_is_named_and_the_others_count() {
    let logs = folder(&[("history.log", &stanza(9, "550.9"))]);
    fs::write(logs.path().join("history.log.1.gz"), b"\x1f\x8b\x08\x00 not gzip").unwrap();
    fs::create_dir(logs.path().join("history.log.2")).unwrap();
    for (host, history) in histories(logs.path()) {
        assert_eq!(targets(&history), ["550.9"], "{host}");
        let names: Vec<_> = history.unread_files.iter().filter_map(|file| file.rsplit('/').next()).collect();
        assert_eq!(names, ["history.log.1.gz", "history.log.2"], "{host}");
    }
}

#[test]
fn zeroes_left_by_a_power_cut_do_no_harm() {
    let text = format!("{}\0\0\0\0\0\0{}", stanza(8, "550.8"), stanza(9, "550.9").replace('\n', "\r\n"));
    let logs = folder(&[("history.log", &text)]);
    for (host, history) in histories(logs.path()) {
        assert_eq!(targets(&history), ["550.8", "550.9"], "{host}");
        assert_eq!(history.stanzas[1].commandline.as_deref(), Some("/usr/bin/unattended-upgrade"), "{host}");
    }
}

#[test]
fn closed_is_not_missing() {
    let logs =
        folder(&[("history.log", &stanza(9, "550.9")), ("history.log.1", &stanza(8, "550.8")), ("dpkg.log", "x")]);
    let closed = logs.path().join("updater");
    fs::create_dir(&closed).unwrap();
    fs::write(closed.join("unattended-upgrades.log"), "x").unwrap();
    for (path, mode) in [("updater", 0o750), ("history.log.1", 0o640), ("dpkg.log", 0o640)] {
        fs::set_permissions(logs.path().join(path), fs::Permissions::from_mode(mode)).unwrap();
    }
    let path = logs.path().display();
    for (host, frame) in shells::frames_as_nobody(&format!("apt_history_of '{path}/history.log'")) {
        let history = apt_history::parse(&Sections::parse(&frame.body)).known().unwrap().clone();
        assert_eq!(targets(&history), ["550.9"], "{host}");
        assert_eq!(history.unread_files, [format!("{path}/history.log.1")], "{host}");
    }
    for (host, frame) in shells::frames_as_nobody(&format!("dpkg_log_of '{path}/dpkg.log'")) {
        let why = Reading::unread(Reason::PermissionDenied, format!("{path}/dpkg.log (exit 1)"));
        assert_eq!(dpkg_log::parse(&Sections::parse(&frame.body)), why, "{host}");
    }
    for (host, frame) in shells::frames_as_nobody(&format!("updater_log_of '{path}/updater/unattended-upgrades.log'")) {
        assert_eq!(frame.state, State::Denied, "{host}");
        assert_eq!(frame.body, format!("+dir {path}/updater\n-denied 1\n"), "{host}");
    }
    for (host, frame) in shells::frames(&format!("updater_log_of '{path}/nowhere/unattended-upgrades.log'")) {
        assert_eq!(frame.state, State::Absent, "{host}");
    }
    for (host, frame) in shells::frames(&format!("updater_log_of '{path}/unattended-upgrades.log'")) {
        assert_eq!(frame.state, State::Absent, "{host}");
    }
}

#[test]
fn in_a_folder_that_cannot_be_listed_the_newest_file_is_read() {
    let logs = folder(&[("history.log", &stanza(9, "550.9")), ("history.log.1", &stanza(8, "550.8"))]);
    fs::set_permissions(&logs, fs::Permissions::from_mode(0o711)).unwrap();
    let path = logs.path().display();
    for (host, frame) in shells::frames_as_nobody(&format!("apt_history_of '{path}/history.log'")) {
        let history = apt_history::parse(&Sections::parse(&frame.body)).known().unwrap().clone();
        assert_eq!(targets(&history), ["550.9"], "{host}");
        assert_eq!(history.unread_files, [path.to_string()], "{host}");
    }
}

#[test]
fn apt_says_where_its_files_are() {
    // As `apt-config shell` prints them.
    let call = r#"limited() {
            printf "history='/srv/log/apt history.log'\nparts='/etc/apt/apt.conf.d/'\nlists=''\n"
            printf "old_dir='/old/'\ndir='/srv/log/uu/'\nlog='uu.log'\n"
        }
        apt_paths
        sec paths
        for path in "$apt_history" "$apt_parts" "$apt_lists" "$updater_dir/$updater_log"; do say "$path"; done
        fin ok"#;
    let wanted = ["/srv/log/apt history.log", "/etc/apt/apt.conf.d", "/var/lib/apt/lists", "/srv/log/uu/uu.log"];
    for (host, frame) in shells::frames(call) {
        assert_eq!(Sections::parse(&frame.body).0[0].lines, wanted, "{host}");
    }
}

#[test]
fn host_and_controller_agree_on_the_names_that_matter() {
    let names = [
        ("libnvidia-compute-550", true),
        ("libcuda1", true),
        ("libnvoptix1", true),
        ("libxnvctrl0", true),
        ("firmware-nvidia-gsp", true),
        ("linux-image-6.8.0-48-generic", true),
        ("linux-generic-hwe-24.04", true),
        ("linux-modules-nvidia-550-6.8.0-48-generic", true),
        ("linux-nvidia-64k", true),
        ("linux-aws", true),
        ("proxmox-kernel-6.8", true),
        ("pve-headers", true),
        ("cuda-drivers", true),
        ("linux-libc-dev", false),
        ("linux-base", false),
        ("linux-firmware", false),
        ("tzdata", false),
        ("xlibnv", false),
        ("mylinux-image", false),
    ];
    let words: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
    let call =
        format!("sec names; printf '%s\\n' {} | awk -v n=\"$log_names\" '$0 ~ n' | quote; fin ok", words.join(" "));
    let wanted: Vec<&str> = names.iter().filter(|(_, matters)| *matters).map(|(name, _)| *name).collect();
    for (host, frame) in shells::frames(&call) {
        assert_eq!(Sections::parse(&frame.body).0[0].lines, wanted, "{host}");
    }
    for (name, matters) in names {
        assert_eq!(super::of_interest(name), matters, "{name}");
    }
}

#[test]
fn runs_within_a_minute_and_runs_without_origins_are_kept_apart() {
    let origins = "INFO Allowed origins are: o=Debian,n=trixie\n";
    let run = |at: &str, list: &str| {
        format!(
            "{at},000 INFO Starting unattended upgrades script\n{at},001 {origins}{at},001 INFO Initial blacklist: {list}\n\
            {at},001 INFO Initial whitelist (not strict): \n"
        )
    };
    let text = [
        &run("2026-05-01 06:00:00", "a"),
        "2026-05-01 06:00:02,000 ERROR An error occurred: first\n",
        "Traceback (most recent call last):\n  File \"x\", line 1\nre.error: one\n\n",
        "During handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File \"y\"\nKeyError: two\n",
        &run("2026-05-01 06:00:03", "b"),
        "2026-05-01 06:00:05,000 INFO Packages that will be upgraded: libcuda1\n",
        "2026-05-01 06:00:05,000 INFO Writing dpkg log to /x/unattended-upgrades-dpkg.log\n",
        "2026-05-02 06:00:00,000 ERROR Lock file is already taken, exiting\n",
        "2026-05-03 06:00:00,000 INFO Package libnvidia-compute-550 is blacklisted.\n",
    ]
    .concat();
    let logs = folder(&[("unattended-upgrades.log", &text)]);
    for (host, frame) in shells::frames(&format!("updater_log_of '{}/unattended-upgrades.log'", logs.path().display()))
    {
        let log = updater_log::parse(&Sections::parse(&frame.body)).known().unwrap().clone();
        let seen: Vec<String> = log
            .runs
            .iter()
            .map(|run| format!("{} {:?} {:?} {:?}", run.started, run.blacklist, run.packages, run.errors))
            .collect();
        assert_eq!(
            seen,
            [
                r#"2026-05-01T06:00:00 Some(["a"]) [] ["An error occurred: first", "KeyError: two"]"#,
                r#"2026-05-01T06:00:03 Some(["b"]) ["libcuda1"] []"#,
                r#"2026-05-02T06:00:00 None [] ["Lock file is already taken, exiting"]"#,
                "2026-05-03T06:00:00 None [] []",
            ],
            "{host}"
        );
    }
}
