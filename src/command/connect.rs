//! Connection flags to the transport's options.

use std::sync::Arc;

use crate::cli::ConnectArgs;
use crate::cli::reach::HostKeys;
use crate::command::judge::Judge;
use crate::transport::{ConfigSource, HostKeyPolicy, Options, Script};

/// The transport's options as typed.
pub fn options(args: &ConnectArgs) -> Options {
    Options {
        connect_timeout: args.timeout.map(|limit| limit.0),
        host_timeout: args.host_timeout.0,
        retries: args.retries.into(),
        ssh_config: match args.ssh_config.as_deref() {
            None => ConfigSource::Default,
            Some("none") => ConfigSource::None,
            Some(file) => ConfigSource::File(file.into()),
        },
        user: args.user.clone(),
        keys: args.key.clone(),
        jump: args.jump.clone(),
        known_hosts: args.known_hosts.clone(),
        host_keys: args.host_keys.map(|policy| match policy {
            HostKeys::Strict => HostKeyPolicy::Strict,
            HostKeys::AcceptNew => HostKeyPolicy::AcceptNew,
        }),
        become_user: args.become_root.then(|| "root".to_owned()),
        ..Options::default()
    }
}

/// The script for one connection.
pub fn script(judge: &Judge) -> Script {
    let probes = judge.probes().to_vec();
    Arc::new(move |marker| crate::probe::script::render(marker, &probes))
}

/// The engine's limits as typed.
pub fn engine(args: &ConnectArgs) -> crate::sweep::Options {
    crate::sweep::Options {
        forks: args.forks.into(),
        sweep_timeout: args.sweep_timeout.map(|limit| limit.0),
        ..crate::sweep::Options::default()
    }
}
