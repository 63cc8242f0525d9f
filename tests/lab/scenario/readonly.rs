//! Read-only is proven: a host's whole file tree is the same before and after a sweep, as a user and as root.

use crate::fleet::{Entry, Part, lab};
use crate::ground::clock::days_ago;
use crate::host::machine::Machine;
use crate::host::recipe::{NEW, blacklisted, with_driver};

/// What sshd and sudo themselves write when somebody logs in.
const VOLATILE: [&str; 4] = ["/var/log/lastlog", "/var/log/wtmp", "/var/log/btmp", "/var/lib/sudo"];

pub fn part() -> Part {
    // Caches that are older than the lists and the status file: asked as root, apt would rewrite them.
    let stale = blacklisted(&with_driver(NEW), days_ago(50)).run(
        days_ago(45),
        &[],
        "apt-cache gencaches >/var/tmp/log 2>&1\nrm /var/tmp/log\nls -l /var/cache/apt/pkgcache.bin\n\
         touch /var/lib/dpkg/status /var/lib/apt/lists/*Packages /etc/apt/sources.list\n",
    );
    Part::default()
        .machine(Machine::new("untouched", stale.clone()).closed(NEW.version))
        .machine(Machine::new("stale-twin", stale).closed(NEW.version))
        .entry(Entry::new("untouched-user", "readonly").on("untouched"))
        .entry(Entry::new("untouched-root", "readonly").on("untouched").sudo())
}

/// One line for every file: type, mode, owner, size, change time, path; then the checksums of all contents.
fn digest(name: &str) -> String {
    let skip: Vec<String> = VOLATILE.iter().map(|path| format!("-path {path}")).collect();
    let lab = lab().expect("only called with a lab");
    lab.running(name).inside(&format!(
        "find / -xdev \\( {skip} \\) -prune -o -printf '%y %m %U:%G %s %T@ %C@ %p %l\\n' | sort -k 7
         find / -xdev \\( {skip} \\) -prune -o -type f -print0 | sort -z | xargs -0 sha1sum",
        skip = skip.join(" -o ")
    ))
}

#[test]
fn a_sweep_changes_nothing_on_a_host() {
    let Some(lab) = lab() else { return };
    // The common sweep uses this host too: let it be over.
    lab.report("untouched-user").expect("ok", &[]);
    lab.report("untouched-root").expect("ok", &[]);
    let before = digest("untouched");
    assert!(
        before.lines().count() > 20_000 && before.contains("/var/cache/apt/pkgcache.bin"),
        "the digest sees the tree"
    );
    for (limit, tree) in [("untouched-user", "as a user"), ("untouched-root", "as root")] {
        let outcome = lab.gpusweep(&["sweep", "--limit", limit]);
        outcome.host(limit).expect("ok", &[]);
        let after = digest("untouched");
        let changed: Vec<&str> = after.lines().filter(|line| !before.contains(line)).collect();
        assert!(before == after, "{tree} these changed:\n{}", changed.join("\n"));
    }
}

#[test]
fn the_digest_notices_what_apt_would_write() {
    let Some(lab) = lab() else { return };
    let noticed = lab.running("stale-twin").inside(
        "before=$(stat -c '%y %i' /var/cache/apt/pkgcache.bin)
         apt-cache policy >/run/log 2>&1
         after=$(stat -c '%y %i' /var/cache/apt/pkgcache.bin); [ \"$before\" = \"$after\" ] || echo rewritten",
    );
    // Otherwise the test above would prove nothing about stale caches.
    assert_eq!(noticed.trim(), "rewritten");
}
