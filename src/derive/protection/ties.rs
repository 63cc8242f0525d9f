//! Packages that no rule blocks and that still cannot move, because a blocked one would have to move with them.
//!
//! The updater drops every change that would touch a blocked package or remove one (`sanity_problem`), so an exact
//! dependency holds in both directions. Only what each release bumps counts as exact: `(= version)`, `(>= version)` or
//! a name with the package's own upstream version, and an upper bound at that version. A kernel's module package asking
//! for `(>= driver version)` is not tied: a rebuild for the same driver goes through.
//!
//! apt 2.6 and later upgrades the packages built from one source together (`APT::Get::Upgrade-By-Source-Package`): a
//! package without any such dependency is dropped too, because it would bring a tied sibling along. A sibling that is
//! blocked itself is not brought along, and ties nothing that way (measured with apt 2.6.1, unattended-upgrades 2.9.1).

use std::collections::HashMap;

use crate::derive::protection::debian_version;
use crate::derive::protection::depends::{self, Wanted};
use crate::derive::version;
use crate::probe::packages::Package;

/// A package in the graph.
pub struct Node<'a> {
    /// Its row.
    pub row: &'a Package,
    /// Its name as the updater spells it.
    pub name: String,
    depends: Vec<Vec<Wanted>>,
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

    fn answers(&self, wanted: &Wanted) -> bool {
        self.row.name == wanted.name || self.provides.iter().any(|provided| provided.name == wanted.name)
    }
}

/// The name as the updater spells it: with `:arch` for a foreign architecture.
pub fn full_name(row: &Package) -> String {
    if row.native { row.name.clone() } else { format!("{}:{}", row.name, row.arch) }
}

/// Who answers to a name, and who asks for it: the graph in both directions, so that a hostile list of packages costs
/// no more than its edges.
struct Graph<'g, 'a> {
    nodes: &'g [Node<'a>],
    /// Nodes that are called so or provide it, in order.
    answering: HashMap<&'g str, Vec<usize>>,
    /// Nodes with a dependency on the name, in order.
    asking: HashMap<&'g str, Vec<usize>>,
    /// Nodes built from one source at one version.
    siblings: HashMap<(&'g str, &'g str), Vec<usize>>,
}

