//! Running hosts: own mounts, processes, host name and boot time; a real sshd; gone when the test process is.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use super::machine::Machine;
use super::net::Net;
use crate::ground::chamber::devices;
use crate::ground::machine::cache;
use crate::ground::shell::sh;

/// A started host.
pub struct Running {
    /// Its address in the lab's network.
    pub address: String,
    /// Its public host key, as a known_hosts line has it after the address.
    pub host_key: String,
    /// The keeper of its namespaces. It waits on a pipe from this process and takes the host down with it.
    keeper: Child,
}

impl Running {
    /// Starts a host.
    ///
    /// # Panics
    /// When it does not come up; its messages are in the panic.
    pub fn start(machine: &Machine, net: &Net, run: &Path, address: &str) -> Self {
        let below = machine.disk.layers();
        let home = run.join(machine.name);
        let (root, upper, work) = (home.join("root"), home.join("upper"), home.join("work"));
        for folder in [&root, &upper, &work] {
            fs::create_dir_all(folder).expect("cache is writable");
        }
        let host_key = host_key(machine.name);
        fs::create_dir_all(upper.join("etc/ssh")).expect("writable");
        fs::copy(&host_key, upper.join("etc/ssh/ssh_host_ed25519_key")).expect("key is readable");
        fs::write(upper.join("etc/ld.so.preload"), "/usr/lib/libuname-lab.so\n").expect("writable");
        fs::write(upper.join("etc/hostname"), format!("{}\n", machine.name)).expect("writable");
        let lower: Vec<String> = below.iter().map(|path| path.display().to_string()).collect();
        let btime: i64 = fs::read_to_string("/proc/stat")
            .ok()
            .and_then(|text| text.lines().find_map(|line| line.strip_prefix("btime ")?.parse().ok()))
            .expect("/proc/stat has btime");
        let offset = btime - machine.booted;
        let script = format!(
            r#"root={root}
            hostname {name}
            mount -t overlay overlay -o lowerdir={lower},upperdir={upper},workdir={work} $root
            chmod 600 $root/etc/ssh/ssh_host_ed25519_key
            mount -t proc proc $root/proc
            mount -t tmpfs tmpfs $root/proc/driver
            mount -t tmpfs -o mode=755 tmpfs $root/sys
            mount -t tmpfs -o mode=755 tmpfs $root/run
            mkdir -p $root/run/lab $root/run/sshd $root/run/lock
            echo {kernel} >$root/run/lab/osrelease
            mount --bind $root/run/lab/osrelease $root/proc/sys/kernel/osrelease
            {devices}
            {hardware}
            exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot $root /bin/sh -euc '
                {start}
                /usr/sbin/sshd -o ListenAddress={address} -o PidFile=none -E /run/sshd.log
                echo ready
                exec cat'"#,
            root = root.display(),
            name = machine.name,
            lower = lower.join(":"),
            upper = upper.display(),
            work = work.display(),
            kernel = machine.kernel,
            devices = devices("$root"),
            hardware = machine.hardware(),
            start = machine.start.replace('\'', r"'\''"),
        );
        let log = home.join("log");
        let mut command = net.command("unshare");
        command
            .args(["--mount", "--uts", "--ipc", "--pid", "--fork", "--kill-child", "--time", "--boottime"])
            .arg(offset.to_string())
            .args(["/bin/sh", "-euc", &script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(fs::File::create(&log).expect("writable"));
        let mut keeper = command.spawn().expect("unshare starts");
        let mut line = String::new();
        let mut out = BufReader::new(keeper.stdout.take().expect("stdout is a pipe"));
        drop(out.read_line(&mut line));
        let said = fs::read_to_string(&log).unwrap_or_default();
        assert_eq!(line, "ready\n", "the lab host {} did not start: {said}", machine.name);
        let public = fs::read_to_string(host_key.with_extension("pub")).expect("key is readable");
        let host_key = public.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
        Self { address: address.to_owned(), host_key, keeper }
    }

    /// The host's file tree, seen from outside its namespaces.
    pub fn root(&self) -> PathBuf {
        let keeper = self.keeper.id();
        let children = fs::read_to_string(format!("/proc/{keeper}/task/{keeper}/children")).unwrap_or_default();
        let first = children.split_whitespace().next().expect("the keeper has its child");
        PathBuf::from(format!("/proc/{first}/root"))
    }

    /// Runs a shell script as root inside the host and returns its output.
    pub fn inside(&self, script: &str) -> String {
        let root = self.root();
        let pid = root.parent().and_then(Path::file_name).expect("a pid").to_string_lossy().into_owned();
        sh(&format!(
            "nsenter --target {pid} --mount --uts --pid --net --root --wd --time env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin \
             LC_ALL=C.UTF-8 /bin/sh -euc {}",
            crate::ground::shell::word(script)
        ))
    }
}

/// A host's private key in the cache; one per name, as a fleet keeps its keys over reinstallations.
fn host_key(name: &str) -> PathBuf {
    let folder = cache().join("host-key");
    fs::create_dir_all(&folder).expect("cache is writable");
    let file = folder.join(name);
    if !file.with_extension("pub").is_file() {
        sh(&format!("rm -f {0}; ssh-keygen -q -t ed25519 -N '' -C {name} -f {0}", file.display()));
    }
    file
}
