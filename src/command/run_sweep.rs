//! One run over many targets, whatever the subcommand: contact, judge as results come, report, exit code.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::cli::OutputArgs;
use crate::cli::exit_code::{self, ExitCode, Interruption};
use crate::command::document::Documents;
use crate::command::failure::Failure;
use crate::command::judge::Judge;
use crate::command::signals::Signals;
use crate::inventory::Target;
use crate::reading::{Reason, Unread};
use crate::report::model::{self, Report};
use crate::report::{Format, Style};
use crate::sweep::{self, Event};
use crate::transport::{Collected, Contact};
use crate::ui::Progress;

/// What a run is about, for the report's head.
#[derive(Debug, Clone, Default)]
pub struct Subject {
    /// Inventory sources as given.
    pub inventory: Vec<String>,
    /// Patterns and `--limit`.
    pub limit: Option<String>,
    /// `I/N`.
    pub shard: Option<String>,
}

/// A run, ready to start.
pub struct Run<'a> {
    /// What it is about.
    pub subject: Subject,
    /// The hosts, in inventory order; those with `gpusweep_skip` are reported and not contacted.
    pub targets: Vec<Target>,
    /// How they are reached.
    pub contact: Arc<dyn Contact>,
    /// The engine's limits.
    pub options: sweep::Options,
    /// What they are judged by.
    pub judge: &'a Judge,
    /// What is printed, and what fails.
    pub output: &'a OutputArgs,
    /// How it looks.
    pub style: Style,
    /// The text view of one host, clue by clue, instead of the fleet's table.
    pub audit: bool,
    /// Progress on stderr.
    pub progress: Progress,
}

/// Runs and reports.
///
/// # Errors
/// Only before anything is contacted, or when the operating system refuses signal handlers.
pub async fn run(run: Run<'_>) -> Result<(ExitCode, Report), Failure> {
    let mut documents = Documents::open(run.output, run.style, run.audit)?;
    let transcripts = run.output.transcripts.as_deref().map(Transcripts::open).transpose()?;
    let cancel = CancellationToken::new();
    let signals =
        Signals::listen(cancel.clone()).map_err(|error| Failure::internal("cannot listen for signals", error))?;
    let mut head = head(&run);
    documents.begin(&tool(), &head);
    let (reports, errors) = collect(&run, &mut documents, transcripts.as_ref(), cancel).await;
    let interruption = signals.interruption();
    head.finished = Timestamp::now();
    head.complete = interruption.is_none();
    let report = assemble(head, reports, run.judge);
    run.progress.finish();
    let mut errors = errors;
    errors.extend(documents.finish(&report));
    for error in &errors {
        run.progress.error(error);
    }
    Ok((exit_code(run.output, &report, interruption, !errors.is_empty()), report))
}

/// The report of hosts judged one way or another. A shard never judges the fleet: `merge` does.
pub fn assemble(head: model::Sweep, hosts: Vec<model::Host>, judge: &Judge) -> Report {
    let findings = if head.shard.is_some() { Vec::new() } else { judge.fleet(&hosts) };
    Report {
        schema: model::SCHEMA.to_owned(),
        tool: tool(),
        sweep: head,
        summary: crate::verdict::summarize(&hosts, &findings),
        hosts,
        fleet: model::Fleet { findings },
    }
}

/// This program.
pub fn tool() -> model::Tool {
    model::Tool { name: "gpusweep".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() }
}

/// A fresh head for a report that begins now.
pub fn new_head(subject: &Subject, judge: &Judge) -> model::Sweep {
    let now = Timestamp::now();
    model::Sweep {
        id: format!("{}-{:08x}", now.strftime("%Y%m%dT%H%M%SZ"), rand::random::<u32>()),
        started: now,
        finished: now,
        playbook: judge.playbook().name.clone(),
        inventory: subject.inventory.clone(),
        limit: subject.limit.clone(),
        shard: subject.shard.clone(),
        baseline_by: crate::verdict::baseline_word(&judge.playbook().baseline),
        complete: true,
    }
}

