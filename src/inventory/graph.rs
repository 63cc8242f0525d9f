//! Groups and hosts, who is in what, and in which order things count.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::yaml::{Diagnostic, Node, Spot};

/// A variable and where it was written.
#[derive(Debug)]
pub(super) struct Var {
    /// The value.
    pub node: Node,
    /// Where the value stands.
    pub spot: Spot,
}

/// Variables by name.
pub(super) type Vars = BTreeMap<String, Arc<Var>>;

/// A group.
#[derive(Debug)]
pub(super) struct Group {
    pub name: String,
    /// Hosts listed here, in order.
    pub hosts: Vec<usize>,
    /// Groups listed here, in order, and where.
    pub children: Vec<(usize, Spot)>,
    pub parents: Vec<usize>,
    /// From `vars:` in inventory files.
    pub vars: Vars,
    /// `ansible_group_priority`: among groups of one depth the higher one wins.
    pub priority: i64,
    /// The longest way from `all`.
    pub depth: usize,
}

/// A host.
#[derive(Debug)]
pub(super) struct Host {
    pub name: String,
    /// From inventory files.
    pub vars: Vars,
    /// Groups that list it.
    pub groups: Vec<usize>,
    /// Where it is named first.
    pub spot: Spot,
    /// The folder of the file that names it first (`inventory_dir`).
    pub folder: Arc<str>,
}

/// Index of the group `all`.
pub(super) const ALL: usize = 0;
/// Index of the group `ungrouped`.
pub(super) const UNGROUPED: usize = 1;

/// All groups and hosts.
#[derive(Debug)]
pub(super) struct Graph {
    pub groups: Vec<Group>,
    pub hosts: Vec<Host>,
    group_index: HashMap<String, usize>,
    host_index: HashMap<String, usize>,
    edges: HashSet<(usize, usize)>,
    members: HashSet<(usize, usize)>,
}

impl Graph {
    pub fn new() -> Self {
        let mut graph = Self {
            groups: Vec::new(),
            hosts: Vec::new(),
            group_index: HashMap::new(),
            host_index: HashMap::new(),
            edges: HashSet::new(),
            members: HashSet::new(),
        };
        graph.group("all");
        graph.group("ungrouped");
        graph.adopt(ALL, UNGROUPED, Spot::default());
        graph
    }

    pub fn find_group(&self, name: &str) -> Option<usize> {
        self.group_index.get(name).copied()
    }

    pub fn find_host(&self, name: &str) -> Option<usize> {
        self.host_index.get(name).copied()
    }

    /// The group of this name, made if need be.
    pub fn group(&mut self, name: &str) -> usize {
        if let Some(index) = self.find_group(name) {
            return index;
        }
        let index = self.groups.len();
        self.groups.push(Group {
            name: name.to_owned(),
            hosts: Vec::new(),
            children: Vec::new(),
            parents: Vec::new(),
            vars: Vars::new(),
            priority: 1,
            depth: 0,
        });
        self.group_index.insert(name.to_owned(), index);
        index
    }

    /// The host of this name, made if need be, and whether it is new.
    pub fn host(&mut self, name: &str, spot: &Spot, folder: &Arc<str>) -> (usize, bool) {
        if let Some(index) = self.find_host(name) {
            return (index, false);
        }
        let index = self.hosts.len();
        let host = Host {
            name: name.to_owned(),
            vars: Vars::new(),
            groups: Vec::new(),
            spot: spot.clone(),
            folder: Arc::clone(folder),
        };
        self.hosts.push(host);
        self.host_index.insert(name.to_owned(), index);
        (index, true)
    }

    /// Makes one group a child of another.
    pub fn adopt(&mut self, parent: usize, child: usize, spot: Spot) {
        if !self.edges.insert((parent, child)) {
            return;
        }
        if let Some(group) = self.groups.get_mut(parent) {
            group.children.push((child, spot));
        }
        if let Some(group) = self.groups.get_mut(child) {
            group.parents.push(parent);
        }
    }

    /// Lists a host in a group.
    pub fn enlist(&mut self, group: usize, host: usize) {
        if !self.members.insert((group, host)) {
            return;
        }
        if let Some(group) = self.groups.get_mut(group) {
            group.hosts.push(host);
        }
        if let Some(host) = self.hosts.get_mut(host) {
            host.groups.push(group);
        }
    }

