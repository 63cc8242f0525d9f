//! `gpusweep man`: the manual page in roff, every subcommand a section.

use clap::CommandFactory;

use crate::cli::{Cli, ExitCode};
use crate::command::failure::Failure;
use crate::command::print;

/// Runs it.
pub fn run() -> Result<ExitCode, Failure> {
    let mut command = Cli::command();
    command.build();
    let mut text = Vec::new();
    let say = |error| Failure::internal("cannot render the manual page", error);
    clap_mangen::Man::new(command.clone()).render(&mut text).map_err(say)?;
    for sub in command.get_subcommands() {
        clap_mangen::Man::new(sub.clone().display_name(format!("gpusweep {}", sub.get_name())))
            .render(&mut text)
            .map_err(say)?;
    }
    print(&String::from_utf8_lossy(&text))
}