/// The exit code of a report under the output flags.
pub fn exit_code(
    output: &OutputArgs,
    report: &Report,
    interruption: Option<Interruption>,
    output_failed: bool,
) -> ExitCode {
    if output.format == Format::Nagios && interruption.is_none() && !output_failed {
        return exit_code::nagios(report);
    }
    exit_code::of_report(report, output.fail_on, output.allow_unverified, interruption, output_failed)
}

fn head(run: &Run<'_>) -> model::Sweep {
    new_head(&run.subject, run.judge)
}

/// Contacts every target and judges each answer as it comes; the answers are in the targets' order.
async fn collect(
    run: &Run<'_>,
    documents: &mut Documents,
    transcripts: Option<&Transcripts>,
    cancel: CancellationToken,
) -> (Vec<model::Host>, Vec<String>) {
    let mut errors = Vec::new();
    let mut judged: BTreeMap<usize, model::Host> = BTreeMap::new();
    let (skipped, wanted): (Vec<usize>, Vec<usize>) =
        (0..run.targets.len()).partition(|index| run.targets[*index].vars.skip.is_some());
    for index in skipped {
        let host = skipped_host(&run.targets[index], run.judge);
        documents.host(&host);
        judged.insert(index, host);
    }
    let targets: Vec<Target> = wanted.iter().map(|index| run.targets[*index].clone()).collect();
    let (sender, mut events) = mpsc::channel(1024);
    let engine = tokio::spawn(sweep::run(targets, run.contact.clone(), run.options.clone(), sender, cancel));
    while let Some(event) = events.recv().await {
        match event {
            Event::Started { index } => run.progress.started(&run.targets[wanted[index]].name),
            Event::Phase { index, phase } => run.progress.phase(&run.targets[wanted[index]].name, phase.doing()),
            Event::Note(text) => run.progress.note(&text),
            Event::Finished { index, collected } => {
                let target = &run.targets[wanted[index]];
                let host = run.judge.contact(target, &collected);
                if let Some(Err(error)) = transcripts.map(|folder| folder.keep(&target.name, &collected)) {
                    errors.push(error);
                }
                run.progress.finished(&target.name, host.verdict.word());
                documents.host(&host);
                judged.insert(wanted[index], host);
            }
        }
    }
    if let Err(error) = engine.await {
        errors.push(format!("the sweep engine failed: {error}"));
    }
    for index in wanted {
        judged.entry(index).or_insert_with(|| {
            let why = Unread::new(Reason::NotTried, "the sweep was interrupted before this host finished");
            let host = run.judge.untouched(&run.targets[index], why);
            documents.host(&host);
            host
        });
    }
    (judged.into_values().collect(), errors)
}

/// A host that the inventory says to leave alone: reported with the reason, never `ok`.
fn skipped_host(target: &Target, judge: &Judge) -> model::Host {
    let why = target.vars.skip.clone().unwrap_or_default();
    let mut host = judge.untouched(target, Unread::new(Reason::NotTried, why.clone()));
    host.unverified.clear();
    host.verdict = model::Verdict::NotApplicable;
    host.not_applicable_because = Some(format!("skipped by the inventory (`gpusweep_skip`): {why}"));
    host
}

/// The folder of `--transcripts`.
struct Transcripts(PathBuf);

impl Transcripts {
    fn open(folder: &Path) -> Result<Self, Failure> {
        use std::os::unix::fs::DirBuilderExt;
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(|error| {
            Failure::usage(format!("error: cannot make the folder `{}`: {error}", folder.display()))
        })?;
        Ok(Self(folder.to_owned()))
    }

    fn keep(&self, host: &str, collected: &Collected) -> Result<(), String> {
        use std::io::Write;
        use std::os::unix::fs::OpenOptionsExt;
        let name: String = host.chars().map(|c| if c == '/' || c.is_control() { '_' } else { c }).collect();
        let path = self.0.join(format!("{name}.transcript"));
        let bytes = crate::transcript::stored(collected.received, &collected.bytes);
        let mut open = std::fs::OpenOptions::new();
        open.write(true).create(true).truncate(true).mode(0o600);
        open.open(&path)
            .and_then(|mut file| file.write_all(&bytes))
            .map_err(|error| format!("cannot keep the transcript `{}`: {error}", path.display()))
    }
}
