//! Connection flags to the transport's options.

use std::path::PathBuf;
use std::sync::Arc;

use crate::cli::ConnectArgs;
use crate::cli::reach::HostKeys;
use crate::command::failure::Failure;
use crate::command::judge::Judge;
use crate::transport::{ConfigSource, HostKeyPolicy, Options, Script};

/// The transport's options as typed.
///
/// # Errors
/// A usage error for each file that is named and cannot be read: with `--allow-unverified` a typo would else pass as
/// a fleet that nobody could verify.
pub fn options(args: &ConnectArgs) -> Result<Options, Failure> {
    let config = args.ssh_config.as_deref().filter(|file| *file != "none").map(PathBuf::from);
    let named = args.key.iter().map(|file| ("--key", file));
    let named = named.chain(config.iter().map(|file| ("--ssh-config", file)));
    // To OpenSSH a known_hosts file that is not there is an empty one.
    let recorded = args.known_hosts.iter().filter(|file| file.exists()).map(|file| ("--known-hosts", file));
    let errors: Vec<String> = named
        .chain(recorded)
        .filter_map(|(flag, file)| {
            let error = std::fs::File::open(file).err()?;
            Some(format!("error: `{flag} {}` cannot be read: {error}", file.display()))
        })
        .collect();
    if !errors.is_empty() {
        return Err(Failure::Usage(errors));
    }
    Ok(Options {
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
    })
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
