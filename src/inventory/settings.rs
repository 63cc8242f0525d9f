//! From a host's variables to a [`Target`].

use super::effective::{Effective, Value};
use super::graph::Host;
use super::ssh_args::{self, SshArgs};
use super::target::{Connection, Location, Target};
use super::{address, own};
use crate::yaml::{Diagnostic, truth};

const HOST: [&str; 2] = ["ansible_host", "ansible_ssh_host"];
const PORT: [&str; 2] = ["ansible_port", "ansible_ssh_port"];
const USER: [&str; 2] = ["ansible_user", "ansible_ssh_user"];
const KEY: [&str; 2] = ["ansible_private_key_file", "ansible_ssh_private_key_file"];
const BECOME: [&str; 1] = ["ansible_become"];
const BECOME_USER: [&str; 1] = ["ansible_become_user"];
const BECOME_METHOD: [&str; 1] = ["ansible_become_method"];
const CONNECTION: [&str; 1] = ["ansible_connection"];
/// In the order in which Ansible puts them on the command line; its own settings stand behind the first.
const ARGS: [&str; 3] = ["ansible_ssh_args", "ansible_ssh_common_args", "ansible_ssh_extra_args"];

/// Resolves one host. An error does not name the host: several may share it.
pub(super) fn target(host: &Host, groups: Vec<String>, vars: &Effective<'_>) -> Result<Target, Diagnostic> {
    let own = own::read(vars)?;
    let mut target = Target {
        name: host.name.clone(),
        address: host.name.clone(),
        groups,
        vars: own,
        location: Location {
            file: host.spot.source.file().to_owned(),
            line: host.spot.at.line,
            column: host.spot.at.column,
        },
        ..Target::default()
    };
    match connect(&mut target, vars) {
        // A host that is not contacted needs no settings that work.
        Err(_) if target.vars.skip.is_some() => Ok(target),
        Err(told) => Err(told),
        Ok(()) => Ok(target),
    }
}

fn connect(target: &mut Target, vars: &Effective<'_>) -> Result<(), Diagnostic> {
    target.connection = connection(vars)?;
    if let Some(value) = set(vars, &HOST)? {
        let bare = value.text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        let address = bare.filter(|text| address::is_ipv6(text)).unwrap_or(&value.text);
        if let Some(why) = address::fault_of_name(address) {
            return Err(value.spot.error(format!("{why}: `{}` in `{}`", value.text, value.name)));
        }
        target.address = address.to_owned();
    }
    become_user(target, vars)?;
    let mut args = SshArgs::default();
    let [first, rest @ ..] = ARGS;
    add_args(&mut args, vars, first)?;
    if let Some(value) = set(vars, &PORT)? {
        let number = address::port(&value.text).ok_or_else(|| {
            let told = value.spot.error(format!("`{}` is no port: `{}`", value.name, value.text));
            told.hint("a port is a number from 1 to 65535")
        })?;
        args.port.get_or_insert(number);
    }
    if let Some(value) = set(vars, &USER)? {
        args.user.get_or_insert(user(value)?);
    }
    if let Some(value) = set(vars, &KEY)? {
        args.keys.push(value.text);
    }
    for name in rest {
        add_args(&mut args, vars, name)?;
    }
    target.port = args.port;
    target.user = args.user;
    target.keys = args.keys.into_iter().map(Into::into).collect();
    target.jump = args.jump;
    target.ssh_config = args.config.map(Into::into);
    target.ssh_options = args.options;
    Ok(())
}

/// A value that is not empty.
fn set(vars: &Effective<'_>, names: &[&str]) -> Result<Option<Value>, Diagnostic> {
    Ok(vars.text(names)?.filter(|value| !value.text.trim().is_empty()).map(|mut value| {
        value.text = value.text.trim().to_owned();
        value
    }))
}

fn user(value: Value) -> Result<String, Diagnostic> {
    if value.text.starts_with('-') || value.text.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Err(value.spot.error(format!("`{}` is no user name: `{}`", value.name, value.text)));
    }
    Ok(value.text)
}

fn add_args(args: &mut SshArgs, vars: &Effective<'_>, name: &str) -> Result<(), Diagnostic> {
    let Some(value) = set(vars, &[name])? else { return Ok(()) };
    ssh_args::add(args, &value.text).map_err(|why| {
        let told = value.spot.error(format!("`{name}`: {why}"));
        told.hint("understood are -J, -F, -p, -l, -i and -o Key=Value with what gpusweep honours; or put the setting into ssh_config")
    })
}

fn connection(vars: &Effective<'_>) -> Result<Connection, Diagnostic> {
    let Some(value) = set(vars, &CONNECTION)? else { return Ok(Connection::Ssh) };
    let name = value.text.strip_prefix("ansible.builtin.").unwrap_or(&value.text);
    match name {
        "ssh" | "smart" | "paramiko" | "paramiko_ssh" | "libssh" | "ansible.netcommon.libssh" => Ok(Connection::Ssh),
        "local" => Ok(Connection::Local),
        _ => {
            let told = value
                .spot
                .error(format!("`{}` is `{}`: gpusweep reaches hosts by `ssh` or `local`", value.name, value.text));
            Err(told.hint("leave such hosts out with a pattern, or set `gpusweep_skip` to the reason"))
        }
    }
}

fn become_user(target: &mut Target, vars: &Effective<'_>) -> Result<(), Diagnostic> {
    let Some(value) = set(vars, &BECOME)? else { return Ok(()) };
    let wanted = truth(&value.text).ok_or_else(|| {
        let told = value.spot.error(format!("`{}` is neither yes nor no: `{}`", value.name, value.text));
        told.hint("write `true` or `false`")
    })?;
    if !wanted {
        return Ok(());
    }
    let is_sudo = |name: &str| matches!(name, "sudo" | "ansible.builtin.sudo" | "community.general.sudo");
    if let Some(method) = set(vars, &BECOME_METHOD)?.filter(|method| !is_sudo(&method.text)) {
        let told = method.spot.error(format!("`{}` is `{}`: only `sudo` is understood", method.name, method.text));
        return Err(told.hint("use sudo, or set `ansible_become: false`: most facts need no root"));
    }
    target.become_user = Some(match set(vars, &BECOME_USER)? {
        Some(value) => user(value)?,
        None => "root".to_owned(),
    });
    Ok(())
}
