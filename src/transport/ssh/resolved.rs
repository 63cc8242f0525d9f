//! Everything the client needs to know about one host, after ssh_config.

use std::time::Duration;

use crate::reading::{Reason, Unread};
use crate::transport::HostKeyPolicy;

/// How the connection gets to the host.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Proxy {
    /// Directly.
    #[default]
    None,
    /// ProxyJump: bastions in the order they are passed.
    Jump(Vec<String>),
    /// ProxyCommand, with its tokens not yet expanded.
    Command(String),
}

/// Which agent may be asked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum AgentChoice {
    /// The one that `SSH_AUTH_SOCK` names, if any.
    #[default]
    Environment,
    /// None at all.
    None,
    /// The one behind this socket; tokens not yet expanded.
    Socket(String),
}

/// Algorithm lists that the configuration sets; `None` leaves ours.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Algorithms {
    /// KexAlgorithms.
    pub kex: Option<Vec<String>>,
    /// Ciphers.
    pub ciphers: Option<Vec<String>>,
    /// MACs.
    pub macs: Option<Vec<String>>,
    /// HostKeyAlgorithms.
    pub host_keys: Option<Vec<String>>,
    /// PubkeyAcceptedAlgorithms.
    pub public_keys: Option<Vec<String>>,
}

/// The settings of one host. Paths may still hold tokens; see `tokens`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Resolved {
    /// The name that was asked for.
    pub original: String,
    /// What to connect to (HostName).
    pub host_name: String,
    /// The port.
    pub port: u16,
    /// The login user.
    pub user: String,
    /// IdentityFile lines of the configuration, without OpenSSH's own defaults.
    pub identity_files: Vec<String>,
    /// IdentitiesOnly.
    pub identities_only: bool,
    /// IdentityAgent.
    pub agent: AgentChoice,
    /// CertificateFile lines.
    pub certificate_files: Vec<String>,
    /// ProxyJump or ProxyCommand.
    pub proxy: Proxy,
    /// HostKeyAlias.
    pub host_key_alias: Option<String>,
    /// UserKnownHostsFile.
    pub user_known_hosts: Vec<String>,
    /// GlobalKnownHostsFile.
    pub global_known_hosts: Vec<String>,
    /// HashKnownHosts.
    pub hash_known_hosts: bool,
    /// StrictHostKeyChecking, as far as it is honoured.
    pub host_keys: Option<HostKeyPolicy>,
    /// StrictHostKeyChecking was `no`, which is not honoured.
    pub lax_host_keys: bool,
    /// ConnectTimeout.
    pub connect_timeout: Option<Duration>,
    /// Algorithm lists.
    pub algorithms: Algorithms,
}

impl Resolved {
    /// OpenSSH's defaults for a host.
    pub(crate) fn defaults(host: &str, user: String) -> Self {
        let files = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Self {
            original: host.to_owned(),
            host_name: host.to_owned(),
            port: 22,
            user,
            user_known_hosts: files(&["~/.ssh/known_hosts", "~/.ssh/known_hosts2"]),
            global_known_hosts: files(&["/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2"]),
            ..Self::default()
        }
    }

