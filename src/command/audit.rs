//! `gpusweep audit`: one host, or this machine, without an inventory.

use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;

use crate::cli::{AuditArgs, ExitCode};
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
    let mut options = connect::options(&args.connect);
    if std::io::stdin().is_terminal() && std::io::stderr().is_terminal() {
        options.passphrases = Some(Arc::new(Tty));
    }
    let progress = Progress::new(targets.len(), terminal);
    let run = Run {
        subject: Subject::default(),
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
    let mut targets: Vec<Target> = targets.into_iter().filter_map(Result::ok).collect();
    targets.dedup_by(|a, b| a.name == b.name);
    Ok(targets)
}

/// Asks a person at the terminal.
struct Tty;

impl Passphrases for Tty {
    fn ask(&self, key: &Path) -> Option<String> {
        rpassword::prompt_password(format!("Passphrase for `{}`: ", key.display())).ok().filter(|text| !text.is_empty())
    }
}
