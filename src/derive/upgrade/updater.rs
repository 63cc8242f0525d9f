//! What the updater's own log adds: an author for dpkg's events, and a last resort when both journals are closed.

use jiff::SignedDuration;
use jiff::civil::DateTime;

use crate::derive::upgrade::Actor;
use crate::derive::upgrade::change::{Draft, Scope};
use crate::derive::upgrade::history::shown;
use crate::evidence::Evidence;
use crate::probe::ProbeId;
use crate::probe::updater_log::UpdaterRun;

/// The longest a run of the updater may take.
const LONGEST: SignedDuration = SignedDuration::from_hours(6);

fn real_runs(evidence: &Evidence) -> impl Iterator<Item = &UpdaterRun> {
    let runs = evidence.updater_log.known().map(|log| log.runs.as_slice()).unwrap_or_default();
    runs.iter().filter(|run| !run.dry_run)
}

/// A real run that was under way at `at` lists the package.
pub(super) fn names(evidence: &Evidence, package: &str, at: DateTime) -> bool {
    real_runs(evidence).any(|run| {
        (run.started..=run.started.saturating_add(LONGEST)).contains(&at)
            && run.packages.iter().any(|listed| listed == package)
    })
}

/// Runs that list the library. The list is written before the work is done, and names no versions.
pub(super) fn changes(evidence: &Evidence, scope: &Scope) -> Vec<Draft> {
    let (Some(library), Some(loaded)) = (&scope.library, &scope.loaded) else { return Vec::new() };
    if library == loaded {
        return Vec::new();
    }
    // The name alone has to do: any version of driver shape lets the allow-list answer.
    let lists = |run: &&UpdaterRun| run.packages.iter().any(|name| scope.is_library(name, &scope.native, library));
    let Some(run) = real_runs(evidence).filter(lists).last() else { return Vec::new() };
    vec![Draft {
        at: run.started,
        by: Actor::UnattendedUpgrades,
        command: None,
        requested_by: None,
        from: None,
        to: Some(library.clone()),
        again: false,
        packages: run.packages.iter().filter(|name| super::run::is_driver_package(bare(name), library)).count(),
        error: !run.errors.is_empty(),
        finished: true,
        confirmed: false,
        record: format!("run of {} lists {}", shown(run.started), run.packages.join(" ")),
        probe: ProbeId::UpdaterLog,
    }]
}

fn bare(name: &str) -> &str {
    name.split(':').next().unwrap_or(name)
}
