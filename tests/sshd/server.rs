//! A real, unprivileged `sshd` on a loopback port, with its own keys, for as long as the value lives.

use std::io::Write;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// The server's program, where distributions put it.
const SSHD: &str = "/usr/sbin/sshd";

/// Says aloud that a test was skipped, and why.
pub fn skip(why: &str) {
    _ = writeln!(std::io::stderr(), "SKIPPED: {why}");
}

/// False, said aloud, where there is no `sshd`.
pub fn available() -> bool {
    if Path::new(SSHD).exists() {
        return true;
    }
    skip(&format!("{SSHD} is not installed (Debian: openssh-server)"));
    false
}

pub struct Sshd {
    pub folder: TempDir,
    pub port: u16,
    child: Child,
}

impl Sshd {
    /// A server with a host key of the type and further lines of sshd_config.
    pub fn start(host_key: &str, lines: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        keygen(&folder.path().join("host"), &["-t", host_key, "-N", ""]);
        keygen(&folder.path().join("user"), &["-t", "ed25519", "-N", ""]);
        let public = std::fs::read_to_string(folder.path().join("user.pub")).unwrap();
        std::fs::write(folder.path().join("authorized"), public).unwrap();
        if is_root() {
            std::fs::create_dir_all("/run/sshd").unwrap();
        }
        let port = free_port();
        let at = folder.path().display();
        let mut config = format!(
            "Port {port}\nListenAddress 127.0.0.1\nHostKey {at}/host\nAuthorizedKeysFile {at}/authorized\nPidFile none\n\
             UsePAM no\nStrictModes no\nPasswordAuthentication no\nKbdInteractiveAuthentication no\n\
             PermitRootLogin yes\nMaxStartups 200\nPrintMotd no\n"
        );
        for line in lines {
            config.push_str(&line.replace("@DIR", &at.to_string()));
            config.push('\n');
        }
        let file = folder.path().join("sshd_config");
        std::fs::write(&file, config).unwrap();
        let log = std::fs::File::create(folder.path().join("log")).unwrap();
        let child =
            Command::new(SSHD).args(["-D", "-e", "-f"]).arg(&file).stdin(Stdio::null()).stderr(log).spawn().unwrap();
        let server = Self { folder, port, child };
        wait_for(port, || server.log());
        server
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn log(&self) -> String {
        std::fs::read_to_string(self.path("log")).unwrap_or_default()
    }

    /// A known_hosts file with this server's key.
    pub fn known_hosts(&self) -> PathBuf {
        let public = std::fs::read_to_string(self.path("host.pub")).unwrap();
        let path = self.path("known_hosts");
        std::fs::write(&path, format!("[127.0.0.1]:{} {public}", self.port)).unwrap();
        path
    }

    /// A further client key that the server accepts.
    pub fn authorise(&self, name: &str, arguments: &[&str]) -> PathBuf {
        let path = self.path(name);
        keygen(&path, arguments);
        let public = std::fs::read_to_string(path.with_extension("pub")).unwrap();
        let mut authorized = std::fs::OpenOptions::new().append(true).open(self.path("authorized")).unwrap();
        authorized.write_all(public.as_bytes()).unwrap();
        path
    }
}

impl Drop for Sshd {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

pub fn keygen(path: &Path, arguments: &[&str]) {
    let output = Command::new("ssh-keygen").arg("-q").args(arguments).arg("-f").arg(path).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

pub fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").unwrap().uid() == 0
}

pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Waits until something listens.
pub fn wait_for(port: u16, log: impl Fn() -> String) {
    let until = Instant::now() + Duration::from_secs(10);
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    while TcpStream::connect_timeout(&address, Duration::from_secs(1)).is_err() {
        assert!(Instant::now() < until, "nothing listens on {port}: {}", log());
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Established TCP connections of this machine to a local port.
pub fn connections_to(port: u16) -> usize {
    let table = std::fs::read_to_string("/proc/net/tcp").unwrap_or_default();
    let remote = format!(":{port:04X}");
    table
        .lines()
        .filter(|line| {
            let mut words = line.split_ascii_whitespace().skip(2);
            words.next().is_some_and(|at| at.ends_with(&remote)) && words.next() == Some("01")
        })
        .count()
}
