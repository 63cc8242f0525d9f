//! One host with every connection setting that the inventory and the flags give it.
//!
//! What `ssh_config` adds (HostName, ProxyJump, IdentityFile and the rest) is resolved later, by the transport.

use std::path::PathBuf;

/// Where a setting was written, for errors and for `gpusweep hosts`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Location {
    /// The file, or a flag's name.
    pub file: String,
    /// Line, from 1; 0 when there is none.
    pub line: usize,
    /// Column, from 1; 0 when there is none.
    pub column: usize,
}

/// How the probe script reaches the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Connection {
    /// Over SSH.
    #[default]
    Ssh,
    /// On this machine, without SSH.
    Local,
}

/// A host to contact.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Target {
    /// The name in the inventory, or as typed; what reports call the host.
    pub name: String,
    /// What to connect to (`ansible_host`, else the name), before `ssh_config`.
    pub address: String,
    /// The port, when set here.
    pub port: Option<u16>,
    /// The login user, when set here.
    pub user: Option<String>,
    /// Private key files named here. A named key implies IdentitiesOnly.
    pub keys: Vec<PathBuf>,
    /// SSH or this machine itself.
    pub connection: Connection,
    /// The user `sudo -n` switches to, or `None` to stay the login user.
    pub become_user: Option<String>,
    /// Every group the host is in, sorted, without `all` and `ungrouped`.
    pub groups: Vec<String>,
    /// `-J`: bastions in order, as `[user@]host[:port]`.
    pub jump: Option<String>,
    /// `-o Key=Value` pairs honoured by the transport, keys as ssh_config spells them.
    pub ssh_options: Vec<(String, String)>,
    /// `-F` for this host alone.
    pub ssh_config: Option<PathBuf>,
    /// gpusweep's own variables.
    pub vars: TargetVars,
    /// Where the inventory names the host.
    pub location: Location,
}

/// The inventory variables that begin with `gpusweep_`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TargetVars {
    /// `gpusweep_expect_driver`: an exact version (`535.230.02`) or a branch (`535`).
    pub expect_driver: Option<String>,
    /// `gpusweep_baseline_group`: hosts of one value are compared with each other.
    pub baseline_group: Option<String>,
    /// `gpusweep_kube_node`: the node's name in Kubernetes, if it is another.
    pub kube_node: Option<String>,
    /// `gpusweep_skip`: the reason why this host is not contacted.
    pub skip: Option<String>,
    /// Every other plain variable of the host as text, for a playbook's `baseline.by: {variable: NAME}`.
    pub other: Vec<(String, String)>,
}
