//! All hosts together.

use crate::Case;
use crate::case::fleet;

fn on(name: &str, version: &str) -> Case {
    let full = format!("{version}-0ubuntu0.22.04.1");
    Case::healthy()
        .named(name)
        .loaded(version)
        .library(version)
        .packages(&[("ii", "libnvidia-compute-535-server", &full, "")])
        .module_file("5.15.0-105-generic", "updates/dkms/nvidia.ko", version)
}

#[test]
fn drift_against_the_majority() {
    let a = "535.183.01";
    assert_eq!(fleet(&[on("a", a), on("b", a), on("c", "535.171.04")]), ["driver-drift warning c"]);
    // Another branch against an inferred baseline is information.
    assert_eq!(fleet(&[on("a", a), on("b", a), on("c", "550.90.07")]), ["driver-drift info c"]);
    // A tie flags nobody.
    let tie = fleet(&[on("a", a), on("b", "535.171.04")]);
    assert_eq!(tie.len(), 1);
    assert!(tie[0].starts_with("driver-drift info "), "{tie:?}");
    assert_eq!(fleet(&[on("a", a), on("b", a)]), Vec::<String>::new());
    assert_eq!(fleet(&[on("a", a)]), Vec::<String>::new());
}

#[test]
fn unverified_hosts_do_not_vote() {
    let a = "535.183.01";
    let unverified = |name: &str| on(name, "535.171.04").blacklist(&[]).section("apt-policy", "lists", "0 0");
    // Two that cannot vote do not outvote the one that can.
    let found = fleet(&[on("a", a), unverified("b"), unverified("c")]);
    assert!(!found.iter().any(|f| f.contains("driver-drift warning a")), "{found:?}");
}

#[test]
fn the_library_is_compared_not_the_module() {
    let a = "535.183.01";
    assert_eq!(fleet(&[on("a", a), on("b", a), on("c", a).loaded("535.171.04")]), Vec::<String>::new());
}

#[test]
fn declared_versions_and_branches() {
    let a = "535.183.01";
    assert_eq!(fleet(&[on("a", a).expecting("535"), on("b", a).expecting("535.183.01")]), Vec::<String>::new());
    assert_eq!(fleet(&[on("a", a).expecting("535.171.04")]), ["driver-drift warning a"]);
    // Another branch than the declared one is a warning.
    assert_eq!(fleet(&[on("a", "550.90.07").expecting("535")]), ["driver-drift warning a"]);
    // A version is not the prefix of another.
    assert_eq!(fleet(&[on("a", "535.183.01").expecting("535.183")]), ["driver-drift warning a"]);
}

#[test]
fn baseline_groups() {
    let a = "535.183.01";
    let b = "550.90.07";
    let hosts = [
        on("a", a).in_group("x"),
        on("b", a).in_group("x"),
        on("c", b).in_group("y"),
        on("d", b).in_group("y"),
        on("e", b).in_group("x"),
    ];
    assert_eq!(fleet(&hosts), ["driver-drift info e"]);
}

#[test]
fn policy_and_kernel() {
    let a = "535.183.01";
    let bare = |name: &str| on(name, a).blacklist(&[]);
    assert_eq!(fleet(&[on("a", a), on("b", a), bare("c")]), ["policy-drift warning c"]);
    // Level counts, not means.
    assert_eq!(fleet(&[on("a", a), on("b", a), on("c", a).blacklist(&[]).hold("")]), Vec::<String>::new());
    let other = on("c", a)
        .section("kernels", "running", "5.15.0-112-generic")
        .newer_kernel("5.15.0-112-generic")
        .module_file("5.15.0-112-generic", "updates/dkms/nvidia.ko", a);
    assert_eq!(fleet(&[on("a", a), on("b", a), other]), ["kernel-drift info c"]);
}

#[test]
fn hosts_without_a_driver_are_left_out() {
    let a = "535.183.01";
    assert_eq!(fleet(&[on("a", a), on("b", a), Case::from(crate::case::NO_GPU).named("c")]), Vec::<String>::new());
}

#[test]
fn a_declaration_binds_hosts_that_are_unverified_otherwise() {
    let host = on("a", "535.171.04").blacklist(&[]).section("apt-policy", "lists", "0 0").expecting("535.183.01");
    host.sees(&[("verdict", "unverified")]);
    assert_eq!(fleet(&[host]), ["driver-drift warning a"]);
    // Without a library there is nothing to compare, and where nothing applies neither.
    let unread =
        on("a", "535.171.04").no_library().packages(&[]).ends("library", "folders", "denied 1").expecting("550");
    assert_eq!(fleet(&[unread]), Vec::<String>::new());
    let jetson =
        on("a", "540.4.0").more("system", "tegra-release", "# R36 (release), REVISION: 4.3, GCID: 1").expecting("550");
    assert_eq!(fleet(&[jetson]), Vec::<String>::new());
}
