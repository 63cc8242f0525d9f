//! The broken node again, through other accounts: the verdict must not depend on who looks or on their shell.

use crate::fleet::{Entry, Part, lab};
use crate::host::recipe::{NEW, OLD};

const SAME: [&str; 8] = ["as-root", "as-sudo", "as-audit", "as-adm", "as-dash", "as-csh", "as-fish", "as-noisy"];

pub fn part() -> Part {
    let on = |name| Entry::new(name, "login").on("gpu-4");
    Part::default()
        .entry(on("as-root").user("root"))
        .entry(on("as-sudo").sudo())
        .entry(on("as-audit").user("audit"))
        .entry(on("as-adm").user("logs"))
        .entry(on("as-dash").user("dash"))
        .entry(on("as-csh").user("csh"))
        .entry(on("as-csh-sudo").user("csh").sudo())
        .entry(on("as-fish").user("fish"))
        .entry(on("as-fish-sudo").user("fish").sudo())
        .entry(on("as-noisy").user("noisy"))
        .entry(on("as-audit-sudo").user("audit").sudo())
}

#[test]
fn every_account_and_shell_sees_the_same_story() {
    let Some(lab) = lab() else { return };
    for name in SAME.into_iter().chain(["as-csh-sudo", "as-fish-sudo"]) {
        let host = lab.report(name);
        host.expect("critical", &["half-upgraded", "unconfigured"]);
        host.expect_detail("half-upgraded", "by", "unattended-upgrades");
        host.expect_detail("half-upgraded", "from", OLD.version);
        host.expect_detail("half-upgraded", "to", NEW.version);
        host.expect_detail("half-upgraded", "packages", 15);
    }
}

#[test]
fn what_a_closed_log_folder_hides_is_said() {
    let Some(lab) = lab() else { return };
    let reasons = |name: &str| -> Vec<(String, String)> {
        let host = lab.report(name);
        let list = host.value["unread"].as_array().cloned().unwrap_or_default();
        list.iter()
            .map(|entry| {
                (entry["what"].as_str().unwrap_or("").to_owned(), entry["reason"].as_str().unwrap_or("").to_owned())
            })
            .collect()
    };
    let denied = ("updater-log".to_owned(), "permission-denied".to_owned());
    assert!(reasons("as-audit").contains(&denied), "{:?}", reasons("as-audit"));
    assert!(!reasons("as-sudo").contains(&denied), "{:?}", reasons("as-sudo"));
    assert!(!reasons("as-adm").contains(&denied), "{:?}", reasons("as-adm"));
}

#[test]
fn without_sudo_rights_the_reason_stands_beside_the_verdict() {
    let Some(lab) = lab() else { return };
    let host = lab.report("as-audit-sudo");
    // What an ordinary user can read still decides; that root was refused is kept.
    assert_eq!(host.verdict(), "critical", "{:#}", host.value);
    host.expect_detail("half-upgraded", "by", "unattended-upgrades");
    assert!(host.value.to_string().contains("sudo-"), "{:#}", host.value);
}
