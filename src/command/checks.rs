//! `gpusweep checks`: the catalogue, and the probes' names.

use crate::cli::{ChecksArgs, ExitCode};
use crate::command::failure::Failure;
use crate::command::print;
use crate::probe::ProbeId;
use crate::ui::Terminal;

/// Runs it.
pub fn run(args: &ChecksArgs, terminal: &Terminal) -> Result<ExitCode, Failure> {
    if args.probes {
        let width = ProbeId::ALL.iter().map(|probe| probe.name().len()).max().unwrap_or(0);
        let lines: String =
            ProbeId::ALL.iter().map(|probe| format!("{:width$}  {}\n", probe.name(), probe.about())).collect();
        return print(&lines);
    }
    if args.markdown {
        return print(&crate::explain::markdown(crate::check::ALL));
    }
    print(&crate::explain::catalogue(crate::check::ALL, &terminal.style()))
}