    /// Takes one setting over, spelled as in ssh_config. Errors name what is refused.
    pub(crate) fn apply(&mut self, key: &str, value: &str) -> Result<(), Unread> {
        let value = value.trim();
        let list = || value.split(',').map(|name| name.trim().to_owned()).collect::<Vec<_>>();
        let words = || value.split_ascii_whitespace().map(str::to_owned).collect::<Vec<_>>();
        match key.to_ascii_lowercase().as_str() {
            "hostname" => self.host_name = value.to_owned(),
            "port" => self.port = value.parse().map_err(|_| refused(key, value, "is no port"))?,
            "user" => self.user = value.to_owned(),
            "identityfile" if value == "none" => self.identity_files.clear(),
            "identityfile" => self.identity_files.push(value.to_owned()),
            "identitiesonly" => self.identities_only = value == "yes",
            "identityagent" => self.agent = agent(value),
            "certificatefile" if value == "none" => {}
            "certificatefile" => self.certificate_files.push(value.to_owned()),
            "proxyjump" if value == "none" => self.proxy = Proxy::None,
            "proxyjump" => self.proxy = Proxy::Jump(list()),
            "proxycommand" if value == "none" => self.proxy = Proxy::None,
            "proxycommand" => self.proxy = Proxy::Command(value.to_owned()),
            "hostkeyalias" if value == "none" => self.host_key_alias = None,
            "hostkeyalias" => self.host_key_alias = Some(value.to_owned()),
            "userknownhostsfile" => self.user_known_hosts = known_hosts_files(words()),
            "globalknownhostsfile" => self.global_known_hosts = known_hosts_files(words()),
            "hashknownhosts" => self.hash_known_hosts = value == "yes",
            "stricthostkeychecking" => {
                self.host_keys = match value {
                    "accept-new" => Some(HostKeyPolicy::AcceptNew),
                    "yes" | "true" => Some(HostKeyPolicy::Strict),
                    _ => None,
                };
                self.lax_host_keys = matches!(value, "no" | "off" | "false");
            }
            "connecttimeout" => {
                self.connect_timeout = value.parse().ok().filter(|s| *s > 0).map(Duration::from_secs);
            }
            "kexalgorithms" => self.algorithms.kex = Some(list()),
            "ciphers" => self.algorithms.ciphers = Some(list()),
            "macs" => self.algorithms.macs = Some(list()),
            "hostkeyalgorithms" => self.algorithms.host_keys = Some(list()),
            "pubkeyacceptedalgorithms" | "pubkeyacceptedkeytypes" => self.algorithms.public_keys = Some(list()),
            "knownhostscommand" | "revokedhostkeys" if value != "none" => {
                return Err(refused(key, value, "is not supported and decides about trust"));
            }
            "proxyusefdpass" if value == "yes" => return Err(refused(key, value, "is not supported")),
            "pubkeyauthentication" if value == "no" => {
                return Err(refused(key, value, "leaves no way to log in: gpusweep uses public keys only"));
            }
            "canonicalizehostname" if !matches!(value, "no" | "false") => {
                return Err(refused(key, value, "is not supported"));
            }
            // Everything else changes nothing for one script without a terminal.
            _ => {}
        }
        Ok(())
    }
}

fn refused(key: &str, value: &str, why: &str) -> Unread {
    Unread::new(Reason::ConfigRefused, format!("ssh_config `{key} {}` {why}", crate::transport::one_line(value)))
}

fn agent(value: &str) -> AgentChoice {
    match value {
        "none" => AgentChoice::None,
        "SSH_AUTH_SOCK" => AgentChoice::Environment,
        _ => AgentChoice::Socket(value.to_owned()),
    }
}

fn known_hosts_files(words: Vec<String>) -> Vec<String> {
    words.into_iter().filter(|word| word != "none").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(pairs: &[(&str, &str)]) -> Result<Resolved, Unread> {
        let mut resolved = Resolved::defaults("gpu-1", "ann".into());
        for (key, value) in pairs {
            resolved.apply(key, value)?;
        }
        Ok(resolved)
    }

    #[test]
    fn settings_are_taken_over_whatever_their_case() {
        let resolved = applied(&[
            ("HostName", "10.0.0.1"),
            ("PORT", "2222"),
            ("proxyjump", "a,ann@b:24"),
            ("IdentityAgent", "none"),
            ("stricthostkeychecking", "accept-new"),
            ("ConnectTimeout", "7"),
        ])
        .unwrap();
        assert_eq!((resolved.host_name.as_str(), resolved.port), ("10.0.0.1", 2222));
        assert_eq!(resolved.proxy, Proxy::Jump(vec!["a".into(), "ann@b:24".into()]));
        assert_eq!(resolved.agent, AgentChoice::None);
        assert_eq!(resolved.host_keys, Some(HostKeyPolicy::AcceptNew));
        assert_eq!(resolved.connect_timeout, Some(Duration::from_secs(7)));
    }

    #[test]
    fn what_loosens_trust_behind_our_back_is_refused_by_name() {
        let why = applied(&[("KnownHostsCommand", "/usr/bin/keys %H")]).unwrap_err();
        assert_eq!(why.reason, Reason::ConfigRefused);
        assert!(why.detail.contains("KnownHostsCommand"));
        let lax = applied(&[("StrictHostKeyChecking", "no")]).unwrap();
        assert_eq!((lax.host_keys, lax.lax_host_keys), (None, true));
    }
}
