//! The Debian tree every host stands on: made once with debootstrap, kept in the cache.

use std::path::PathBuf;
use std::process::Command;

use super::machine::cache;
use super::shell::{digest, feed, say, sh};

/// What the tree has beyond the minimal variant.
const INCLUDE: &str = "openssh-server,unattended-upgrades,python3,sudo,kmod,systemd,gzip,zstd,xz-utils,procps,logrotate,\
                       iproute2,tzdata,tcsh,fish,faketime,apt-utils";

/// Settled once for all hosts: login users, sshd, no network sources, no syncing, quiet apt.
const FINISH: &str = include_str!("finish.sh");

/// Answers uname(2) with the release in `/run/lab/osrelease`, read once when a program starts.
const UNAME: &str = include_str!("uname.c");

/// The base tree's folder, made if it is not there.
///
/// # Panics
/// When debootstrap fails; its last lines are in the message.
pub fn base() -> PathBuf {
    let (mirror, codename) = mirror();
    let key = digest(&[INCLUDE, FINISH, UNAME, &codename]);
    let folder = cache().join("base").join(&key);
    if folder.is_dir() {
        return folder;
    }
    say(&format!("making the {codename} base tree with debootstrap (about a minute and a half, once)"));
    let raw = cache().join("base").join(format!("{key}.making"));
    drop(std::fs::remove_dir_all(&raw));
    std::fs::create_dir_all(&raw).expect("cache is writable");
    let mut command = Command::new("debootstrap");
    command.args(["--variant=minbase", &format!("--include={INCLUDE}"), &codename]).arg(&raw).arg(&mirror);
    for (name, key) in [("http_proxy", "Acquire::http::Proxy"), ("https_proxy", "Acquire::https::Proxy")] {
        let value = sh(&format!("apt-config dump --format '%v%n' {key}"));
        if let Some(proxy) = value.lines().find(|line| line.contains("://")) {
            command.env(name, proxy);
        }
    }
    let done = feed(&mut command, "");
    let tail: Vec<&str> = done.out.lines().rev().take(5).collect();
    assert!(done.code == 0, "debootstrap failed ({}): {tail:?} {}", done.code, done.err);

    let at = raw.display();
    let downloads = cache().join("download");
    std::fs::create_dir_all(&downloads).expect("cache is writable");
    sh(&format!(
        "mkdir -p {at}/lab; cd {down}
         ls dkms_*.deb >/dev/null 2>&1 || apt-get download -qq dkms >/dev/null 2>&1 ||
             {{ apt-get update -qq; apt-get download -qq dkms; }}
         cp dkms_*.deb {at}/lab/dkms.deb",
        down = downloads.display(),
    ));
    std::fs::write(raw.join("lab/uname.c"), UNAME).expect("tree is writable");
    sh(&format!("cc -shared -fPIC -O1 -o {at}/usr/lib/libuname-lab.so {at}/lab/uname.c"));
    let key_file = cache().join("id_lab");
    sh(&format!(
        "test -s {key} || ssh-keygen -q -t ed25519 -N '' -C lab -f {key}; cp {key}.pub {at}/lab/id.pub",
        key = key_file.display()
    ));
    let finish = feed(
        Command::new("unshare")
            .args(["--mount", "--net", "--pid", "--fork", "/bin/sh", "-eu", "-c"])
            .arg(format!("mount -t proc proc {at}/proc; exec chroot {at} /bin/sh -eu")),
        FINISH,
    );
    assert!(finish.code == 0, "finishing the base tree failed: {} {}", finish.out, finish.err);
    std::fs::rename(&raw, &folder).expect("same file system");
    folder
}

/// The first Debian (or Ubuntu) archive of this machine's own apt configuration, and this machine's code name.
fn mirror() -> (String, String) {
    let codename = sh(". /etc/os-release; echo ${VERSION_CODENAME:-}").trim().to_owned();
    let list = sh("apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages'");
    let found = list.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        let (address, release, component) = (words.next()?, words.next()?, words.next()?);
        (release == codename && component == "main").then(|| address.to_owned())
    });
    match found {
        Some(mirror) => (mirror, codename),
        None => {
            // Without lists yet (a fresh container) apt knows its targets only after an update.
            sh("apt-get update -qq");
            let list = sh("apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages'");
            let wanted = format!(" {codename} main");
            let line = list.lines().find(|line| line.ends_with(&wanted)).expect("apt knows the machine's own release");
            (line.trim_end_matches(&wanted).to_owned(), codename)
        }
    }
}
