//! The demo: real SSH on loopback, recorded answers, every kind of host.

use serde_json::Value;

use crate::gpusweep;

fn host<'a>(report: &'a Value, name: &str) -> &'a Value {
    report["hosts"].as_array().unwrap().iter().find(|host| host["host"] == name).unwrap()
}

fn ids(host: &Value) -> Vec<&str> {
    let findings = host["findings"].as_array().unwrap().iter();
    findings.filter(|f| f["severity"] != "info").map(|f| f["check"].as_str().unwrap()).collect()
}

#[test]
fn the_demo_fleet_is_judged_as_the_incident_was() {
    let ran = gpusweep(&["demo", "--format", "json"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let report = ran.json();
    assert_eq!(report["summary"]["hosts"], 12);
    for ok in ["gpu-01", "gpu-02", "gpu-08", "gpu-09", "gpu-10"] {
        assert_eq!((host(&report, ok)["verdict"].as_str(), ids(host(&report, ok))), (Some("ok"), vec![]), "{ok}");
    }
    assert_eq!(ids(host(&report, "gpu-03")), ["unconfigured"]);
    assert_eq!(host(&report, "gpu-03")["facts"]["module_flavor"], "open");
    assert_eq!(host(&report, "gpu-04")["verdict"], "critical");
    let half = host(&report, "gpu-04")["findings"]
        .as_array()
        .unwrap()
        .iter()
        .find(|finding| finding["check"] == "half-upgraded")
        .unwrap();
    assert_eq!(half["details"]["by"], "unattended-upgrades");
    assert_eq!(half["details"]["packages"], 15);
    assert_eq!(half["details"]["reboot_cures"], true);
    assert_eq!(ids(host(&report, "gpu-05")), ["protection-gap"]);
    for (name, reason) in [("gpu-06", "refused"), ("gpu-07", "deadline"), ("gpu-11", "host-key-mismatch")] {
        let host = host(&report, name);
        assert_eq!(
            (&host["verdict"], &host["unverified"][0]["reason"]),
            (&"unverified".into(), &reason.into()),
            "{name}"
        );
    }
    assert_eq!(host(&report, "login-1")["verdict"], "not-applicable");
}

#[test]
fn the_table_folds_equal_hosts_and_counts_everything() {
    let ran = gpusweep(&["demo", "--width", "120"]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("gpu-[01-02,08-10]"), "{}", ran.out);
    let count = "1 critical, 3 unverified, 2 warning, 5 ok, 1 not-applicable; 6 findings, 1 info, 0 waived";
    assert!(ran.out.contains(count), "{}", ran.out);
    assert!(ran.err.contains("gpusweep explain half-upgraded"), "{}", ran.err);
    assert!(ran.out.lines().all(|line| line.chars().count() <= 120), "{}", ran.out);
}

#[test]
fn exit_codes_follow_the_flags() {
    assert_eq!(gpusweep(&["demo", "-q", "--fail-on", "never"]).code, 3);
    assert_eq!(gpusweep(&["demo", "-q", "--fail-on", "never", "--allow-unverified"]).code, 0);
    assert_eq!(gpusweep(&["demo", "-q", "--format", "nagios"]).code, 2);
}
