//! Inventory files, folders and pattern files from the disk.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::dialect::Builder;
use super::refuse::{as_ini, refuse_program, refuse_vault};
use super::store::Inventory;
use crate::yaml::{self, Diagnostic, Mark, Source, Spot};

/// Largest file that is read, in bytes.
const LARGEST: u64 = 64 * 1024 * 1024;
/// Most files of one inventory folder.
const MOST_FILES: usize = 10_000;
/// How deep an inventory folder may be nested.
pub(super) const DEEPEST: usize = 16;
/// Endings that Ansible passes over in an inventory folder (`.ini` in its older versions).
const PASSED_OVER: [&str; 13] =
    [".pyc", ".pyo", ".swp", ".bak", "~", ".rpm", ".md", ".txt", ".rst", ".orig", ".cfg", ".retry", ".ini"];
/// Endings of files that hold YAML.
pub(super) const YAML: [&str; 3] = ["yml", "yaml", "json"];

/// Loads and merges inventory sources, in order: files, folders, or lists of host names with a comma in them.
///
/// # Errors
/// Everything that is wrong in the files, at most fifty errors.
pub fn load(sources: &[PathBuf]) -> Result<Inventory, Vec<Diagnostic>> {
    const MOST_ERRORS: usize = 50;
    let mut loader = Loader { builder: Builder::new(), encrypted: BTreeSet::new(), ignored: Vec::new(), files: 0 };
    for path in sources {
        loader.source(path);
    }
    if loader.builder.faults.is_empty() {
        loader.builder.graph.finish().unwrap_or_else(|told| loader.builder.faults.push(told));
    }
    let mut layers = Vec::new();
    if loader.builder.faults.is_empty() {
        for path in sources.iter().filter(|path| !is_list(path)) {
            let layer = loader.layer(&folder_of(path));
            layers.push(layer);
        }
    }
    let Loader { mut builder, encrypted, ignored, .. } = loader;
    if builder.faults.is_empty() {
        let sources = sources.iter().map(|path| shown(path)).collect();
        return Ok(Inventory::new(sources, builder.graph, layers, encrypted.into_iter().collect(), ignored));
    }
    builder.faults.truncate(MOST_ERRORS);
    Err(builder.faults)
}

/// The lines of a pattern file, blank ones and comments left out.
pub(super) fn pattern_lines(path: &str) -> Result<Vec<(String, Spot)>, Diagnostic> {
    let source = read(Path::new(path))?;
    let lines = source.text().lines().enumerate().filter(|(_, line)| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with('#')
    });
    let spot = |index: usize, line: &str| {
        let blanks = line.chars().take_while(|c| c.is_whitespace()).count();
        Spot { source: Arc::clone(&source), at: Mark { line: index + 1, column: blanks + 1 } }
    };
    Ok(lines.map(|(index, line)| (line.trim().to_owned(), spot(index, line))).collect())
}

/// What is loaded so far.
pub(super) struct Loader {
    pub builder: Builder,
    /// Variable files that are encrypted as a whole.
    pub encrypted: BTreeSet<String>,
    ignored: Vec<String>,
    files: usize,
}

impl Loader {
    pub fn fault(&mut self, told: Diagnostic) {
        self.builder.faults.push(told);
    }

    fn source(&mut self, path: &Path) {
        if is_list(path) {
            let list = path.to_string_lossy();
            match Source::new("command line", b"") {
                Ok(source) => self.builder.add_list(&source, &list, &Arc::from(".")),
                Err(told) => self.fault(told),
            }
        } else if path.is_dir() {
            self.folder(path, 0);
        } else {
            self.file(path);
        }
    }

    fn folder(&mut self, path: &Path, depth: usize) {
        if depth > DEEPEST {
            return self.fault(Diagnostic::about(shown(path), "inventory folders are nested more than 16 deep"));
        }
        let names = match names_in(path) {
            Ok(names) => names,
            Err(told) => return self.fault(told),
        };
        let before = self.files;
        for name in names {
            let full = path.join(&name);
            if name.starts_with('.') || ["host_vars", "group_vars", "vars_plugins"].contains(&name.as_str()) {
                continue;
            }
            // A pipe or socket that happens to lie there would be waited on for ever.
            let special = fs::metadata(&full).is_ok_and(|found| !found.is_file() && !found.is_dir());
            if special || PASSED_OVER.iter().any(|ending| name.ends_with(ending)) {
                self.ignored.push(shown(&full));
                continue;
            }
            if full.is_dir() {
                self.folder(&full, depth + 1);
            } else {
                self.file(&full);
            }
            if self.files > MOST_FILES {
                return self.fault(Diagnostic::about(shown(path), "the inventory folder holds more than 10000 files"));
            }
        }
        if depth == 0 && self.files == before {
            let told = Diagnostic::about(shown(path), "the folder holds no inventory file");
            self.fault(told.hint("put a YAML inventory into it, for example `fleet.yaml`"));
        }
    }

    fn file(&mut self, path: &Path) {
        self.files += 1;
        let read = read(path).and_then(|source| {
            refuse_program(path, &source)?;
            refuse_vault(&source)?;
            let root = yaml::read(&source).map_err(|told| as_ini(&source).unwrap_or(told))?;
            match as_ini(&source).filter(|_| root.entries().is_none()) {
                Some(told) => Err(told),
                None => Ok((source, root)),
            }
        });
        match read {
            Ok((source, root)) => {
                let folder =
                    std::path::absolute(path).ok().and_then(|path| path.parent().map(shown)).unwrap_or_default();
                self.builder.add(&source, &root, &Arc::from(folder));
            }
            Err(told) => self.fault(told),
        }
    }
}

/// `-i gpu1,gpu2`: names instead of a file.
fn is_list(path: &Path) -> bool {
    path.to_string_lossy().contains(',') && !path.exists()
}

/// Where group_vars and host_vars of a source stand.
fn folder_of(path: &Path) -> PathBuf {
    if path.is_dir() {
        return path.to_owned();
    }
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

pub(super) fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

pub(super) fn names_in(folder: &Path) -> Result<Vec<String>, Diagnostic> {
    let trouble = |error: std::io::Error| Diagnostic::about(shown(folder), format!("cannot read the folder: {error}"));
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(trouble)? {
        names.push(entry.map_err(trouble)?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

pub(super) fn read(path: &Path) -> Result<Arc<Source>, Diagnostic> {
    let trouble = |error: &std::io::Error| {
        let told = Diagnostic::about(shown(path), format!("cannot read the file: {error}"));
        match error.kind() {
            std::io::ErrorKind::NotFound => {
                told.hint("check the path; host names instead of a file need a comma: `-i gpu-1,`")
            }
            _ => told,
        }
    };
    let size = fs::metadata(path).map_err(|error| trouble(&error))?.len();
    if size > LARGEST {
        return Err(Diagnostic::about(
            shown(path),
            format!("the file has {size} bytes, more than {LARGEST} are not read"),
        ));
    }
    // A pipe or device tells no size beforehand.
    let mut bytes = Vec::new();
    let mut file = fs::File::open(path).map_err(|error| trouble(&error))?.take(LARGEST + 1);
    file.read_to_end(&mut bytes).map_err(|error| trouble(&error))?;
    if bytes.len() as u64 > LARGEST {
        return Err(Diagnostic::about(shown(path), format!("more than {LARGEST} bytes are not read")));
    }
    Source::new(shown(path), &bytes)
}
