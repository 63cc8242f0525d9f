//! Whether this machine can carry the lab at all.

use std::path::PathBuf;
use std::sync::LazyLock;

use super::shell::{feed, has, say};

/// Why the lab cannot be built here, said once; `None` when it can.
pub fn missing() -> Option<&'static str> {
    static REASON: LazyLock<Option<String>> = LazyLock::new(|| {
        let reason = reason();
        if let Some(reason) = &reason {
            say(&format!("SKIPPED: no real hosts were built, because {reason}"));
        }
        reason
    });
    REASON.as_deref()
}

fn reason() -> Option<String> {
    if std::env::var_os("GPUSWEEP_LAB").is_some_and(|value| value == "off") {
        return Some("GPUSWEEP_LAB=off".into());
    }
    if !cfg!(target_os = "linux") {
        return Some("this is not Linux".into());
    }
    let id = feed(std::process::Command::new("id").arg("-u"), "");
    if id.out.trim() != "0" {
        return Some("it needs root (namespaces, overlay file systems, chroot)".into());
    }
    let tools = ["debootstrap", "dpkg-deb", "apt-get", "unshare", "nsenter", "ip", "sshd", "ssh-keygen", "cc", "zstd"];
    let absent: Vec<&str> = tools.into_iter().filter(|tool| !has(tool)).collect();
    if !absent.is_empty() {
        return Some(format!("these programs are missing: {} (tests/setup installs them)", absent.join(", ")));
    }
    let folder = cache();
    if let Err(error) = std::fs::create_dir_all(&folder) {
        return Some(format!("{} cannot be created: {error}", folder.display()));
    }
    // One trial of everything the kernel must allow: namespaces, a local route, an overlay with another as its floor.
    let trial = format!(
        r#"set -e
        d={}/trial.$$; mkdir -p $d/a $d/b $d/u $d/w $d/m
        trap 'rmdir $d/w/work $d/* $d 2>/dev/null || rm -rf $d' EXIT
        unshare --mount --net --uts --pid --fork --time --boottime 1000 sh -ec "
            mount -t overlay overlay -o lowerdir=$d/a:$d/b,upperdir=$d/u,workdir=$d/w,volatile $d/m
            ip link set lo up; ip route add local 10.77.0.0/16 dev lo
            umount $d/m""#,
        folder.display()
    );
    let done = feed(std::process::Command::new("/bin/sh").args(["-c", &trial]), "");
    if done.code != 0 {
        let line = done.err.lines().next().unwrap_or("no message").to_owned();
        return Some(format!("the kernel does not allow namespaces with overlay file systems here: {line}"));
    }
    None
}

/// Where built trees are kept between runs: outside the repository.
pub fn cache() -> PathBuf {
    std::env::var_os("GPUSWEEP_LAB_CACHE").map_or_else(|| PathBuf::from("/var/tmp/gpusweep-lab"), PathBuf::from)
}
