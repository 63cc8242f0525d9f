//! Where a run's documents go: the main one and each `--report`, all opened before anything is contacted.

use std::path::Path;

use crate::cli::OutputArgs;
use crate::command::destination::Destination;
use crate::command::failure::Failure;
use crate::report::model::{self, Host, Report, Sweep, Tool};
use crate::report::{Format, Style, jsonl};

/// Every document of a run.
pub struct Documents {
    sinks: Vec<Sink>,
    audit: bool,
    errors: Vec<String>,
}

struct Sink {
    format: Format,
    style: Style,
    destination: Destination,
}

impl Documents {
    /// Opens everything. `main` is the style of the document that a person reads; files get no colour. With `audit`
    /// the text format is the clue view.
    ///
    /// # Errors
    /// A usage error that names each path that cannot be written.
    pub fn open(output: &OutputArgs, main: Style, audit: bool) -> Result<Self, Failure> {
        let mut errors = Vec::new();
        let mut sinks = Vec::new();
        let plain = Style { color: false, ..main };
        let target = output.output.as_deref().unwrap_or(Path::new("-"));
        let style = if target == Path::new("-") { main } else { plain };
        let wanted = std::iter::once((output.format, target, style))
            .chain(output.report.iter().map(|more| (more.format, more.path.as_path(), plain)));
        for (format, path, style) in wanted {
            match Destination::open(path) {
                Ok(destination) if sinks.iter().any(|sink: &Sink| sink.destination.collides(&destination)) => {
                    errors.push(format!("error: two documents would be written to `{}`", path.display()));
                }
                Ok(destination) => sinks.push(Sink { format, style, destination }),
                Err(error) => errors.push(format!("error: {error}")),
            }
        }
        if errors.is_empty() { Ok(Self { sinks, audit, errors }) } else { Err(Failure::Usage(errors)) }
    }

    /// Writes the first line of streaming formats.
    pub fn begin(&mut self, tool: &Tool, sweep: &Sweep) {
        self.stream(|| jsonl::sweep_line(model::SCHEMA, tool, sweep));
    }

    /// Writes a host to streaming formats, as it finishes.
    pub fn host(&mut self, host: &Host) {
        self.stream(|| jsonl::host_line(host));
    }

    /// Writes everything else and makes files appear. Each error names its path; the other documents are still
    /// written.
    pub fn finish(mut self, report: &Report) -> Vec<String> {
        for sink in &mut self.sinks {
            let text = match sink.format {
                Format::Jsonl => jsonl::fleet_line(&report.fleet) + &jsonl::summary_line(report),
                Format::Table if self.audit => crate::report::audit::render(report, &sink.style),
                format => crate::report::render(report, format, &sink.style),
            };
            if let Err(error) = sink.destination.write(text.as_bytes()) {
                self.errors.push(error);
            }
        }
        for sink in self.sinks {
            if let Err(error) = sink.destination.close() {
                self.errors.push(error);
            }
        }
        self.errors
    }

    fn stream(&mut self, line: impl Fn() -> String) {
        for sink in self.sinks.iter_mut().filter(|sink| sink.format == Format::Jsonl) {
            if let Err(error) = sink.destination.write(line().as_bytes())
                && !self.errors.contains(&error)
            {
                self.errors.push(error);
            }
        }
    }
}
