//! The only part of the inventory that reads the disk: inventory files and folders, group_vars, host_vars, pattern files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::dialect::{Builder, read_vars};
use super::graph::Vars;
use super::store::{Inventory, Layer};
use crate::yaml::{self, Diagnostic, Kind, Mark, Source, Spot};

/// Largest file that is read, in bytes.
const LARGEST: u64 = 64 * 1024 * 1024;
/// Most files of one inventory folder.
const MOST_FILES: usize = 10_000;
/// How deep an inventory folder may be nested.
const DEEPEST: usize = 16;
/// Endings that Ansible passes over in an inventory folder (`.ini` in its older versions).
const PASSED_OVER: [&str; 13] =
    [".pyc", ".pyo", ".swp", ".bak", "~", ".rpm", ".md", ".txt", ".rst", ".orig", ".cfg", ".retry", ".ini"];
/// Endings of files that hold YAML.
const YAML: [&str; 3] = ["yml", "yaml", "json"];

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
        return Ok(Inventory::new(builder.graph, layers, encrypted.into_iter().collect(), ignored));
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
    let spot = |index: usize| Spot { source: Arc::clone(&source), at: Mark { line: index + 1, column: 1 } };
    Ok(lines.map(|(index, line)| (line.trim().to_owned(), spot(index))).collect())
}

struct Loader {
    builder: Builder,
    encrypted: BTreeSet<String>,
    ignored: Vec<String>,
    files: usize,
}

