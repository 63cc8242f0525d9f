//! Installed packages and who asks for whom.

use std::collections::HashMap;

use crate::derive::protection::depends::{self, Wanted};
use crate::probe::packages::Package;

/// A package in the graph.
pub struct Node<'a> {
    /// Its row.
    pub row: &'a Package,
    /// Its name as the updater spells it.
    pub name: String,
    /// What it depends on: alternatives in groups.
    pub depends: Vec<Vec<Wanted>>,
    provides: Vec<Wanted>,
}

impl<'a> Node<'a> {
    /// Reads a row's fields.
    pub fn new(row: &'a Package) -> Self {
        let name = full_name(row);
        let provides = depends::parse(&row.provides).into_iter().flatten().collect();
        Self { row, name, depends: depends::parse(&row.depends), provides }
    }

    /// What it answers to: its name and what it provides.
    fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.row.name.as_str()).chain(self.provides.iter().map(|provided| provided.name.as_str()))
    }

    /// Whether it is what is wanted, by name.
    pub fn answers(&self, wanted: &Wanted) -> bool {
        self.row.name == wanted.name || self.provides.iter().any(|provided| provided.name == wanted.name)
    }
}

/// The name as the updater spells it: with `:arch` for a foreign architecture.
pub fn full_name(row: &Package) -> String {
    if row.native { row.name.clone() } else { format!("{}:{}", row.name, row.arch) }
}

/// Who answers to a name, and who asks for it: the graph in both directions, so that a hostile list of packages costs
/// no more than its edges.
pub struct Graph<'g, 'a> {
    /// The packages.
    pub nodes: &'g [Node<'a>],
    /// Nodes that are called so or provide it, in order.
    answering: HashMap<&'g str, Vec<usize>>,
    /// Nodes with a dependency on the name, in order.
    asking: HashMap<&'g str, Vec<usize>>,
    /// Nodes built from one source at one version, in order.
    siblings: HashMap<(&'g str, &'g str), Vec<usize>>,
}

impl<'g, 'a> Graph<'g, 'a> {
    /// Reads the edges.
    pub fn of(nodes: &'g [Node<'a>]) -> Self {
        let mut graph = Self { nodes, answering: HashMap::new(), asking: HashMap::new(), siblings: HashMap::new() };
        for (index, node) in nodes.iter().enumerate() {
            graph.siblings.entry(origin(node.row)).or_default().push(index);
            for name in node.names() {
                push_once(graph.answering.entry(name).or_default(), index);
            }
            for wanted in node.depends.iter().flatten() {
                push_once(graph.asking.entry(wanted.name.as_str()).or_default(), index);
            }
        }
        graph
    }

    /// Nodes that are called so or provide it.
    pub fn answering(&self, name: &str) -> impl Iterator<Item = (usize, &'g Node<'a>)> {
        let found = self.answering.get(name).map(Vec::as_slice).unwrap_or_default();
        found.iter().filter_map(|index| Some((*index, self.nodes.get(*index)?)))
    }

    /// Nodes that ask for something that this one answers to, or that bear its name; each once, in order.
    pub fn concerned(&self, node: &Node<'a>) -> Vec<usize> {
        let asking = node.names().filter_map(|name| self.asking.get(name)).flatten();
        let twins = self.answering.get(node.row.name.as_str()).into_iter().flatten();
        let mut all: Vec<usize> = asking.chain(twins).copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Nodes of one source with this one, itself among them.
    pub fn siblings(&self, node: &Node<'a>) -> &[usize] {
        self.siblings.get(&origin(node.row)).map(Vec::as_slice).unwrap_or_default()
    }

    /// Nodes whose tie may change when this one gets stuck.
    pub fn around(&self, node: &Node<'a>) -> Vec<usize> {
        let mut all = self.concerned(node);
        all.extend(
            node.depends.iter().flatten().filter_map(|wanted| self.answering.get(wanted.name.as_str())).flatten(),
        );
        all.extend(self.siblings(node));
        all
    }
}

/// Indices come in rising order, so the last one tells whether it is there already.
fn push_once(list: &mut Vec<usize>, index: usize) {
    if list.last() != Some(&index) {
        list.push(index);
    }
}

/// The source a package was built from, and its version.
fn origin(row: &Package) -> (&str, &str) {
    (if row.source.is_empty() { &row.name } else { &row.source }, &row.version)
}
