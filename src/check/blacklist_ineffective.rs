//! # blacklist-ineffective
//!
//! ## What it checks
//! Beside `unconfigured` or `protection-gap`: a text in apt's configuration was evidently meant for the packages that
//! are open, and does not work.
//!
//! ## Why it matters
//! Somebody believes that the driver is protected. apt accepts almost any text without a word: a missing semicolon turns
//! an entry into a name, a file called `51nvidia.bak` is never read, a comment protects nothing.
//!
//! ## Evidence
//! The texts of apt's configuration files with their lines, against the effective configuration: commented out, a file
//! whose name apt ignores, another namespace than `Unattended-Upgrade::Package-Blacklist`, a missing `;`, a comma, the
//! wrong quotes, a value of the list itself, a later `#clear`, a shell glob, capital letters.
//!
//! ## Fix
//! Each text is named with its file and line, and with what to write there.
//!
//! ## What it does not see
//! A pattern for a package that is not installed is no fault and is not mentioned. Texts in files closed to the login
//! user.

use serde_json::json;

use crate::check::intention::{self, Failed, Fault};
use crate::check::{Check, EvidenceLine, Finding, Look, Run, Severity, exposure, phrase};
use crate::derive::Derived;
use crate::derive::protection::{self, Level};
use crate::probe::ProbeId;

/// The check.
pub const CHECK: Check = Check {
    id: "blacklist-ineffective",
    severity: Severity::Warning,
    summary: "a blacklist was meant for the open packages and does not work",
    source: include_str!("blacklist_ineffective.rs"),
    needs: &[ProbeId::AptConfig],
    symptoms: &[],
    run: Run::Host(run),
};

fn run(look: &Look<'_>, derived: &Derived) -> Vec<Finding> {
    if !exposure::applies(derived) || !matches!(derived.protection.level, Some(Level::None | Level::Partial)) {
        return Vec::new();
    }
    if protection::Ground::survey(look.evidence).bypassed() {
        return Vec::new();
    }
    look.hint(ProbeId::AptFiles, &look.evidence.apt_files);
    let open: Vec<&str> = derived.protection.uncovered().map(|package| package.name.as_str()).collect();
    let failed = intention::failed(look.evidence, &open);
    if failed.is_empty() {
        return Vec::new();
    }
    let mut meant: Vec<&str> = Vec::new();
    for name in failed.iter().flat_map(|failed| &failed.meant) {
        if !meant.contains(&name.as_str()) {
            meant.push(name);
        }
    }
    let sentences: Vec<String> = failed.iter().map(sentence).collect();
    let probe = |failed: &Failed| if failed.place.is_some() { ProbeId::AptFiles } else { ProbeId::AptConfig };
    let faults: Vec<_> = failed
        .iter()
        .map(|failed| {
            let (file, line) = match &failed.place {
                Some((file, line)) => (Some(file), Some(line)),
                None => (None, None),
            };
            json!({ "fault": failed.fault.word(), "file": file, "line": line, "text": failed.text, "packages": failed.meant })
        })
        .collect();
    vec![Finding {
        check: CHECK.id,
        severity: CHECK.severity,
        message: format!("a blacklist was meant for {} and does not work: {}", meant.join(", "), sentences.join("; ")),
        evidence: failed.iter().zip(&sentences).map(|(f, text)| EvidenceLine::new(probe(f), text.clone())).collect(),
        fix: failed.iter().map(correction).collect(),
        details: phrase::object(json!({ "faults": faults })),
    }]
}

fn place(failed: &Failed) -> String {
    match &failed.place {
        Some((file, line)) => format!("{file} line {line}"),
        None => "the effective configuration".to_owned(),
    }
}

fn sentence(failed: &Failed) -> String {
    let (at, text) = (place(failed), &failed.text);
    match failed.fault {
        Fault::CommentedOut => format!("`{text}` in {at} is commented out"),
        Fault::FileIgnored => format!("`{text}` in {at}: apt does not read a file of that name"),
        Fault::WrongNamespace => format!("`{text}` in {at} stands under `{}`, which nothing reads", failed.also),
        Fault::MissingSemicolon => format!("`{text}` in {at} is lost to a missing `;`"),
        Fault::Comma => format!("`{text}` in {at} is lost to a comma where a `;` belongs"),
        Fault::WrongQuotes => format!("`{text}` in {at} has quotes that apt takes for part of the pattern"),
        Fault::Scalar => format!("`{text}` in {at} is a value of the list itself, not an entry in it"),
        Fault::ClearedLater => format!("`{text}` in {at} is cleared by {}", failed.also),
        Fault::Glob => {
            format!("`{text}` in {at} is a shell glob, read as a regular expression that matches none of them")
        }
        Fault::Case => format!("`{text}` in {at} has capital letters, and package names have none"),
    }
}

