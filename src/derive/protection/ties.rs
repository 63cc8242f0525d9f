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

use crate::derive::protection::debian_version;
use crate::derive::protection::depends::Wanted;
use crate::derive::protection::graph::{Graph, Node};
use crate::derive::version;
use crate::probe::packages::Package;

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
            let dragged = || {
                let tied = |at: &usize| ties.get(*at).is_some_and(Option::is_some);
                let brother = nodes.get(graph.siblings(node).iter().copied().find(tied)?)?;
                Some(format!("apt would upgrade it together with {}", brother.name))
            };
            let why = tie(node, &graph, &stuck, &forbidden);
            if let Some(why) = why.or_else(|| by_source.then(dragged).flatten()) {
                if let (Some(slot), Some(flag)) = (ties.get_mut(index), stuck.get_mut(index)) {
                    *slot = Some(why);
                    *flag = true;
                }
                for other in graph.around(node) {
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
                // A stuck package that will do for the next release as well frees the whole group.
                Some(_) => reason = None,
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

/// The next release of the package will ask for more than the stuck version.
fn moves_along(wanted: &Wanted, own: &str, stuck: &Package) -> bool {
    match wanted.relation {
        "=" => wanted.version == stuck.version || version::upstream(&wanted.version) == own,
        ">=" => !own.is_empty() && version::upstream(&wanted.version) == own,
        // A provided name with the version in it leaves with the release; a package of such a name makes room for
        // the next one's, whatever keeps it.
        "" => !own.is_empty() && wanted.name.contains(own) && wanted.name != stuck.name,
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
            with_source(row("libnvidia-gl-535", "amd64", v, "libnvidia-common-535", "")),
            with_source(row("libnvidia-common-535", "all", v, "", "")),
        ];
        let tied = |rows: &[Package], by_source| -> Vec<bool> {
            let nodes: Vec<Node<'_>> = rows.iter().map(Node::new).collect();
            find(&nodes, &[true, false, false], by_source, |_| None).iter().map(Option::is_some).collect()
        };
        assert_eq!(tied(&rows, true), [false, true, true]);
        assert_eq!(tied(&rows, false), [false, true, false]);
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

    /// A chain in the worst order: each round of the search ties one more. It ends because only neighbours of a change
    /// are looked at again.
    #[test]
    fn a_long_chain_is_followed_to_its_end() {
        let name = |n: usize| format!("libnvidia-x{n}-535");
        let asks = |n: usize| row(&name(n), "amd64", "535.1-1", &format!("{} (= 535.1-1)", name(n + 1)), "");
        let mut rows: Vec<Package> = (0..3000).map(asks).collect();
        rows.push(row(&name(3000), "amd64", "535.1-1", "", ""));
        let nodes: Vec<Node<'_>> = rows.iter().map(Node::new).collect();
        let mut stuck = vec![false; rows.len()];
        stuck[3000] = true;
        assert_eq!(find(&nodes, &stuck, false, |_| None).iter().flatten().count(), 3000);
        assert_eq!(tied(&rows).len(), 3000);
    }
}
