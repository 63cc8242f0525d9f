//! `gpusweep audit`: one host, or this machine, without an inventory.

use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;

use crate::cli::{AuditArgs, ExitCode, SelectArgs};
use crate::command::failure::Failure;
use crate::command::run_sweep::{self, Run, Subject};
use crate::command::{connect, load, runtime};
use crate::inventory::{self, Connection, Target};
use crate::transport::{Dispatcher, Passphrases};
use crate::ui::{Progress, Terminal};

/// Runs it.
pub fn run(args: AuditArgs, terminal: &Terminal) -> Result<ExitCode, Failure> {
    let judge = load::judge(&args.judge)?;
    let targets = targets(&args)?;
    let mut options = connect::options(&args.connect)?;
    if std::io::stdin().is_terminal() && std::io::stderr().is_terminal() {
        options.passphrases = Some(Arc::new(Tty));
    }
    let progress = Progress::new(targets.len(), terminal);
    let run = Run {
        subject: Subject { inventory: load::names(&args.inventory), ..Subject::default() },
        targets,
        contact: Arc::new(Dispatcher::new(options, connect::script(&judge))),
        options: connect::engine(&args.connect),
        judge: &judge,
        output: &args.output,
        style: terminal.style(),
        audit: true,
        progress,
    };
    let (code, _) = runtime()?.block_on(run_sweep::run(run))?;
    Ok(code)
}

fn targets(args: &AuditArgs) -> Result<Vec<Target>, Failure> {
    if !args.inventory.is_empty() {
        let select = SelectArgs { inventory: args.inventory.clone(), limit: None };
        return Ok(load::targets(&select, &args.hosts)?.1);
    }
    if args.local {
        let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default().trim().to_owned();
        let name = if name.is_empty() { "localhost".to_owned() } else { name };
        return Ok(vec![Target { address: name.clone(), name, connection: Connection::Local, ..Target::default() }]);
    }
    let (targets, errors): (Vec<_>, Vec<_>) =
        args.hosts.iter().map(|host| inventory::ad_hoc(host)).partition(Result::is_ok);
    if !errors.is_empty() {
        return Err(load::failures(errors.into_iter().filter_map(Result::err)));
    }
    let mut targets: Vec<(Target, &String)> = targets.into_iter().filter_map(Result::ok).zip(&args.hosts).collect();
    // The same words twice are one host; two ports or users of one address are two, told apart as they were typed.
    let mut seen = std::collections::BTreeSet::new();
    targets.retain(|(_, typed)| seen.insert(typed.as_str()));
    let names: Vec<String> = targets.iter().map(|(target, _)| target.name.clone()).collect();
    for (target, typed) in &mut targets {
        if names.iter().filter(|name| **name == target.name).count() > 1 {
            target.name.clone_from(typed);
        }
    }
    Ok(targets.into_iter().map(|(target, _)| target).collect())
}

/// Asks a person at the terminal.
struct Tty;

impl Passphrases for Tty {
    fn ask(&self, key: &Path) -> Option<String> {
        rpassword::prompt_password(format!("Passphrase for `{}`: ", key.display())).ok().filter(|text| !text.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::{Cli, Command};

    #[test]
    fn two_ports_of_one_address_are_two_hosts() {
        let named = |typed: &[&str]| -> Vec<(String, Option<u16>)> {
            let words = ["gpusweep", "audit"].iter().chain(typed);
            let Command::Audit(args) = Cli::try_parse_from(words).unwrap().command else { panic!("not an audit") };
            targets(&args).unwrap().into_iter().map(|target| (target.name, target.port)).collect()
        };
        assert_eq!(
            named(&["root@10.0.0.1:2221", "ops@10.0.0.1:2222", "root@10.0.0.1:2221"]),
            [("root@10.0.0.1:2221".to_owned(), Some(2221)), ("ops@10.0.0.1:2222".to_owned(), Some(2222))]
        );
        assert_eq!(named(&["root@gpu-3"]), [("gpu-3".to_owned(), None)]);
    }
}