fn correction(failed: &Failed) -> String {
    let at = place(failed);
    let clean: String = failed
        .text
        .chars()
        .filter(|c| !matches!(c, '\'' | '`' | ',' | '\u{2018}' | '\u{2019}' | '\u{201c}' | '\u{201d}'))
        .collect();
    let entry: Vec<String> = clean.split_whitespace().map(|word| format!("\"{word}\";")).collect();
    let entry = entry.join(" ");
    match failed.fault {
        Fault::CommentedOut => {
            format!("{at}: remove the comment marks before {entry}, and before the block around it\n")
        }
        Fault::FileIgnored => {
            let path = failed.place.as_ref().map(|(path, _)| path.as_str()).unwrap_or_default();
            format!(
                "Rename {path}: no extension or `.conf`, only letters, digits, `_`, `-`, `:`\n    e.g. {}\n",
                good_name(path)
            )
        }
        Fault::WrongNamespace => {
            format!("{at}: write Unattended-Upgrade::Package-Blacklist {{ {entry} }};\n")
        }
        Fault::MissingSemicolon | Fault::Comma | Fault::WrongQuotes => {
            format!("{at}: every entry in straight double quotes with a `;` of its own:\n    {entry}\n")
        }
        Fault::Scalar => format!("{at}: write Unattended-Upgrade::Package-Blacklist {{ {entry} }};\n"),
        Fault::ClearedLater => format!("{}: remove the #clear line, or move the list into a later file\n", failed.also),
        Fault::Glob => format!("{at}: write a regular expression: \"{}\";\n", clean.replace('*', ".*")),
        Fault::Case => format!("{at}: write it in lower case: {}\n", entry.to_lowercase()),
    }
}

