//! Ansible's YAML inventory: `hosts`, `children` and `vars` of groups.

use std::collections::HashMap;
use std::sync::Arc;

use super::graph::{ALL, Graph, Var, Vars};
use super::{address, own, range};
use crate::yaml::{CoreType, Diagnostic, Entry, Kind, Mark, Node, Source, Spot, closest, core_type};

/// Most names that host entries may stand for, over all files; a fleet of a million hosts needs several controllers anyway.
const MOST_HOSTS: usize = 1_000_000;

/// Fills a graph from files, and collects what is wrong in them.
pub(super) struct Builder {
    pub graph: Graph,
    pub faults: Vec<Diagnostic>,
    /// How many more names may be expanded.
    left: usize,
}

impl Builder {
    pub fn new() -> Self {
        Self { graph: Graph::new(), faults: Vec::new(), left: MOST_HOSTS }
    }

    /// Adds one inventory file. `folder` becomes `inventory_dir` of the hosts it names first.
    pub fn add(&mut self, source: &Arc<Source>, root: &Node, folder: &Arc<str>) {
        let mut file = File { builder: self, source, folder };
        file.root(root);
    }

    /// Adds hosts named on the command line (`-i gpu1,gpu2`).
    pub fn add_list(&mut self, source: &Arc<Source>, list: &str, folder: &Arc<str>) {
        let mut file = File { builder: self, source, folder };
        for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let entry = Entry { key: name.to_owned(), at: Mark::default(), plain: false, value: Node::default() };
            file.host(ALL, &entry, &mut HashMap::new());
        }
    }
}

struct File<'b, 's> {
    builder: &'b mut Builder,
    source: &'s Arc<Source>,
    folder: &'s Arc<str>,
}

const SECTIONS: [&str; 3] = ["hosts", "children", "vars"];

impl File<'_, '_> {
    fn fault(&mut self, told: Diagnostic) {
        self.builder.faults.push(told);
    }

    fn error(&mut self, at: Mark, message: impl Into<String>, hint: impl Into<String>) {
        let told = self.source.error(at, message).hint(hint);
        self.fault(told);
    }

    fn spot(&self, at: Mark) -> Spot {
        Spot { source: Arc::clone(self.source), at }
    }

    fn root(&mut self, root: &Node) {
        let Kind::Map(entries) = &root.kind else {
            let told = match root.kind {
                Kind::Null => Diagnostic::about(self.source.file(), "the inventory is empty"),
                _ => {
                    self.source.error(root.at, format!("an inventory is a mapping of groups, this is {}", root.noun()))
                }
            };
            return self.fault(told.hint("begin with `all:` and, below it, `hosts:`"));
        };
        if let Some(plugin) = entries.iter().find(|entry| entry.key == "plugin") {
            let hint = format!(
                "run `ansible-inventory -i {} --list --yaml` and give gpusweep what it prints",
                self.source.file()
            );
            return self.error(plugin.at, "this configures an Ansible inventory plugin, it names no hosts", hint);
        }
        for entry in entries {
            self.group(entry);
        }
    }

    /// A group, from an entry at the top or under `children`.
    fn group(&mut self, entry: &Entry) -> Option<usize> {
        if !self.is_name(entry, "group") {
            return None;
        }
        let group = self.builder.graph.group(&entry.key);
        let sections = match &entry.value.kind {
            Kind::Null => return Some(group),
            Kind::Map(sections) => sections,
            _ => {
                let message = format!("the group `{}` is {}, not a mapping", entry.key, entry.value.noun());
                self.error(entry.value.at, message, "a group has `hosts`, `children` and `vars`");
                return Some(group);
            }
        };
        for section in sections {
            match section.key.as_str() {
                "hosts" => self.hosts(group, section),
                "children" => self.children(group, section),
                "vars" => self.vars(group, section),
                other => {
                    let hint = match closest(other, SECTIONS) {
                        Some(known) => format!("did you mean `{known}`?"),
                        None => format!(
                            "a group has `hosts`, `children` and `vars`; if `{other}` is a group, put it under `children`, if it is a host, under `hosts`"
                        ),
                    };
                    self.error(section.at, format!("`{other}` is no part of the group `{}`", entry.key), hint);
                }
            }
        }
        Some(group)
    }

    /// A section's lines. A single name stands for a mapping with that key, as Ansible reads it.
    fn lines(&mut self, section: &Entry, what: &str) -> Vec<Entry> {
        let value = &section.value;
        match &value.kind {
            Kind::Map(entries) => return entries.clone(),
            Kind::Scalar { text, plain } if what != "vars" => {
                return vec![Entry { key: text.clone(), at: value.at, plain: *plain, value: Node::default() }];
            }
            Kind::Null => {}
            _ => {
                let hint = match what {
                    "vars" => "write `name: value` lines".to_owned(),
                    _ => "write each name with a colon behind it and no dash: `gpu-1:`".to_owned(),
                };
                self.error(value.at, format!("`{what}` is {}, not a mapping", value.noun()), hint);
            }
        }
        Vec::new()
    }

