//! Chambers: a disk's next layer is made by running a script inside it, at a chosen date, with real tools.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use super::clock::now;
use super::shell::feed;

/// What one layer is made of.
pub struct Chamber<'a> {
    /// The layers below, nearest first; the last is the base tree.
    pub below: &'a [PathBuf],
    /// Where the new layer goes.
    pub layer: &'a Path,
    /// The date the tools are to see, seconds since the epoch.
    pub at: i64,
    /// The package archives mounted at `/srv/mirror`.
    pub mirror: Option<&'a Path>,
    /// What `uname -r` answers.
    pub kernel: &'a str,
    /// The script, for `/bin/sh -eu`.
    pub script: &'a str,
}

impl Chamber<'_> {
    /// Runs the script and settles the new files' dates.
    ///
    /// # Panics
    /// With the script's output when it fails.
    pub fn run(&self) {
        let parent = self.layer.parent().expect("a layer has a folder");
        let name = self.layer.file_name().expect("a layer has a name").to_string_lossy().into_owned();
        let (raw, work, root) = (
            parent.join(format!("{name}.making")),
            parent.join(format!("{name}.work")),
            parent.join(format!("{name}.root")),
        );
        for folder in [&raw, &work, &root] {
            drop(fs::remove_dir_all(folder));
            fs::create_dir_all(folder).expect("cache is writable");
        }
        let lower: Vec<String> = self.below.iter().map(|path| path.display().to_string()).collect();
        let root_at = root.display();
        let mirror = match self.mirror {
            Some(path) => {
                format!("mkdir -p {root_at}/srv/mirror; mount --bind {} {root_at}/srv/mirror", path.display())
            }
            None => String::new(),
        };
        // A /dev of its own: root tools that unlink or rename must never meet the machine's.
        let outer = format!(
            r#"mount -t overlay overlay -o lowerdir={lower},upperdir={raw},workdir={work},volatile {root_at}
            mount -t proc proc {root_at}/proc
            mount -t tmpfs tmpfs {root_at}/run
            mkdir -p {root_at}/run/lab {root_at}/run/lock {root_at}/run/sshd
            echo {kernel} >{root_at}/run/lab/osrelease
            printf '%s\n' 'APT::Sandbox::User "root";' >{root_at}/run/lab/apt.conf
            {devices}
            {mirror}
            exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/root DEBIAN_FRONTEND=noninteractive \
                APT_CONFIG=/run/lab/apt.conf FAKETIME={offset} FAKETIME_DONT_FAKE_MONOTONIC=1 \
                chroot {root_at} /usr/bin/env LD_PRELOAD=/usr/lib/libuname-lab.so:/usr/lib/libfaketime-lab.so /bin/sh -eu"#,
            lower = lower.join(":"),
            raw = raw.display(),
            work = work.display(),
            kernel = self.kernel,
            devices = devices(&root_at.to_string()),
            offset = self.at - now(),
        );
        let began = SystemTime::now();
        let done = feed(
            Command::new("unshare")
                .args(["--mount", "--net", "--uts", "--pid", "--fork", "--kill-child", "/bin/sh", "-eu", "-c"])
                .arg(outer),
            self.script,
        );
        assert!(
            done.code == 0,
            "a lab disk could not be made ({}): {}\n--- out\n{}\n--- err\n{}",
            done.code,
            self.script,
            done.out,
            done.err
        );
        let shift = Duration::from_secs(u64::try_from(now() - self.at).unwrap_or(0));
        back_date(&raw, began - Duration::from_secs(1), shift);
        drop(fs::remove_dir_all(&work));
        drop(fs::remove_dir_all(&root));
        fs::rename(&raw, self.layer).expect("same file system");
    }
}

/// Shell lines that give a root its own few devices.
pub fn devices(root: &str) -> String {
    format!(
        r"mount -t tmpfs -o mode=755 tmpfs {root}/dev
            for d in null:1:3 zero:1:5 full:1:7 random:1:8 urandom:1:9 tty:5:0; do
                n=${{d%%:*}}; r=${{d#*:}}; mknod -m 666 {root}/dev/$n c ${{r%:*}} ${{r#*:}}
            done
            mkdir {root}/dev/pts {root}/dev/shm; mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts {root}/dev/pts
            ln -s pts/ptmx {root}/dev/ptmx; ln -s /proc/self/fd {root}/dev/fd
            ln -s fd/0 {root}/dev/stdin; ln -s fd/1 {root}/dev/stdout; ln -s fd/2 {root}/dev/stderr"
    )
}

/// Files the tools wrote carry this machine's time: move them to the date the tools saw.
fn back_date(folder: &Path, since: SystemTime, shift: Duration) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let Ok(meta) = entry.metadata() else { continue };
        if meta.is_dir() {
            back_date(&path, since, shift);
        }
        let plain = meta.is_dir() || (meta.is_file() && meta.nlink() >= 1);
        if let (true, Ok(time)) = (plain, meta.modified())
            && time >= since
            && let Ok(file) = fs::File::open(&path)
        {
            drop(file.set_modified(time - shift));
        }
    }
}
