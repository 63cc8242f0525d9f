//! Wiring: one file per subcommand. The only room that sees all others.

mod analyze;
mod audit;
mod checks;
mod completions;
mod connect;
mod demo;
mod destination;
mod document;
mod explain;
mod failure;
mod hosts;
mod judge;
mod load;
mod man;
mod merge;
mod probe_script;
mod run_sweep;
mod signals;
mod sweep;

pub use failure::Failure;

use crate::cli::{Cli, Command, ExitCode};
use crate::ui::Terminal;

/// Runs what was typed and says how it ended. Every error has been printed when this returns.
pub fn run(cli: Cli) -> ExitCode {
    let terminal = Terminal::decide(&cli.global);
    let result = match cli.command {
        Command::Sweep(args) => sweep::run(args, &terminal),
        Command::Audit(args) => audit::run(args, &terminal),
        Command::Analyze(args) => analyze::run(&args, &terminal),
        Command::Hosts(args) => hosts::run(&args, &terminal),
        Command::Explain(args) => explain::run(&args, &terminal),
        Command::Checks(args) => checks::run(&args, &terminal),
        Command::Merge(args) => merge::run(&args, &terminal),
        Command::ProbeScript => probe_script::run(),
        Command::Demo(args) => demo::run(args, &terminal),
        Command::Completions(args) => completions::run(&args),
        Command::Man => man::run(),
    };
    match result {
        Ok(code) => code,
        Err(failure) => {
            crate::ui::diagnostic::print(&failure.to_string(), &terminal);
            failure.exit_code()
        }
    }
}

/// The asynchronous runtime: sessions are cheap tasks, so a few workers suffice.
fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    let workers = std::thread::available_parallelism().map_or(2, |n| n.get().clamp(2, 4));
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(workers)
        .enable_all()
        .build()
        .map_err(|error| Failure::internal("cannot start the runtime", error))
}

/// Prints a document to standard output.
fn print(text: &str) -> Result<ExitCode, Failure> {
    destination::Destination::Stdout.write(text.as_bytes()).map_err(Failure::Internal)?;
    Ok(ExitCode::Clean)
}
