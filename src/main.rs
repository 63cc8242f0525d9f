//! The thin binary: what was typed goes to the library, its answer becomes the exit status.

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let cli = gpusweep::cli::Cli::parse();
    ExitCode::from(gpusweep::command::run(cli).code())
}
