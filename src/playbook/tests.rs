//! Playbooks as people write them, good and bad.

use jiff::civil::date;

use super::*;

fn catalogue() -> Catalogue {
    let own = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    Catalogue {
        probes: own(&["module", "library", "packages", "nvidia-smi"]),
        checks: vec![
            ("auto-reboot".into(), own(&["packages"])),
            ("half-upgraded".into(), own(&["module", "library"])),
            ("unconfigured".into(), own(&["packages"])),
        ],
    }
}

fn read(text: &str) -> Playbook {
    parse("p.yaml", text.as_bytes(), &catalogue()).unwrap_or_else(|told| panic!("{}", told[0]))
}

fn told(text: &str) -> Vec<String> {
    let told = parse("p.yaml", text.as_bytes(), &catalogue()).unwrap_err();
    told.iter()
        .map(|told| format!("{}:{} {} | {}", told.line, told.column, told.message, told.hint.as_deref().unwrap_or("-")))
        .collect()
}

#[test]
fn the_embedded_default_runs_everything() {
    let playbook = Playbook::driver_audit(&catalogue()).unwrap();
    assert_eq!(playbook.name, "driver-audit");
    assert_eq!((playbook.probes.len(), playbook.checks.len()), (4, 3));
    assert_eq!((playbook.baseline, playbook.expect_driver, playbook.waivers.len()), (BaselineBy::Sweep, None, 0));
}

#[test]
fn every_key() {
    let playbook = read(
        "name: ours\nprobes: {all_but: [nvidia-smi]}\nchecks: [unconfigured, half-upgraded]\nseverities: {auto-reboot: warning}\n\
         expect: {driver: 535.10}\nbaseline: {by: {groups: [a100, h100]}}\nwaivers:\n  \
         - {check: unconfigured, hosts: [\"gpu-7\", \"gpu[10:12]\", \"repair\", \"lab-*\"], reason: \"in repair\", until: 2026-12-31}\n  \
         - {check: unverified, hosts: gpu-9, reason: gone, until: \"2026-01-01\"}\n",
    );
    assert_eq!(playbook.probes, ["module", "library", "packages"]);
    assert_eq!(playbook.checks, ["half-upgraded", "unconfigured"]);
    assert_eq!(playbook.severities, BTreeMap::from([("auto-reboot".to_owned(), Severity::Warning)]));
    assert_eq!(playbook.expect_driver.as_deref(), Some("535.10"));
    assert_eq!(playbook.baseline, BaselineBy::Groups(vec!["a100".into(), "h100".into()]));
    assert_eq!((playbook.waivers[0].location.line, playbook.waivers[1].until), (8, date(2026, 1, 1)));
    let by = |by: &str| read(&format!("name: x\nbaseline: {{by: {by}}}\n")).baseline;
    assert_eq!(by("gpu-model"), BaselineBy::GpuModel);
    assert_eq!(by("{variable: rack}"), BaselineBy::Variable("rack".into()));
}

#[test]
fn waivers_cover_hosts_ranges_globs_and_groups_to_their_last_day() {
    let playbook = read(
        "name: x\nwaivers:\n  - {check: unconfigured, hosts: [\"gpu-7\", \"gpu[10:12]\", repair, \"lab-[ab]*\"], reason: r, until: 2026-12-31}\n",
    );
    let waiver = &playbook.waivers[0];
    let today = date(2026, 12, 31);
    let groups = ["repair".to_owned()];
    for host in ["gpu-7", "gpu10", "gpu12", "lab-b9"] {
        assert!(waiver.applies("unconfigured", host, &[], today), "{host}");
    }
    assert!(waiver.applies("unconfigured", "other", &groups, today));
    for host in ["gpu-70", "gpu13", "lab-c", "other"] {
        assert!(!waiver.covers("unconfigured", host, &["b".to_owned()]), "{host}");
    }
    assert!(!waiver.applies("half-upgraded", "gpu-7", &[], today));
    assert!(!waiver.expired(today));
    let tomorrow = date(2027, 1, 1);
    assert!(waiver.expired(tomorrow) && !waiver.applies("unconfigured", "gpu-7", &[], tomorrow));
    assert!(waiver.covers("unconfigured", "gpu-7", &[]));
    assert_eq!(playbook.waiver("unconfigured", "gpu-7", &[], today), Some(waiver));
    assert_eq!(playbook.waiver("unconfigured", "gpu-7", &[], tomorrow), None);
}

