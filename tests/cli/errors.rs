//! Bad input: exit 2, the file, the line and what to do, and nothing is contacted.

use std::io::ErrorKind;
use std::net::TcpListener;

use crate::{file, gpusweep};

/// Sweeps an inventory whose one good host listens here, and makes sure that nobody called.
fn refused(text: &str, more: &[&str]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let path = file(&folder, "fleet.yaml", &text.replace("PORT", &port));
    let mut args = vec!["sweep", "-F", "none", "-i", path.to_str().unwrap()];
    args.extend(more);
    let ran = gpusweep(&args);
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert_eq!(ran.out, "");
    assert_eq!(listener.accept().map(|_| ()).unwrap_err().kind(), ErrorKind::WouldBlock, "a host was contacted");
    ran.err.replace(path.to_str().unwrap(), "fleet.yaml")
}

const GOOD: &str = "all:\n  hosts:\n    gpu-1: {ansible_host: 127.0.0.1, ansible_port: PORT}\n";

#[test]
fn a_duplicate_host_is_named_with_its_line() {
    let err = refused(&format!("{GOOD}    gpu-1:\n"), &[]);
    assert!(err.contains("gpu-1") && err.contains(" --> fleet.yaml:4:5") && err.contains("hint: "), "{err}");
}

#[test]
fn an_unknown_variable_of_ours_is_corrected() {
    let err = refused(&format!("{GOOD}  vars:\n    gpusweep_expect_drvier: \"535\"\n"), &[]);
    assert!(err.contains("unknown variable `gpusweep_expect_drvier`"), "{err}");
    assert!(err.contains(" --> fleet.yaml:5:5"), "{err}");
    assert!(err.contains("hint: did you mean `gpusweep_expect_driver`?"), "{err}");
}

#[test]
fn a_limit_that_matches_nothing_is_an_error() {
    let err = refused(GOOD, &["--limit", "rack9"]);
    assert!(err.contains("`rack9` matches no host and no group") && err.contains("hint: "), "{err}");
}

#[test]
fn a_range_that_counts_down_is_an_error() {
    let err = refused(&format!("{GOOD}    gpu-[9:2]:\n"), &[]);
    assert!(
        err.contains("`[9:2]` counts down") && err.contains(" --> fleet.yaml:4:9") && err.contains("hint: "),
        "{err}"
    );
}

#[test]
fn an_inventory_that_is_not_there_is_named() {
    let ran = gpusweep(&["sweep", "-i", "no/such.yaml"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("no/such.yaml"), "{}", ran.err);
}

#[test]
fn unknown_flags_and_formats_are_usage_errors() {
    for args in [&["sweep", "--bogus"][..], &["demo", "--format", "yml"], &["demo", "--report", "json"], &["swep"]] {
        let ran = gpusweep(args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
    }
}

#[test]
fn a_playbook_error_names_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "own.yaml", "name: own\nchecks: all\nseverties: {auto-reboot: warning}\n");
    let inventory = file(&folder, "fleet.yaml", "all:\n  hosts:\n    gpu-1:\n");
    let ran = gpusweep(&["sweep", "-i", inventory.to_str().unwrap(), "-p", path.to_str().unwrap()]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("own.yaml:3:1") && ran.err.contains("severities"), "{}", ran.err);
}

#[test]
fn a_report_path_that_cannot_be_written_is_found_before_anything_is_contacted() {
    let err = refused(GOOD, &["--report", "json=/no/such/folder/report.json"]);
    assert!(err.contains("cannot write `/no/such/folder/report.json`"), "{err}");
}
