//! `gpusweep demo`: a fleet inside this process. Each host is a real SSH server on loopback that answers with a
//! recorded transcript; the controller's side is the real code, host-key checks and authentication included.

mod fleet;

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use jiff::Timestamp;

use crate::cli::{DemoArgs, ExitCode, JudgeArgs};
use crate::command::failure::Failure;
use crate::command::run_sweep::{self, Run, Subject};
use crate::command::{connect, load, runtime};
use crate::inventory::Target;
use crate::report::Format;
use crate::transport::sim::Fleet;
use crate::transport::{Collected, ConfigSource, Contact, Dispatcher, Options, Watch};
use crate::ui::{Progress, Terminal};

/// The deadline of one simulated host: one of them hangs, and nobody wants to watch that for a minute.
const DEADLINE: Duration = Duration::from_secs(3);

/// Runs it.
pub fn run(args: DemoArgs, terminal: &Terminal) -> Result<ExitCode, Failure> {
    let judge = load::judge(&JudgeArgs { playbook: None })?;
    let runtime = runtime()?;
    let recorded = fleet::recorded_at().map_err(|error| Failure::internal("the embedded recordings", error))?;
    let (code, report) = runtime.block_on(async {
        let servers = Fleet::start(fleet::hosts())
            .await
            .map_err(|error| Failure::internal("cannot start the simulated hosts on loopback", error))?;
        let targets = fleet::dress(servers.targets());
        let options = Options {
            ssh_config: ConfigSource::None,
            host_timeout: DEADLINE,
            memory: servers.credentials(),
            ..Options::default()
        };
        let contact = Recorded { inner: Dispatcher::new(options, connect::script(&judge)), at: recorded };
        let progress = Progress::new(targets.len(), terminal);
        let style = crate::report::Style { now: recorded, ..terminal.style() };
        run_sweep::run(Run {
            subject: Subject { inventory: vec!["the built-in demo fleet".to_owned()], ..Subject::default() },
            targets,
            contact: Arc::new(contact),
            options: crate::sweep::Options::default(),
            judge: &judge,
            output: &args.output,
            style,
            audit: false,
            progress,
        })
        .await
    })?;
    if report.sweep.complete && args.output.format == Format::Table && args.output.output.is_none() && !terminal.quiet()
    {
        eprint!("{}", NEXT);
    }
    Ok(code)
}

/// What to try next, on stderr: it is no part of the document.
const NEXT: &str = "
This fleet was simulated: recordings of real machines, over real SSH. Next:
  gpusweep demo --format json | jq .summary    the whole story for a CI job
  gpusweep explain half-upgraded               what is looked at, and the fix
  gpusweep audit --local                       this machine
  gpusweep audit root@gpu-3                    one host, clue by clue
  gpusweep sweep -i inventory/fleet.yaml       your fleet; begin with inventory/
";

/// Dates each answer as it was recorded, so that "three days ago" stays three days ago.
struct Recorded {
    inner: Dispatcher,
    at: Timestamp,
}

impl Contact for Recorded {
    fn collect<'a>(&'a self, target: &'a Target, watch: &'a Watch) -> BoxFuture<'a, Collected> {
        Box::pin(async move {
            let mut collected = self.inner.collect(target, watch).await;
            collected.received = self.at;
            collected
        })
    }
}
