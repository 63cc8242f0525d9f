//! A loaded inventory: every host, every group, and which variables hold for a host.

use std::borrow::Cow;
use std::collections::HashMap;

use super::effective::Effective;
use super::graph::{ALL, Graph, UNGROUPED, Var, Vars};
use super::settings;
use super::target::Target;
use crate::yaml::Diagnostic;

/// Everything the inventory files say.
#[derive(Debug)]
pub struct Inventory {
    sources: Vec<String>,
    pub(super) graph: Graph,
    /// Variables from group_vars and host_vars: one layer per source, in the order of `-i`.
    layers: Vec<Layer>,
    lineages: Vec<Vec<usize>>,
    ranks: Vec<usize>,
    encrypted: Vec<String>,
    ignored: Vec<String>,
}

/// Variables from the files beside one inventory source.
#[derive(Debug, Default)]
pub(super) struct Layer {
    pub groups: HashMap<usize, Vars>,
    pub hosts: HashMap<usize, Vars>,
}

impl Inventory {
    pub(super) fn new(
        sources: Vec<String>,
        graph: Graph,
        layers: Vec<Layer>,
        encrypted: Vec<String>,
        ignored: Vec<String>,
    ) -> Self {
        let (lineages, ranks) = (graph.lineages(), graph.ranks());
        Self { sources, graph, layers, lineages, ranks, encrypted, ignored }
    }

    /// What it was loaded from, as named.
    pub fn sources(&self) -> &[String] {
        &self.sources
    }

    /// How many hosts there are.
    pub fn len(&self) -> usize {
        self.graph.hosts.len()
    }

    /// No host at all.
    pub fn is_empty(&self) -> bool {
        self.graph.hosts.is_empty()
    }

    /// Every host's name, in the order of the files.
    pub fn host_names(&self) -> impl Iterator<Item = &str> {
        self.graph.hosts.iter().map(|host| host.name.as_str())
    }

    /// Every group with its hosts, those of groups below it too, sorted by group name; `all` and `ungrouped` included.
    pub fn groups(&self) -> Vec<(&str, Vec<&str>)> {
        let mut groups: Vec<(&str, Vec<&str>)> = self
            .graph
            .groups
            .iter()
            .enumerate()
            .map(|(index, group)| {
                let hosts = self.graph.hosts_of(index);
                let names = hosts.iter().filter_map(|host| self.graph.hosts.get(*host)).map(|host| host.name.as_str());
                (group.name.as_str(), names.collect())
            })
            .collect();
        groups.sort();
        groups
    }

    /// Whether there is a group of this name.
    pub fn has_group(&self, name: &str) -> bool {
        self.graph.find_group(name).is_some()
    }

    /// Whether there is a host of this name.
    pub fn has_host(&self, name: &str) -> bool {
        self.graph.find_host(name).is_some()
    }

    /// Variable files that are encrypted as a whole and were not read.
    pub fn encrypted_files(&self) -> &[String] {
        &self.encrypted
    }

    /// Files of an inventory folder that were left out because of their names.
    pub fn ignored_files(&self) -> &[String] {
        &self.ignored
    }

    /// Every group a host is in, in the order in which their variables are laid over each other.
    fn groups_of(&self, host: usize) -> Vec<usize> {
        let direct = self.graph.hosts.get(host).map(|host| host.groups.as_slice()).unwrap_or_default();
        let mut groups: Vec<usize> =
            direct.iter().filter_map(|group| self.lineages.get(*group)).flatten().copied().collect();
        groups.sort_by_key(|group| self.ranks.get(*group));
        groups.dedup();
        groups
    }

    /// One host as a target.
    pub(super) fn target(&self, index: usize) -> Option<Result<Target, Diagnostic>> {
        let host = self.graph.hosts.get(index)?;
        let lineage = self.groups_of(index);
        let mut vars: HashMap<&str, &Var> = HashMap::new();
        // The order is Ansible's: inventory files, then group_vars/all, then other group_vars, then the host's own.
        let inline = lineage.iter().filter_map(|group| self.graph.groups.get(*group)).map(|group| &group.vars);
        let for_all = self.layers.iter().filter_map(|layer| layer.groups.get(&ALL));
        let for_groups = self.layers.iter().flat_map(|layer| {
            lineage.iter().filter(|group| **group != ALL).filter_map(|group| layer.groups.get(group))
        });
        let for_host = self.layers.iter().filter_map(|layer| layer.hosts.get(&index));
        let own = std::iter::once(&host.vars);
        for layer in inline.chain(for_all).chain(for_groups).chain(own).chain(for_host) {
            vars.extend(layer.iter().map(|(name, var)| (name.as_str(), var.as_ref())));
        }
        let short = match super::address::is_ipv6(&host.name) || host.name.parse::<std::net::Ipv4Addr>().is_ok() {
            true => host.name.as_str(),
            false => host.name.split('.').next().unwrap_or_default(),
        };
        let magic = [
            ("inventory_hostname", Cow::Borrowed(host.name.as_str())),
            ("inventory_hostname_short", Cow::Borrowed(short)),
            ("inventory_dir", Cow::Borrowed(&*host.folder)),
        ];
        let named = lineage.iter().filter(|group| ![ALL, UNGROUPED].contains(group));
        let mut groups: Vec<String> =
            named.filter_map(|group| self.graph.groups.get(*group)).map(|group| group.name.clone()).collect();
        groups.sort();
        Some(settings::target(host, groups, &Effective { vars, magic, encrypted: &self.encrypted }))
    }
}
