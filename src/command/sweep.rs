//! `gpusweep sweep`: the fleet.

use crate::cli::{ExitCode, SweepArgs};
use crate::command::failure::Failure;
use crate::command::run_sweep::{self, Run, Subject};
use crate::command::{connect, load, print, runtime};
use crate::inventory::Target;
use crate::transport::Dispatcher;
use crate::ui::{Progress, Terminal};

/// Runs it.
pub fn run(args: SweepArgs, terminal: &Terminal) -> Result<ExitCode, Failure> {
    let judge = load::judge(&args.judge)?;
    let (_, mut targets) = load::targets(&args.select, &args.patterns)?;
    if let Some(shard) = &args.shard {
        targets = part(targets, shard)?;
    }
    if args.list_hosts {
        let names: String = targets.iter().map(|target| format!("{}\n", target.name)).collect();
        return print(&names);
    }
    let progress = Progress::new(targets.len(), terminal);
    let run = Run {
        subject: Subject {
            inventory: load::names(&args.select.inventory),
            limit: load::limit_text(&args.select, &args.patterns),
            shard: args.shard.clone(),
        },
        targets,
        contact: std::sync::Arc::new(Dispatcher::new(connect::options(&args.connect)?, connect::script(&judge))),
        options: connect::engine(&args.connect),
        judge: &judge,
        output: &args.output,
        style: terminal.style(),
        audit: false,
        progress,
    };
    let (code, _) = runtime()?.block_on(run_sweep::run(run))?;
    Ok(code)
}

/// Part I of N: every N-th host, so that neighbours in the inventory (often one rack) are spread.
fn part(targets: Vec<Target>, shard: &str) -> Result<Vec<Target>, Failure> {
    let bad = || {
        Failure::usage(format!("error: `--shard {shard}` is not I/N\nhint: `--shard 2/5` is the second of five parts"))
    };
    let (i, n) = shard.split_once('/').ok_or_else(bad)?;
    let (i, n): (usize, usize) = (i.parse().map_err(|_| bad())?, n.parse().map_err(|_| bad())?);
    if i == 0 || i > n {
        return Err(bad());
    }
    Ok(targets.into_iter().skip(i - 1).step_by(n).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fleet(n: usize) -> Vec<Target> {
        (1..=n).map(|i| Target { name: format!("gpu-{i}"), ..Target::default() }).collect()
    }

    #[test]
    fn shards_are_disjoint_and_lose_nobody() {
        let mut seen: Vec<String> =
            (1..=3).flat_map(|i| part(fleet(10), &format!("{i}/3")).unwrap()).map(|target| target.name).collect();
        seen.sort();
        let mut all: Vec<String> = fleet(10).into_iter().map(|target| target.name).collect();
        all.sort();
        assert_eq!(seen, all);
        for bad in ["0/3", "4/3", "x", "1/0", "1/"] {
            assert!(part(fleet(2), bad).is_err(), "{bad}");
        }
    }
}
