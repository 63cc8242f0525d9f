//! `gpusweep completions SHELL`.

use clap::CommandFactory;

use crate::cli::{Cli, CompletionsArgs, ExitCode};
use crate::command::failure::Failure;
use crate::command::print;

/// Runs it.
pub fn run(args: &CompletionsArgs) -> Result<ExitCode, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "gpusweep", &mut text);
    print(&String::from_utf8_lossy(&text))
}
