//! The inventories that are shipped, and every block of their README, load and say what they promise.

use std::path::{Path, PathBuf};

use super::*;

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("inventory").join(name)
}

fn targets(name: &str, pattern: &str) -> Vec<Target> {
    let inventory = load(&[path(name)]).unwrap_or_else(|told| panic!("{}", told[0]));
    inventory.select(&[pattern.to_owned()], None).unwrap_or_else(|told| panic!("{}", told[0]))
}

#[test]
fn the_smallest() {
    let names: Vec<String> = targets("fleet.yaml", "all").into_iter().map(|target| target.name).collect();
    assert_eq!(names, ["gpu-1", "gpu-2", "gpu-3"]);
}

#[test]
fn the_data_centre() {
    assert_eq!(targets("datacenter.yaml", "all").len(), 16 + 8 + 4 + 1);
    let a100 = targets("datacenter.yaml", "a100-02").remove(0);
    assert_eq!(a100.address, "a100-02.gpu.example.net");
    assert_eq!((a100.user.as_deref(), a100.become_user.as_deref()), (Some("svc-audit"), Some("root")));
    assert_eq!(a100.jump.as_deref(), Some("audit@bastion.example.net"));
    assert_eq!(a100.vars.expect_driver.as_deref(), Some("535.230.02"));
    assert_eq!(a100.groups, ["a100", "rack-7", "training"]);
    assert!(a100.vars.other.contains(&("rack".to_owned(), "7".to_owned())));
    assert_eq!(targets("datacenter.yaml", "h100")[0].vars.expect_driver.as_deref(), Some("570"));
    assert_eq!(targets("datacenter.yaml", "l4-a")[0].port, Some(2222));
    assert!(targets("datacenter.yaml", "l4-spare")[0].vars.skip.is_some());
    for (pattern, hosts) in [("training:!rack-7", 20), ("a100:&rack-7", 4), ("a100[0:3]", 4), ("~a100-0[1-4]", 4)] {
        assert_eq!(targets("datacenter.yaml", pattern).len(), hosts, "{pattern}");
    }
}

#[test]
fn staging_for_ci() {
    let hosts = targets("staging.yaml", "staging");
    assert_eq!((hosts[1].address.as_str(), hosts[1].port), ("2001:db8::12", Some(2222)));
    assert_eq!(hosts[0].keys, [PathBuf::from("~/.ssh/ci_ed25519")]);
    assert_eq!(hosts[0].ssh_options.len(), 2);
}

#[test]
fn a_folder() {
    let hosts = targets("split", "gpu");
    assert_eq!(hosts.len(), 4);
    assert_eq!((hosts[3].port, hosts[3].user.as_deref()), (Some(2204), Some("svc-audit")));
}

#[test]
fn every_block_of_the_readme_loads() {
    let text = std::fs::read_to_string(path("README.md")).unwrap();
    let blocks: Vec<&str> = text.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(blocks.len(), 2);
    for block in blocks {
        let file = tempfile::Builder::new().suffix(".yaml").tempfile().unwrap();
        std::fs::write(file.path(), block).unwrap();
        assert!(load(&[file.path().to_owned()]).unwrap().len() >= 2);
    }
}
