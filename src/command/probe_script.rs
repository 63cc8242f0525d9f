//! `gpusweep probe-script`: all that ever runs on a host.

use crate::cli::ExitCode;
use crate::command::failure::Failure;
use crate::command::print;
use crate::probe::{ProbeId, script};

/// Runs it.
pub fn run() -> Result<ExitCode, Failure> {
    print(&script::render_printable(&ProbeId::ALL))
}
