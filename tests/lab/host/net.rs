//! The lab's network: one namespace in which 10.77.0.0/16 is local, and one address that swallows packets.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

/// An address that never answers: packets to it leave by a cable nobody listens on.
pub const SILENT: &str = "10.78.0.9";
/// An address of the lab where nothing listens.
pub const CLOSED: &str = "10.77.255.1";

/// The network namespace; it ends with the test process, for its keeper waits on a pipe from it.
pub struct Net {
    keeper: Child,
}

impl Net {
    /// Makes the namespace.
    ///
    /// # Panics
    /// When the kernel refuses.
    pub fn start() -> Self {
        let mut keeper = Command::new("unshare")
            .args(["--net", "/bin/sh", "-euc"])
            .arg(format!(
                "ip link set lo up
                 ip route add local 10.77.0.0/16 dev lo
                 ip link add lab0 type veth peer name lab1
                 ip addr add 10.78.0.1/24 dev lab0
                 ip link set lab0 up; ip link set lab1 up
                 ip neigh add {SILENT} lladdr 02:00:00:00:00:99 dev lab0
                 echo ready; exec cat"
            ))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("unshare starts");
        let mut line = String::new();
        let mut out = BufReader::new(keeper.stdout.take().expect("stdout is a pipe"));
        out.read_line(&mut line).expect("keeper speaks");
        assert_eq!(line, "ready\n", "the lab's network namespace could not be made");
        Self { keeper }
    }

    /// A command that runs inside the namespace.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new("nsenter");
        command.arg(format!("--net=/proc/{}/ns/net", self.keeper.id())).arg("--").arg(program);
        command
    }
}