    /// Brings everything in order after the last file: every group below `all`, hosts of no group in `ungrouped`, depths.
    ///
    /// # Errors
    /// When a group contains itself.
    pub fn finish(&mut self) -> Result<(), Diagnostic> {
        for index in 1..self.groups.len() {
            if self.groups.get(index).is_some_and(|group| group.parents.is_empty()) {
                self.adopt(ALL, index, Spot::default());
            }
        }
        let (alone, grouped): (Vec<usize>, Vec<usize>) = (0..self.hosts.len()).partition(|host| {
            self.hosts.get(*host).is_some_and(|host| host.groups.iter().all(|group| *group <= UNGROUPED))
        });
        for host in alone {
            self.enlist(UNGROUPED, host);
        }
        let wrongly: HashSet<usize> =
            grouped.into_iter().filter(|host| self.members.contains(&(UNGROUPED, *host))).collect();
        if let Some(group) = self.groups.get_mut(UNGROUPED) {
            group.hosts.retain(|host| !wrongly.contains(host));
        }
        for host in wrongly {
            self.members.remove(&(UNGROUPED, host));
            if let Some(host) = self.hosts.get_mut(host) {
                host.groups.retain(|group| *group != UNGROUPED);
            }
        }
        let order = self.parents_first()?;
        for index in order {
            let parents = self.groups.get(index).map(|group| group.parents.clone()).unwrap_or_default();
            let above = parents.iter().filter_map(|parent| self.groups.get(*parent)).map(|group| group.depth + 1).max();
            if let Some(group) = self.groups.get_mut(index) {
                group.depth = above.unwrap_or(0);
            }
        }
        Ok(())
    }

    /// Group indices so that each stands behind all of its parents.
    fn parents_first(&self) -> Result<Vec<usize>, Diagnostic> {
        #[derive(Clone, Copy, PartialEq)]
        enum State {
            New,
            Open,
            Done,
        }
        let mut state = vec![State::New; self.groups.len()];
        let mut done = Vec::with_capacity(self.groups.len());
        // A group outside `all` is possible only inside a circle, so every group is a starting point.
        for start in 0..self.groups.len() {
            let mut stack = vec![(start, 0usize)];
            while let Some((index, next)) = stack.pop() {
                if next == 0 && state.get(index) != Some(&State::New) {
                    continue;
                }
                if let Some(slot) = state.get_mut(index) {
                    *slot = State::Open;
                }
                let Some(group) = self.groups.get(index) else { continue };
                let Some((child, spot)) = group.children.get(next) else {
                    if let Some(slot) = state.get_mut(index) {
                        *slot = State::Done;
                    }
                    done.push(index);
                    continue;
                };
                stack.push((index, next + 1));
                match state.get(*child) {
                    Some(State::Open) => return Err(self.circle(index, *child, spot)),
                    Some(State::New) => stack.push((*child, 0)),
                    _ => {}
                }
            }
        }
        done.reverse();
        Ok(done)
    }

    fn circle(&self, parent: usize, child: usize, spot: &Spot) -> Diagnostic {
        let name = |index: usize| self.groups.get(index).map(|group| group.name.as_str()).unwrap_or_default();
        let told = if parent == child {
            spot.error(format!("the group `{}` is a child of itself", name(child)))
        } else {
            spot.error(format!(
                "the group `{}` is a child of `{}`, which is inside `{}`",
                name(child),
                name(parent),
                name(child)
            ))
        };
        told.hint("groups may not contain each other: remove one of the two `children` entries")
    }

    /// Every host in a group or below it: its own first, then level by level, each in the order of the files.
    pub fn hosts_of(&self, group: usize) -> Vec<usize> {
        let mut groups = vec![group];
        let mut seen_groups = HashSet::from([group]);
        let mut next = 0;
        while let Some(index) = groups.get(next).copied() {
            next += 1;
            for (child, _) in self.groups.get(index).map(|group| group.children.as_slice()).unwrap_or_default() {
                if seen_groups.insert(*child) {
                    groups.push(*child);
                }
            }
        }
        let mut seen = HashSet::new();
        let listed =
            groups.iter().filter_map(|index| self.groups.get(*index)).flat_map(|group| group.hosts.iter().copied());
        listed.filter(|host| seen.insert(*host)).collect()
    }

    /// Every group's ancestors and itself, by index, in the order in which their variables are laid over each other.
    pub fn lineages(&self) -> Vec<Vec<usize>> {
        (0..self.groups.len())
            .map(|start| {
                let mut found = vec![start];
                let mut seen = HashSet::from([start]);
                let mut next = 0;
                while let Some(index) = found.get(next).copied() {
                    next += 1;
                    for parent in self.groups.get(index).map(|group| group.parents.as_slice()).unwrap_or_default() {
                        if seen.insert(*parent) {
                            found.push(*parent);
                        }
                    }
                }
                found
            })
            .collect()
    }

    /// Each group's place in the order of variables: depth, then priority, then name.
    pub fn ranks(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.groups.len()).collect();
        order.sort_by_key(|index| {
            self.groups.get(*index).map(|group| (group.depth, group.priority, group.name.as_str()))
        });
        let mut ranks = vec![0; order.len()];
        for (rank, index) in order.into_iter().enumerate() {
            if let Some(slot) = ranks.get_mut(index) {
                *slot = rank;
            }
        }
        ranks
    }
}