    fn children(&mut self, group: usize, section: &Entry) {
        for entry in self.lines(section, "children") {
            let spot = self.spot(entry.at);
            if let Some(child) = self.group(&entry) {
                self.builder.graph.adopt(group, child, spot);
            }
        }
    }

    fn hosts(&mut self, group: usize, section: &Entry) {
        let mut seen = HashMap::new();
        for entry in self.lines(section, "hosts") {
            self.host(group, &entry, &mut seen);
        }
    }

    /// The host or hosts of one line. `seen` holds the names of this mapping so far, by line.
    fn host(&mut self, group: usize, entry: &Entry, seen: &mut HashMap<String, Mark>) {
        if !self.is_name(entry, "host") {
            return;
        }
        let (pattern, port) = address::split_port(&entry.key).unwrap_or((&entry.key, None));
        let names = match range::expand(pattern, self.builder.left) {
            Ok(names) => names,
            Err(fault) => {
                let quote = usize::from(!entry.plain && entry.at.line > 0);
                let at = Mark { column: entry.at.column + quote + fault.offset, ..entry.at };
                return self.error(at, fault.message, fault.hint);
            }
        };
        self.builder.left = self.builder.left.saturating_sub(names.len());
        let mut port_var = None;
        if let Some(text) = port {
            let number = Kind::Scalar { text: text.to_owned(), plain: true };
            let node = Node { at: entry.at, tag: None, kind: number };
            port_var = Some(("ansible_port".to_owned(), Arc::new(Var { node, spot: self.spot(entry.at) })));
        }
        let mut vars = Vars::new();
        match &entry.value.kind {
            Kind::Null => {}
            Kind::Map(entries) => self.read_vars(entries, &mut vars),
            _ => {
                let message =
                    format!("the host `{}` is followed by {}, not by variables", entry.key, entry.value.noun());
                self.error(entry.value.at, message, "write nothing behind the colon, or `name: value` lines below it");
            }
        }
        let spot = self.spot(entry.at);
        for name in names {
            if let Some(why) = address::fault_of_name(&name) {
                return self.error(
                    entry.at,
                    format!("{why}: `{name}`"),
                    "use the name ssh knows, or an alias with `ansible_host`",
                );
            }
            if let Some(first) = seen.insert(name.clone(), entry.at) {
                let hint = format!(
                    "it is first on line {}: keep one, or give its own variables in `host_vars/{name}.yml`",
                    first.line
                );
                return self.error(entry.at, format!("the host `{name}` stands here twice"), hint);
            }
            let (host, new) = self.builder.graph.host(&name, &spot, self.folder);
            self.builder.graph.enlist(group, host);
            if let Some(host) = self.builder.graph.hosts.get_mut(host) {
                if new {
                    host.vars.extend(port_var.clone());
                }
                host.vars.extend(vars.iter().map(|(name, var)| (name.clone(), Arc::clone(var))));
            }
        }
    }

    fn vars(&mut self, group: usize, section: &Entry) {
        let lines = self.lines(section, "vars");
        let mut vars = Vars::new();
        self.read_vars(&lines, &mut vars);
        if let Some(var) = vars.remove("ansible_group_priority") {
            match var.node.text().and_then(|text| text.parse().ok()) {
                Some(priority) => {
                    if let Some(group) = self.builder.graph.groups.get_mut(group) {
                        group.priority = priority;
                    }
                }
                None => self.error(var.node.at, "`ansible_group_priority` is no whole number", "the default is 1"),
            }
        }
        if let Some(group) = self.builder.graph.groups.get_mut(group) {
            group.vars.append(&mut vars);
        }
    }

    fn read_vars(&mut self, entries: &[Entry], vars: &mut Vars) {
        read_vars(self.source, entries, vars, &mut self.builder.faults);
    }

    /// Whether a key can be a name: what YAML reads as a number or a truth value would not be the text written.
    fn is_name(&mut self, entry: &Entry, what: &str) -> bool {
        let kind = match core_type(&entry.key) {
            _ if !entry.plain => "",
            CoreType::Text => "",
            CoreType::Null => "nothing",
            CoreType::Bool => "a truth value",
            CoreType::Number => "a number",
            CoreType::Date => "a date",
        };
        if kind.is_empty() && !entry.key.is_empty() {
            return true;
        }
        if entry.key.is_empty() {
            self.error(entry.at, format!("a {what} without a name"), "write a name before the colon");
        } else {
            let message = format!("YAML reads the {what} name `{}` as {kind}", entry.key);
            self.error(entry.at, message, format!("put it in quotes: \"{}\":", entry.key));
        }
        false
    }
}

/// Takes variables over, in the order of the file; an unknown `gpusweep_` one is a fault.
pub(super) fn read_vars(source: &Arc<Source>, entries: &[Entry], vars: &mut Vars, faults: &mut Vec<Diagnostic>) {
    for entry in entries {
        faults.extend(own::unknown(source, entry));
        let spot = Spot { source: Arc::clone(source), at: entry.value.at };
        vars.insert(entry.key.clone(), Arc::new(Var { node: entry.value.clone(), spot }));
    }
}