#[test]
fn every_fault_has_its_place_and_a_hint() {
    let cases = [
        ("name: x\nprobe: all\n", "2:1 unknown key `probe` in the playbook | did you mean `probes`?"),
        (
            "name: x\nrules: []\n",
            "2:1 unknown key `rules` in the playbook | known are `name`, `probes`, `checks`, `severities`, `expect`, `baseline`, `waivers`",
        ),
        ("probes: all\n", "1:1 the playbook has no `name` | reports show it: write `name: driver-audit`"),
        ("name: x\nname: y\n", "2:1 the key `name` stands here twice | it is first on line 1: keep one of them"),
        (
            "name: x\nprobes: [module, library, packages, nvidia-sm]\n",
            "2:37 `probes` names `nvidia-sm`, which there is not | did you mean `nvidia-smi`?",
        ),
        (
            "name: x\nchecks: [half-upgraded, half-upgraded]\n",
            "2:25 `checks` names `half-upgraded` twice | remove one of them",
        ),
        (
            "name: x\nchecks: most\n",
            "2:1 `checks` is neither `all` nor a list | write `all`, `[one, two]` or `{all_but: [one]}`",
        ),
        ("name: x\nchecks: {except: [a]}\n", "2:10 unknown key `except` in `checks` | known are `all_but`"),
        ("name: x\nchecks: []\n", "2:1 `checks` is an empty list | name at least one, or leave the key out"),
        (
            "name: x\nprobes:\n  all_but:\n    - packages\n",
            "4:7 the probe `packages` is left out, but the check `auto-reboot` and 1 more needs it | run the probe too, or leave the checks out: `checks: {all_but: [auto-reboot, unconfigured]}`",
        ),
        (
            "name: x\nprobes: [module, packages]\n",
            "2:1 the probe `library` is left out, but the check `half-upgraded` needs it | run the probe too, or leave the checks out: `checks: {all_but: [half-upgraded]}`",
        ),
        (
            "name: x\nseverities: {auto-reboots: info}\n",
            "2:14 there is no check `auto-reboots` | did you mean `auto-reboot`?",
        ),
        (
            "name: x\nseverities: {auto-reboot: off}\n",
            "2:27 the severity of `auto-reboot` is not one | write `critical`, `warning` or `info`; to switch the check off: `checks: {all_but: [auto-reboot]}`",
        ),
        (
            "name: x\nexpect: {driver: latest}\n",
            "2:18 `latest` is no driver version or branch | write a version (\"535.230.02\") or a branch (\"535\"), in quotes",
        ),
        ("name: x\nexpect: {drivers: 5}\n", "2:10 unknown key `drivers` in `expect` | did you mean `driver`?"),
        (
            "name: x\nbaseline: sweep\n",
            "2:1 `baseline` is a single value, not a mapping | write `{by: sweep}`, `{by: gpu-model}`, `{by: {groups: [a, b]}}` or `{by: {variable: rack}}`",
        ),
        ("name: x\nbaseline: {by: swep}\n", "2:16 `swep` is no way to compare hosts | did you mean `sweep`?"),
        (
            "name: x\nbaseline: {by: {groups: []}}\n",
            "2:17 `groups` is an empty list | name at least one, or leave the key out",
        ),
        (
            "name: x\nwaivers:\n  - {check: unconfigurd, hosts: [a], reason: r, until: 2026-01-01}\n",
            "3:13 there is no check `unconfigurd` | did you mean `unconfigured`?",
        ),
        (
            "name: x\nwaivers:\n  - {check: unconfigured, hosts: [a], reason: r, until: 2026-02-30}\n",
            "3:57 `2026-02-30` is no day | write the last day on which it counts: `until: 2026-12-31`",
        ),
        (
            "name: x\nwaivers:\n  - {check: unconfigured, hosts: [a], reason: r}\n",
            "3:6 a waiver without `until` | a waiver has `check`, `hosts`, `reason` and `until`",
        ),
        (
            "name: x\nwaivers:\n  - {check: unconfigured, hosts: [a], reason: \" \", until: 2026-01-01}\n",
            "3:47 `reason` is empty or tagged, a plain value is needed | write it behind the colon",
        ),
        (
            "name: x\nwaivers:\n  - {check: unconfigured, hosts: [a, \"g[3:1]\"], reason: r, until: 2026-01-01}\n",
            "3:38 `[3:1]` counts down | name hosts, ranges (`gpu[10:12]`), globs (`gpu-*`) or groups, each an item of its own",
        ),
        (
            "name: x\nwaivers: {check: a}\n",
            "2:1 `waivers` is a mapping, not a list | write a list: `- {check: id, hosts: [name], reason: \"why\", until: 2026-12-31}`",
        ),
        (
            "",
            "1:1 the playbook is nothing, not a mapping | it has the keys `name`, `probes`, `checks`, `severities`, `expect`, `baseline`, `waivers`",
        ),
        (
            "- x\n",
            "1:3 the playbook is a list, not a mapping | it has the keys `name`, `probes`, `checks`, `severities`, `expect`, `baseline`, `waivers`",
        ),
    ];
    for (text, want) in cases {
        assert_eq!(told(text), [want], "{text}");
    }
}

#[test]
fn several_faults_are_told_at_once() {
    assert_eq!(told("name: x\nprob: 1\nexpect: {driver: a}\nseverities: {b: info}\n").len(), 3);
}

#[test]
fn a_file_of_waivers_alone() {
    let line = "{check: auto-reboot, hosts: all, reason: r, until: 2026-01-01}";
    for text in [format!("- {line}\n"), format!("waivers:\n  - {line}\n")] {
        let waivers = parse_waivers("w.yaml", text.as_bytes(), &catalogue()).unwrap();
        assert!(waivers[0].applies("auto-reboot", "any", &[], date(2025, 1, 1)));
    }
    assert!(parse_waivers("w.yaml", b"name: x\n", &catalogue()).is_err());
    assert_eq!(parse_waivers("w.yaml", b"", &catalogue()), Ok(vec![]));
}

#[test]
fn the_readme_s_playbook_is_one() {
    let text = include_str!("../../playbooks/README.md");
    let block = text.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let playbook = read(block);
    assert_eq!((playbook.expect_driver.as_deref(), playbook.waivers.len()), (Some("535"), 1));
}
