//! `gpusweep hosts`: what a sweep would contact.

use serde_json::{Value, json};

use crate::cli::{ExitCode, HostsArgs, HostsFormat};
use crate::command::failure::Failure;
use crate::command::{load, print};
use crate::inventory::{Connection, Target};
use crate::ui::Terminal;

/// Runs it.
pub fn run(args: &HostsArgs, terminal: &Terminal) -> Result<ExitCode, Failure> {
    let (_, targets) = load::targets(&args.select, &args.patterns)?;
    let targets: Vec<Target> = targets.into_iter().map(|target| with_flags(target, args)).collect();
    print(&match args.format {
        HostsFormat::Names => targets.iter().map(|target| format!("{}\n", target.name)).collect(),
        HostsFormat::Json => {
            let rows: Vec<Value> = targets.iter().map(json_row).collect();
            crate::report::json::pretty(&rows) + "\n"
        }
        HostsFormat::Table => table(&targets, terminal),
    })
}

/// What the flags add where the inventory is silent; the transport does the same.
fn with_flags(mut target: Target, args: &HostsArgs) -> Target {
    let connect = &args.connect;
    target.user = target.user.or_else(|| connect.user.clone());
    target.jump = target.jump.or_else(|| connect.jump.clone());
    if target.keys.is_empty() {
        target.keys.clone_from(&connect.key);
    }
    if connect.become_root && target.become_user.is_none() {
        target.become_user = Some("root".to_owned());
    }
    target
}

fn json_row(target: &Target) -> Value {
    json!({
        "host": target.name,
        "address": target.address,
        "port": target.port,
        "user": target.user,
        "connection": connection(target),
        "become": target.become_user,
        "jump": target.jump,
        "keys": target.keys.iter().map(|key| key.display().to_string()).collect::<Vec<_>>(),
        "groups": target.groups,
        "expect_driver": target.vars.expect_driver,
        "baseline_group": target.vars.baseline_group,
        "kube_node": target.vars.kube_node,
        "skip": target.vars.skip,
        "defined_at": format!("{}:{}:{}", target.location.file, target.location.line, target.location.column),
    })
}

fn connection(target: &Target) -> &'static str {
    match target.connection {
        Connection::Ssh => "ssh",
        Connection::Local => "local",
    }
}

fn table(targets: &[Target], terminal: &Terminal) -> String {
    let rows = targets.iter().map(|target| {
        let mut how = Vec::new();
        if target.connection == Connection::Local {
            how.push("local".to_owned());
        }
        how.extend(target.jump.as_ref().map(|jump| format!("via {jump}")));
        how.extend(target.become_user.as_ref().map(|user| format!("sudo to {user}")));
        how.extend(target.vars.expect_driver.as_ref().map(|driver| format!("expects {driver}")));
        how.extend(target.vars.skip.as_ref().map(|why| format!("SKIPPED: {why}")));
        let user = target.user.as_ref().map(|user| format!("{user}@")).unwrap_or_default();
        let port = target.port.map(|port| format!(":{port}")).unwrap_or_default();
        vec![target.name.clone(), format!("{user}{}{port}", target.address), target.groups.join(" "), how.join(", ")]
    });
    let mut table = crate::report::plain_table(&["host", "address", "groups", "how"], rows, &terminal.style());
    let skipped = targets.iter().filter(|target| target.vars.skip.is_some()).count();
    table.push_str(&match skipped {
        0 => format!("{} hosts\n", targets.len()),
        n => format!("{} hosts, {n} of them skipped\n", targets.len()),
    });
    table.push_str("settings that are not shown come from ssh_config\n");
    table
}
