//! group_vars and host_vars beside an inventory source.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::dialect::read_vars;
use super::files::{DEEPEST, Loader, YAML, names_in, read, shown};
use super::graph::Vars;
use super::refuse::is_vault;
use super::store::Layer;
use crate::yaml::{self, Kind};

impl Loader {
    /// The variables beside one source.
    pub fn layer(&mut self, folder: &Path) -> Layer {
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
