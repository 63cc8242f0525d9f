//! The frame's sections to evidence.

use super::{UpdaterLog, UpdaterRun, run};
use crate::probe::{Sections, log_files};
use crate::reading::Reading;

/// Reads the frame.
pub fn parse(sections: &Sections) -> Reading<UpdaterLog> {
    log_files::read(sections).map(|log| {
        let lines: Vec<&str> = log.files.iter().flat_map(|file| file.lines.iter().copied()).collect();
        // The host puts `#run` before each run; what stands before the first one, if anything, is a run as well.
        let read: Vec<UpdaterRun> = lines.split(|line| *line == "#run").filter_map(run::read).collect();
        let last = read.len().saturating_sub(1);
        let matters = |run: &UpdaterRun| {
            let name = |package: &String| log_files::of_interest(package.split(':').next().unwrap_or_default());
            !run.errors.is_empty() || run.packages.iter().any(name)
        };
        let mut runs: Vec<UpdaterRun> = Vec::new();
        for (number, run) in read.into_iter().enumerate() {
            // A rotation that was interrupted leaves the same run in two files.
            if (number == last || matters(&run)) && !runs.contains(&run) {
                runs.push(run);
            }
        }
        UpdaterLog { runs, reaches_back_to: log.reaches_back_to, unread_files: log.unread_files }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::{samples, shells};

    #[test]
    fn samples_read_as_expected() {
        samples::check("updater_log", parse);
    }

    #[test]
    fn noise_does_no_harm() {
        samples::survive("updater_log", parse);
    }

    #[test]
    fn every_shell_ships_the_same() {
        shells::check("updater_log", "updater_log_of", "/var/log/unattended-upgrades/unattended-upgrades.log");
    }
}