/// The path without what makes apt ignore it.
fn good_name(path: &str) -> String {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let base = name.split('.').next().filter(|base| !base.is_empty()).unwrap_or("51nvidia");
    let good: String =
        base.chars().map(|c| if c.is_ascii_alphanumeric() || "_-:".contains(c) { c } else { '-' }).collect();
    format!("{folder}/{good}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derive::protection::sample::Host;

    const FILE: &str = "/etc/apt/apt.conf.d/51nvidia";

    /// The faults, their words and lines, on a host with three open packages.
    fn faults(host: &mut Host) -> Vec<(String, Option<u64>, String)> {
        let findings = host.check(run);
        let Some(finding) = findings.first() else { return Vec::new() };
        let text = |fault: &serde_json::Value, key: &str| fault[key].as_str().unwrap_or_default().to_owned();
        let faults = finding.details["faults"].as_array().unwrap();
        faults.iter().map(|f| (text(f, "fault"), f["line"].as_u64(), text(f, "text"))).collect()
    }

    fn host() -> Host {
        Host::ubuntu(&["libnvidia-compute-535", "nvidia-utils-535", "linux-modules-nvidia-535-generic"])
    }

    fn one(fault: &str, line: u64, text: &str) -> Vec<(String, Option<u64>, String)> {
        vec![(fault.to_owned(), Some(line), text.to_owned())]
    }

    #[test]
    fn a_commented_out_block() {
        let text = "//Unattended-Upgrade::Package-Blacklist {\n//  \"nvidia-\";\n//  \"libc6$\";\n//};\n";
        let mut host = host();
        assert_eq!(faults(host.file(FILE, text, true)), one("commented-out", 2, "nvidia-"));
        let findings = host.check(run);
        assert_eq!(
            findings[0].message,
            "a blacklist was meant for nvidia-utils-535 and does not work: `nvidia-` in /etc/apt/apt.conf.d/51nvidia line 2 \
             is commented out"
        );
    }

    #[test]
    fn the_distributions_own_examples_are_no_intention() {
        let stock = "Unattended-Upgrade::Package-Blacklist {\n    // The following matches all packages starting with linux-\n//  \"linux-\";\n//  \"libc6$\";\n//  \"(lib)?xen(store)?\";\n};\n";
        assert_eq!(faults(host().file(FILE, stock, true)), []);
    }

    #[test]
    fn a_pattern_for_a_package_that_is_not_installed_is_no_fault() {
        let text = "Unattended-Upgrade::Package-Blacklist { \"xserver-xorg-video-nvidia\"; \"cuda-drivers\"; };\n";
        let mut host = host();
        host.blacklist(&["xserver-xorg-video-nvidia", "cuda-drivers"]).file(FILE, text, true);
        assert_eq!(faults(&mut host), []);
    }

    #[test]
    fn an_ignored_file_name() {
        let text = "Unattended-Upgrade::Package-Blacklist {\n \"libnvidia-\";\n};\n";
        let mut host = host();
        assert_eq!(
            faults(host.file("/etc/apt/apt.conf.d/52no+nvidia.bak", text, false)),
            one("file-ignored", 2, "libnvidia-")
        );
        assert!(host.check(run)[0].fix.contains("    e.g. /etc/apt/apt.conf.d/52no-nvidia\n"));
    }

    #[test]
    fn the_plural_namespace() {
        let text = "Unattended-Upgrades::Package-Blacklist {\n \"libnvidia-\";\n};\n";
        let mut host = host();
        host.set("Unattended-Upgrades::Package-Blacklist::", "libnvidia-");
        assert_eq!(faults(&mut host), vec![("wrong-namespace".to_owned(), None, "libnvidia-".to_owned())]);
        assert_eq!(faults(host.file(FILE, text, true)), one("wrong-namespace", 2, "libnvidia-"));
    }

    #[test]
    fn a_missing_semicolon_and_a_comma() {
        let mut broken = host();
        broken.set("Unattended-Upgrade::Package-Blacklist::nvidia-", "libnvidia-");
        assert_eq!(faults(&mut broken), vec![("missing-semicolon".to_owned(), None, "nvidia-".to_owned())]);
        let text = "Unattended-Upgrade::Package-Blacklist {\n \"nvidia-\"\n \"libnvidia-\";\n};\n";
        assert_eq!(faults(broken.file(FILE, text, true)), one("missing-semicolon", 2, "nvidia-"));
        let mut comma = host();
        comma.set("Unattended-Upgrade::Package-Blacklist::nvidia-,", "libnvidia-");
        let text = "Unattended-Upgrade::Package-Blacklist { \"nvidia-\", \"libnvidia-\"; };\n";
        assert_eq!(faults(comma.file(FILE, text, true)), one("comma", 1, "nvidia-,"));
        let mut blank = host();
        blank.set("Unattended-Upgrade::Package-Blacklist::xserver", "libnvidia- nvidia-");
        assert_eq!(faults(&mut blank)[0].0, "missing-semicolon");
    }

    #[test]
    fn wrong_quotes() {
        let mut host = host();
        host.blacklist(&["'nvidia-'", "\u{201c}libnvidia-\u{201d}"]);
        let words: Vec<String> = faults(&mut host).into_iter().map(|(fault, ..)| fault).collect();
        assert_eq!(words, ["wrong-quotes", "wrong-quotes"]);
        assert!(host.check(run)[0].fix.contains("    \"libnvidia-\";\n"));
    }

    #[test]
    fn a_scalar_assignment() {
        let mut host = host();
        host.set("Unattended-Upgrade::Package-Blacklist", "libnvidia-");
        let text = "Unattended-Upgrade::Package-Blacklist \"libnvidia-\";\n";
        assert_eq!(faults(host.file(FILE, text, true)), one("scalar", 1, "libnvidia-"));
        let mut entry = Host::ubuntu(&["libnvidia-compute-535", "nvidia-utils-535"]);
        entry.blacklist(&["libnvidia-"]);
        entry.file(FILE, "Unattended-Upgrade::Package-Blacklist:: \"libnvidia-\";\n", true);
        assert_eq!(faults(&mut entry), []);
    }

    #[test]
    fn cleared_later() {
        let text = "Unattended-Upgrade::Package-Blacklist {\n \"libnvidia-\";\n};\n";
        let mut host = host();
        host.file(FILE, text, true).file(
            "/etc/apt/apt.conf.d/99-site",
            "\n#clear Unattended-Upgrade::Package-Blacklist;\n",
            true,
        );
        assert_eq!(faults(&mut host), one("cleared-later", 2, "libnvidia-"));
        assert!(host.check(run)[0].message.ends_with("is cleared by /etc/apt/apt.conf.d/99-site line 2"));
    }

    #[test]
    fn globs_that_match_nothing() {
        let mut host = host();
        host.blacklist(&["linux-*nvidia*", "libnvidia-*-535"]);
        let words: Vec<(String, String)> =
            faults(&mut host).into_iter().map(|(fault, _, text)| (fault, text)).collect();
        assert_eq!(
            words,
            [("glob".to_owned(), "linux-*nvidia*".to_owned()), ("glob".to_owned(), "libnvidia-*-535".to_owned()),]
        );
        assert!(host.check(run)[0].fix.contains("\"libnvidia-.*-535\";"));
    }

    #[test]
    fn silent_without_an_alarm_beside_it() {
        let mut host = host();
        host.file(FILE, "// \"nvidia-\";\n", true);
        assert_eq!(faults(host.set("APT::Periodic::Enable", "0")), []);
    }
}