impl Loader {
    fn fault(&mut self, told: Diagnostic) {
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
            if PASSED_OVER.iter().any(|ending| name.ends_with(ending)) {
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

    /// The variables beside one source.
    fn layer(&mut self, folder: &Path) -> Layer {
        let mut layer = Layer::default();
        let (groups, hosts) = (folder.join("group_vars"), folder.join("host_vars"));
        for (name, files) in self.vars_files(&groups) {
            if let Some(group) = self.builder.graph.find_group(&name) {
                layer.groups.insert(group, self.vars(&files));
            }
        }
        for (name, files) in self.vars_files(&hosts) {
            if let Some(host) = self.builder.graph.find_host(&name) {
                layer.hosts.insert(host, self.vars(&files));
            }
        }
        layer
    }

    /// The files for each name, in the order in which they count. Of `NAME`, `NAME.yml`, `NAME.yaml` and `NAME.json` the first
    /// that is there hides the others.
    fn vars_files(&mut self, folder: &Path) -> BTreeMap<String, Vec<PathBuf>> {
        let mut found: BTreeMap<String, (usize, Vec<PathBuf>)> = BTreeMap::new();
        if !folder.is_dir() {
            return BTreeMap::new();
        }
        let names = match names_in(folder) {
            Ok(names) => names,
            Err(told) => {
                self.fault(told);
                return BTreeMap::new();
            }
        };
        for file in names {
            let path = folder.join(&file);
            let mut readings = vec![(file.clone(), 0)];
            for (rank, ending) in YAML.iter().enumerate() {
                readings.extend(file.strip_suffix(&format!(".{ending}")).map(|name| (name.to_owned(), rank + 1)));
            }
            for (name, rank) in readings {
                if found.get(&name).is_some_and(|(known, _)| *known <= rank) {
                    continue;
                }
                let files = if path.is_dir() { self.inside(&path, 0) } else { vec![path.clone()] };
                found.insert(name, (rank, files));
            }
        }
        found.into_iter().map(|(name, (_, files))| (name, files)).collect()
    }

    /// The variable files in a folder of one name, sorted, folders without a dot in them too.
    fn inside(&mut self, folder: &Path, depth: usize) -> Vec<PathBuf> {
        let names = match names_in(folder) {
            Ok(names) if depth <= DEEPEST => names,
            Ok(_) => return Vec::new(),
            Err(told) => {
                self.fault(told);
                return Vec::new();
            }
        };
        let mut files = Vec::new();
        for name in names.iter().filter(|name| !name.starts_with('.') && !name.ends_with('~')) {
            let path = folder.join(name);
            let ending = path.extension().map(|ending| ending.to_string_lossy().into_owned());
            if path.is_dir() {
                if ending.is_none() {
                    files.extend(self.inside(&path, depth + 1));
                }
            } else if ending.is_none_or(|ending| YAML.contains(&ending.as_str())) {
                files.push(path);
            }
        }
        files
    }

    fn vars(&mut self, files: &[PathBuf]) -> Vars {
        let mut vars = Vars::new();
        for path in files {
            let source = match read(path) {
                Ok(source) => source,
                Err(told) => {
                    self.fault(told);
                    continue;
                }
            };
            if is_vault(&source) {
                self.encrypted.insert(shown(path));
                continue;
            }
            match yaml::read(&source) {
                Ok(root) => match &root.kind {
                    Kind::Map(entries) => read_vars(&source, entries, &mut vars, &mut self.builder.faults),
                    Kind::Null => {}
                    _ => {
                        let told =
                            source.error(root.at, format!("a file of variables is a mapping, this is {}", root.noun()));
                        self.fault(told.hint("write `name: value` lines"));
                    }
                },
                Err(told) => self.fault(told),
            }
        }
        vars
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

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn names_in(folder: &Path) -> Result<Vec<String>, Diagnostic> {
    let trouble = |error: std::io::Error| Diagnostic::about(shown(folder), format!("cannot read the folder: {error}"));
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(trouble)? {
        names.push(entry.map_err(trouble)?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

fn read(path: &Path) -> Result<Arc<Source>, Diagnostic> {
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
    let bytes = fs::read(path).map_err(|error| trouble(&error))?;
    Source::new(shown(path), &bytes)
}

fn is_vault(source: &Source) -> bool {
    source.text().starts_with("$ANSIBLE_VAULT;")
}

fn refuse_vault(source: &Source) -> Result<(), Diagnostic> {
    if is_vault(source) {
        let told = Diagnostic::about(source.file(), "the inventory is encrypted with ansible-vault");
        return Err(told.hint("gpusweep decrypts nothing: keep hosts in plain and only secrets in the vault"));
    }
    Ok(())
}

/// A dynamic inventory is a program, and a sweep starts none.
fn refuse_program(path: &Path, source: &Source) -> Result<(), Diagnostic> {
    let is_yaml = path.extension().is_some_and(|ending| YAML.contains(&ending.to_string_lossy().as_ref()));
    if source.text().starts_with("#!") || (!is_yaml && is_executable(path)) {
        let told = Diagnostic::about(shown(path), "the inventory is a program, and gpusweep does not run it");
        let hint = format!(
            "run `ansible-inventory -i {} --list --yaml > fleet.yaml` and use that, or `chmod -x` a plain file",
            shown(path)
        );
        return Err(told.hint(hint));
    }
    Ok(())
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(_: &Path) -> bool {
    false
}

/// The error for a file in Ansible's INI dialect, if it looks like one.
fn as_ini(source: &Source) -> Option<Diagnostic> {
    let is_section = |line: &str| {
        let line = line.trim();
        let inside = line.strip_prefix('[').and_then(|line| line.split_once(']'));
        inside.is_some_and(|(name, after)| {
            !name.is_empty()
                && !name.contains([',', ' ', '"', '\''])
                && after.trim_start().chars().next().is_none_or(|c| c == '#')
        })
    };
    let meant = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with(['#', ';']);
    let is_host = |line: &str| !line.starts_with(' ') && line.split_whitespace().skip(1).any(|word| word.contains('='));
    let is_bare =
        |line: &str| !line.starts_with([' ', '-', '{', '"']) && !line.contains(": ") && !line.trim_end().ends_with(':');
    let mut lines = source.text().lines().filter(meant);
    let first = lines.next()?;
    let ini = is_section(first)
        || is_host(first)
        || (is_bare(first) && source.text().lines().any(|line| is_section(line) || is_host(line)));
    let bare_list = is_bare(first) && source.text().lines().filter(meant).all(is_bare);
    (ini || bare_list).then(|| {
        let told =
            Diagnostic::about(source.file(), "this looks like an INI inventory; gpusweep reads the YAML dialect");
        told.hint(format!("convert it with `ansible-inventory -i {} --list --yaml > fleet.yaml`", source.file()))
    })
}