impl<'g, 'a> Graph<'g, 'a> {
    fn of(nodes: &'g [Node<'a>]) -> Self {
        let mut graph = Self { nodes, answering: HashMap::new(), asking: HashMap::new(), siblings: HashMap::new() };
        for (index, node) in nodes.iter().enumerate() {
            for name in node.names() {
                push_once(graph.answering.entry(name).or_default(), index);
            }
            for wanted in node.depends.iter().flatten() {
                push_once(graph.asking.entry(wanted.name.as_str()).or_default(), index);
            }
            graph.siblings.entry(source(node)).or_default().push(index);
        }
        graph
    }

    fn answering(&self, name: &str) -> impl Iterator<Item = (usize, &'g Node<'a>)> {
        let found = self.answering.get(name).map(Vec::as_slice).unwrap_or_default();
        found.iter().filter_map(|index| Some((*index, self.nodes.get(*index)?)))
    }

    /// Nodes that ask for something that this one answers to, or that bear its name; each once, in order.
    fn concerned(&self, node: &Node<'a>) -> Vec<usize> {
        let asking = node.names().filter_map(|name| self.asking.get(name)).flatten();
        let twins = self.answering.get(node.row.name.as_str()).into_iter().flatten();
        let mut all: Vec<usize> = asking.chain(twins).copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Nodes built together with the one at this index, itself included.
    fn siblings(&self, index: usize) -> &[usize] {
        let found = self.nodes.get(index).and_then(|node| self.siblings.get(&source(node)));
        found.map(Vec::as_slice).unwrap_or_default()
    }

    /// Nodes whose tie may change when this one gets stuck.
    fn around(&self, node: &Node<'a>) -> Vec<usize> {
        let mut all = self.concerned(node);
        all.extend(
            node.depends.iter().flatten().filter_map(|wanted| self.answering.get(wanted.name.as_str())).flatten(),
        );
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
fn source<'g>(node: &'g Node<'_>) -> (&'g str, &'g str) {
    let row = node.row;
    (if row.source.is_empty() { &row.name } else { &row.source }, &row.version)
}

/// For each node, why it is tied, given which are stuck on their own. `forbidden` tells why a package of a new name
/// may not be installed; with `by_source`, apt upgrades the packages of one source together.
pub fn find(
    nodes: &[Node<'_>],
    stuck: &[bool],
    by_source: bool,
    forbidden: impl Fn(&str) -> Option<String>,
) -> Vec<Option<String>> {
    let graph = Graph::of(nodes);
    let mut stuck = stuck.to_vec();
    stuck.resize(nodes.len(), false);
    let mut ties: Vec<Option<String>> = vec![None; nodes.len()];
    let mut due = vec![true; nodes.len()];
    loop {
        let mut changed = false;
        for (index, node) in nodes.iter().enumerate() {
            if !due.get_mut(index).is_some_and(std::mem::take) || stuck.get(index) != Some(&false) {
                continue;
            }
            // The first tied sibling drags along all that come after it, so one look at it suffices.
            let dragged = || {
                let tied = graph.siblings(index).iter().find(|other| matches!(ties.get(**other), Some(Some(_))))?;
                Some(format!("apt would upgrade it together with {}", nodes.get(*tied)?.name))
            };
            let why = tie(node, &graph, &stuck, &forbidden).or_else(|| by_source.then(dragged).flatten());
            if let Some(why) = why {
                // Siblings hear of the first tie among them; all the others then follow.
                let first =
                    by_source && !graph.siblings(index).iter().any(|other| matches!(ties.get(*other), Some(Some(_))));
                if let (Some(slot), Some(flag)) = (ties.get_mut(index), stuck.get_mut(index)) {
                    *slot = Some(why);
                    *flag = true;
                }
                let siblings = if first { graph.siblings(index) } else { &[] };
                for other in graph.around(node).into_iter().chain(siblings.iter().copied()) {
                    if let Some(flag) = due.get_mut(other) {
                        *flag = true;
                    }
                }
                changed = true;
            }
        }
        if !changed {
            return ties;
        }
    }
}

fn tie(
    node: &Node<'_>,
    graph: &Graph<'_, '_>,
    stuck: &[bool],
    forbidden: &impl Fn(&str) -> Option<String>,
) -> Option<String> {
    let is_stuck = |index: usize| stuck.get(index) == Some(&true);
    let own = version::upstream(&node.row.version);
    // It asks for a release of a stuck package that its own next release will not be content with.
    for group in &node.depends {
        let mut reason = None;
        for wanted in group {
            match graph.answering(&wanted.name).find(|(index, _)| is_stuck(*index)) {
                Some((_, other)) if moves_along(wanted, own, other.row) => {
                    reason = Some(format!("its own dependency on {} moves with every release", other.name));
                }
                Some(_) => return_if_free(&mut reason),
                None => {}
            }
        }
        let free = || {
            group.iter().any(|wanted| {
                graph.answering(&wanted.name).any(|(index, other)| !is_stuck(index) && other.name != node.name)
            })
        };
        if reason.is_some() && !free() {
            return reason;
        }
        // A dependency with the version in its name: the next release wants a package of a new name.
        if let [only] = group.as_slice()
            && !own.is_empty()
            && only.name.contains(own)
            && !graph.answering(&only.name).any(|(_, other)| other.row.name != only.name)
            && let Some(next) = debian_version::successors(own).first()
            && let Some(why) = forbidden(&only.name.replace(own, version::upstream(next)))
        {
            return Some(format!("every release needs a new package like {}, which {why} keeps out", only.name));
        }
    }
    // A stuck package asks for exactly this release of it.
    let concerned = graph.concerned(node).into_iter().filter(|index| is_stuck(*index));
    for other in concerned.filter_map(|index| graph.nodes.get(index)) {
        for group in &other.depends {
            let exact = group.iter().any(|wanted| node.answers(wanted) && pins_down(wanted, node));
            let alternative =
                || group.iter().any(|wanted| graph.answering(&wanted.name).any(|(_, third)| third.name != node.name));
            if exact && !alternative() {
                return Some(format!("{} depends on exactly this version", other.name));
            }
        }
        // Two architectures of one package install side by side only at one version.
        if other.row.name == node.row.name && other.row.arch != node.row.arch {
            return Some(format!("must stay at the version of {}", other.name));
        }
    }
    None
}

/// An alternative on a stuck package without a bound that moves frees the whole group.
fn return_if_free(reason: &mut Option<String>) {
    *reason = None;
}

/// The next release of the package will ask for more than the stuck package's version. A name with the version in it
/// holds only as a virtual one: a real package of that name (firmware) is not replaced, the next release brings another.
fn moves_along(wanted: &Wanted, own: &str, stuck: &Package) -> bool {
    match wanted.relation {
        "=" => wanted.version == stuck.version || version::upstream(&wanted.version) == own,
        ">=" => !own.is_empty() && version::upstream(&wanted.version) == own,
        "" => !own.is_empty() && wanted.name != stuck.name && wanted.name.contains(own),
        _ => false,
    }
}

/// The dependency admits no other upstream release of the node.
fn pins_down(wanted: &Wanted, node: &Node<'_>) -> bool {
    let own = version::upstream(&node.row.version);
    match wanted.relation {
        "=" => true,
        "<=" | "<<" => wanted.name == node.row.name && !own.is_empty() && version::upstream(&wanted.version) == own,
        "" => wanted.name != node.row.name && !own.is_empty() && wanted.name.contains(own),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::packages::Status;

    fn row(name: &str, arch: &str, version: &str, depends: &str, provides: &str) -> Package {
        Package {
            name: name.into(),
            arch: arch.into(),
            native: arch != "i386",
            version: version.into(),
            status: Status { want: 'i', state: 'i', error: false },
            depends: depends.into(),
            provides: provides.into(),
            ..Package::default()
        }
    }

    /// Names of the tied packages, with the first row stuck.
    fn tied(rows: &[Package]) -> Vec<String> {
        let nodes: Vec<Node<'_>> = rows.iter().map(Node::new).collect();
        let mut stuck = vec![false; rows.len()];
        stuck[0] = true;
        let ties = find(&nodes, &stuck, false, |_| None);
        nodes.iter().zip(ties).filter(|(_, tie)| tie.is_some()).map(|(node, _)| node.name.clone()).collect()
    }

    #[test]
    fn a_held_metapackage_freezes_what_it_asks_for_exactly_and_what_follows_it() {
        let v = "535.183.01-0ubuntu1";
        let rows = [
            row(
                "nvidia-driver-535",
                "amd64",
                v,
                &format!(
                    "libnvidia-gl-535 (= {v}), nvidia-dkms-535 (<= 535.183.01-1), nvidia-dkms-535 (>= 535.183.01)"
                ),
                "",
            ),
            row("libnvidia-gl-535", "amd64", v, "libnvidia-common-535", ""),
            row("libnvidia-common-535", "all", v, "", ""),
            row("nvidia-dkms-535", "amd64", v, "", ""),
            row("cuda-drivers", "all", "535.183.01-1", "nvidia-driver-535 (>= 535.183.01)", ""),
            row("nvidia-utils-535", "amd64", v, "libnvidia-compute-535", ""),
        ];
        assert_eq!(tied(&rows), ["libnvidia-gl-535", "nvidia-dkms-535", "cuda-drivers"]);
    }

    #[test]
    fn a_module_package_that_asks_for_at_least_the_driver_is_not_tied() {
        let rows = [
            row("nvidia-kernel-common-535", "amd64", "535.183.01-0ubuntu1", "", ""),
            row(
                "linux-modules-nvidia-535-5.15.0-112-generic",
                "amd64",
                "5.15.0-112.122+1",
                "nvidia-kernel-common-535 (>= 535.183.01)",
                "",
            ),
        ];
        assert_eq!(tied(&rows), [] as [&str; 0]);
    }

    #[test]
    fn an_open_module_package_that_is_stuck_clamps_the_driver() {
        let rows = [
            row(
                "linux-modules-nvidia-535-open-5.15.0-112-generic",
                "amd64",
                "5.15.0-112.122",
                "nvidia-kernel-common-535 (<= 535.183.01-1), nvidia-kernel-common-535 (>= 535.183.01)",
                "",
            ),
            row("nvidia-kernel-common-535", "amd64", "535.183.01-0ubuntu1", "", ""),
        ];
        assert_eq!(tied(&rows), ["nvidia-kernel-common-535"]);
    }

    #[test]
    fn the_virtual_package_with_the_version_in_its_name_ties_both_ways() {
        let v = "580.95.05-0ubuntu1";
        let common = row("nvidia-kernel-common-580", "amd64", v, "", "nvidia-kernel-common-580-580.95.05");
        let library = row("libnvidia-compute-580", "amd64", v, "nvidia-kernel-common-580-580.95.05", "");
        assert_eq!(tied(&[common.clone(), library.clone()]), ["libnvidia-compute-580"]);
        assert_eq!(tied(&[library, common]), ["nvidia-kernel-common-580"]);
    }

    #[test]
    fn firmware_that_left_the_archive_ties_nothing() {
        let v = "535.171.04-0ubuntu1";
        let rows = [
            row("nvidia-firmware-535-535.171.04", "amd64", v, "", ""),
            row("nvidia-kernel-common-535", "amd64", v, "nvidia-firmware-535-535.171.04", ""),
        ];
        assert_eq!(tied(&rows), [] as [&str; 0]);
    }

    #[test]
    fn a_sibling_of_a_tied_package_is_dragged_along_by_newer_apt() {
        let v = "535.183.01-0ubuntu1";
        let with_source = |package: Package| Package { source: "nvidia-graphics-drivers-535".into(), ..package };
        let mut rows = [
            with_source(row("nvidia-driver-535", "amd64", v, &format!("libnvidia-gl-535 (= {v})"), "")),
            with_source(row("libnvidia-common-535", "all", v, "", "")),
            with_source(row("libnvidia-gl-535", "amd64", v, "libnvidia-common-535", "")),
        ];
        let tied = |rows: &[Package], by_source| -> Vec<bool> {
            let nodes: Vec<Node<'_>> = rows.iter().map(Node::new).collect();
            find(&nodes, &[true, false, false], by_source, |_| None).iter().map(Option::is_some).collect()
        };
        assert_eq!(tied(&rows, true), [false, true, true]);
        assert_eq!(tied(&rows, false), [false, false, true]);
        // Only a blocked sibling: nothing is dragged along.
        rows[0].depends = String::new();
        assert_eq!(tied(&rows, true), [false, false, false]);
    }

    #[test]
    fn the_other_architecture_of_one_package_is_tied() {
        let rows = [
            row("libnvidia-compute-535", "amd64", "535.1-1", "", ""),
            row("libnvidia-compute-535", "i386", "535.1-1", "", ""),
        ];
        assert_eq!(tied(&rows), ["libnvidia-compute-535:i386"]);
    }

    #[test]
    fn a_dependency_by_new_name_is_tied_when_the_new_name_is_forbidden() {
        let rows =
            [row("nvidia-kernel-common-535", "amd64", "535.183.01-0ubuntu1", "nvidia-firmware-535-535.183.01", "")];
        let nodes: Vec<Node<'_>> = rows.iter().map(Node::new).collect();
        let ban =
            |name: &str| (name.starts_with("nvidia-firmware-") && !name.contains("535.183.01")).then(|| "x".to_owned());
        assert!(find(&nodes, &[false], false, ban)[0].is_some());
        assert!(find(&nodes, &[false], false, |_| None)[0].is_none());
    }
}
