//! `gpusweep analyze`: transcripts that were collected by hand, or kept with `--transcripts`.

use std::io::Read;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::cli::{AnalyzeArgs, ExitCode};
use crate::command::document::Documents;
use crate::command::failure::Failure;
use crate::command::load;
use crate::command::run_sweep::{self, Subject};
use crate::inventory::Target;
use crate::ui::Terminal;

/// The most bytes of one transcript; a live one is capped far below.
const MAX_BYTES: u64 = 64 << 20;

/// Runs it.
pub fn run(args: &AnalyzeArgs, terminal: &Terminal) -> Result<ExitCode, Failure> {
    let judge = load::judge(&args.judge)?;
    let files = files(&args.files)?;
    let mut read = Vec::new();
    let mut errors = Vec::new();
    for path in &files {
        match bytes(path) {
            Ok(bytes) => read.push((path, bytes)),
            Err(error) => errors.push(format!("error: cannot read the transcript `{}`: {error}", path.display())),
        }
    }
    if !errors.is_empty() {
        return Err(Failure::Usage(errors));
    }
    let mut documents = Documents::open(&args.output, terminal.style(), files.len() == 1)?;
    let mut head = run_sweep::new_head(&Subject { inventory: load::names(&files), ..Subject::default() }, &judge);
    documents.begin(&run_sweep::tool(), &head);
    let mut hosts = Vec::new();
    for (path, bytes) in read {
        let name = host_name(path, &bytes);
        let target = Target { address: name.clone(), name, ..Target::default() };
        let host = judge.transcript(&target, &bytes);
        documents.host(&host);
        hosts.push(host);
    }
    head.finished = Timestamp::now();
    let report = run_sweep::assemble(head, hosts, &judge);
    let errors = documents.finish(&report);
    for error in &errors {
        crate::ui::diagnostic::print(&format!("error: {error}"), terminal);
    }
    Ok(run_sweep::exit_code(&args.output, &report, None, !errors.is_empty()))
}

/// Files as given; a folder stands for the files in it, sorted by name.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let say = |error| Failure::usage(format!("error: cannot list `{}`: {error}", path.display()));
        let entries = std::fs::read_dir(path).map_err(say)?.filter_map(Result::ok).map(|entry| entry.path());
        let mut inside: Vec<PathBuf> = entries.filter(|entry| entry.is_file() && !hidden(entry)).collect();
        inside.sort();
        if inside.is_empty() {
            return Err(Failure::usage(format!("error: the folder `{}` holds no transcript", path.display())));
        }
        files.append(&mut inside);
    }
    Ok(files)
}

fn hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
}

fn bytes(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        std::io::stdin().lock().take(MAX_BYTES).read_to_end(&mut bytes)?;
    } else {
        std::fs::File::open(path)?.take(MAX_BYTES).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// The file's name without its ending; for stdin the host's own name, as the transcript says it.
fn host_name(path: &Path, bytes: &[u8]) -> String {
    let own = || {
        let transcript = crate::transcript::Transcript::parse(bytes, None);
        let missing = crate::reading::Unread::new(crate::reading::Reason::NotSupported, "");
        let evidence = crate::evidence::Evidence::read(&transcript, &missing);
        evidence.system.known().map(|system| system.node_name.clone()).filter(|name| !name.is_empty())
    };
    if path == Path::new("-") {
        return own().unwrap_or_else(|| "stdin".to_owned());
    }
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    for ending in [".transcript", ".txt"] {
        if let Some(stem) = name.strip_suffix(ending).filter(|stem| !stem.is_empty()) {
            return stem.to_owned();
        }
    }
    name
}
