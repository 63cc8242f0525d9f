//! Files to values: playbook and inventory, with every error in one go.

use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::check;
use crate::cli::{JudgeArgs, SelectArgs};
use crate::command::failure::Failure;
use crate::command::judge::Judge;
use crate::inventory::{self, Inventory, Target};
use crate::playbook::{self, Catalogue, Playbook};
use crate::probe::ProbeId;

/// The playbook named on the command line, or the built-in one.
pub fn judge(args: &JudgeArgs) -> Result<Judge, Failure> {
    let catalogue = Catalogue {
        probes: ProbeId::ALL.iter().map(|probe| probe.name().to_owned()).collect(),
        checks: check::ALL
            .iter()
            .map(|check| (check.id.to_owned(), check.needs.iter().map(|probe| probe.name().to_owned()).collect()))
            .collect(),
    };
    let playbook = match &args.playbook {
        None => Playbook::driver_audit(&catalogue),
        Some(path) => {
            let bytes = std::fs::read(path).map_err(|error| {
                Failure::usage(format!("error: cannot read the playbook `{}`: {error}", path.display()))
            })?;
            playbook::parse(&path.display().to_string(), &bytes, &catalogue)
        }
    };
    Ok(Judge::new(playbook.map_err(failures)?, Timestamp::now()))
}

/// The inventory's selected targets.
pub fn targets(select: &SelectArgs, patterns: &[String]) -> Result<(Inventory, Vec<Target>), Failure> {
    let inventory = inventory::load(&select.inventory).map_err(failures)?;
    let targets = inventory.select(patterns, select.limit.as_deref()).map_err(failures)?;
    Ok((inventory, targets))
}

/// Patterns and limit as one text for the report's head.
pub fn limit_text(select: &SelectArgs, patterns: &[String]) -> Option<String> {
    let mut parts = patterns.to_vec();
    parts.extend(select.limit.clone());
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// Paths as text.
pub fn names(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path: &PathBuf| Path::display(path).to_string()).collect()
}

/// Diagnostics of one or several errors as one usage failure.
pub fn failures<E: IntoIterator<Item = D>, D: std::fmt::Display>(errors: E) -> Failure {
    Failure::Usage(errors.into_iter().map(|error| error.to_string()).collect())
}
