//! `gpusweep merge`: the reports of shards, or of several sites, as one; drift is judged anew.

use std::collections::BTreeSet;
use std::path::Path;

use crate::cli::{ExitCode, MergeArgs};
use crate::command::document::Documents;
use crate::command::failure::Failure;
use crate::command::load;
use crate::command::run_sweep;
use crate::report::model::{self, Report};
use crate::ui::Terminal;

/// Runs it.
pub fn run(args: &MergeArgs, terminal: &Terminal) -> Result<ExitCode, Failure> {
    let judge = load::judge(&args.judge)?;
    let mut reports = Vec::new();
    let mut errors = Vec::new();
    for path in &args.files {
        match read(path) {
            Ok(report) => reports.push(report),
            Err(error) => errors.push(format!("error: `{}`: {error}", path.display())),
        }
    }
    let mut seen = BTreeSet::new();
    for host in reports.iter().flat_map(|report| &report.hosts) {
        if !seen.insert(host.host.clone()) {
            errors.push(format!(
                "error: host `{}` stands in more than one report\nhint: merge the parts of one sweep",
                host.host
            ));
        }
    }
    if !errors.is_empty() {
        return Err(Failure::Usage(errors));
    }
    let (head, hosts) = join(reports);
    let mut documents = Documents::open(&args.output, terminal.style(), false)?;
    documents.begin(&run_sweep::tool(), &head);
    for host in &hosts {
        documents.host(host);
    }
    let report = run_sweep::assemble(head, hosts, &judge);
    let errors = documents.finish(&report);
    for error in &errors {
        crate::ui::diagnostic::print(&format!("error: {error}"), terminal);
    }
    Ok(run_sweep::exit_code(&args.output, &report, None, !errors.is_empty()))
}

fn read(path: &Path) -> Result<Report, String> {
    let text =
        if path == Path::new("-") { std::io::read_to_string(std::io::stdin()) } else { std::fs::read_to_string(path) };
    let text = text.map_err(|error| format!("cannot read it: {error}"))?;
    let report: Report =
        serde_json::from_str(&text).map_err(|error| format!("it is no gpusweep JSON report: {error}"))?;
    if report.schema != model::SCHEMA {
        return Err(format!("its schema is `{}`, this gpusweep reads `{}`", report.schema, model::SCHEMA));
    }
    Ok(report)
}

/// One head over all: earliest start, latest end, complete only if every part is and no shard is missing.
fn join(reports: Vec<Report>) -> (model::Sweep, Vec<model::Host>) {
    let mut reports = reports.into_iter();
    let Some(first) = reports.next() else {
        unreachable!("clap asks for at least one file");
    };
    let mut head = first.sweep;
    let mut hosts = first.hosts;
    let mut shards: BTreeSet<String> = head.shard.iter().cloned().collect();
    for report in reports {
        head.started = head.started.min(report.sweep.started);
        head.finished = head.finished.max(report.sweep.finished);
        head.complete &= report.sweep.complete;
        shards.extend(report.sweep.shard);
        for source in report.sweep.inventory {
            if !head.inventory.contains(&source) {
                head.inventory.push(source);
            }
        }
        hosts.extend(report.hosts);
    }
    let expected = shards.iter().filter_map(|shard| shard.split_once('/')?.1.parse::<usize>().ok()).max();
    head.complete &= expected.is_none_or(|n| shards.len() == n);
    head.shard = None;
    (head, hosts)
}
