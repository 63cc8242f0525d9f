//! Holds the inventory against Ansible itself: the same generated files and patterns, the same hosts, groups and variables.
//!
//! Needs a Python that can `import ansible` (ansible-core); `GPUSWEEP_ANSIBLE_PYTHON` names one, else `python3` is tried. Without
//! one the test says so and does nothing.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use gpusweep::inventory::{self, Target};
use serde_json::{Value, json};

/// How many inventories are compared.
const CASES: u64 = 150;

/// Reads cases as JSON from stdin and prints what Ansible makes of each.
const ORACLE: &str = r"
import json, os, sys
os.environ['ANSIBLE_DEPRECATION_WARNINGS'] = '0'
from ansible.parsing.dataloader import DataLoader
from ansible.inventory.manager import InventoryManager
from ansible.vars.manager import VariableManager
from ansible.plugins.loader import init_plugin_loader
init_plugin_loader()
out = []
for case in json.load(sys.stdin):
    loader = DataLoader()
    inventory = InventoryManager(loader=loader, sources=case['sources'])
    variables = VariableManager(loader=loader, inventory=inventory)
    hosts = {}
    for host in inventory.get_hosts():
        found = variables.get_vars(host=host, include_hostvars=False, stage='all')
        hosts[host.name] = {
            'groups': sorted(g.name for g in host.get_groups() if g.name not in ('all', 'ungrouped')),
            'vars': {k: str(v) for k, v in found.items() if k.startswith('v') and k[1:].isdigit()},
            'user': str(found['ansible_user']) if 'ansible_user' in found else None,
            'port': str(found['ansible_port']) if 'ansible_port' in found else None,
        }
    chosen = {}
    for pattern in case['patterns']:
        try:
            chosen[pattern] = sorted(h.name for h in inventory.get_hosts(pattern))
        except Exception as error:
            chosen[pattern] = []
    out.append({'hosts': hosts, 'patterns': chosen})
print('ORACLE' + json.dumps(out))
";

/// A small generator of its own, so that every run compares the same files.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

const GROUPS: [&str; 8] = ["alpha", "beta", "gamma", "delta", "eps", "zeta", "web.east", "rack-7"];
const HOSTS: [&str; 14] = [
    "gpu[1:4]",
    "gpu[03:05]",
    "node1",
    "node2.lab",
    "10.0.0.[1:3]",
    "fd00::[1:2]",
    "r[a:c]-[0:4:2]",
    "db",
    "alone",
    "gpu7:2207",
    "x[:2]",
    "'012'",
    "[fd00::9]:2222",
    "größe",
];
const PATTERNS: [&str; 38] = [
    "all",
    "*",
    "alpha",
    "alpha:beta",
    "alpha,beta",
    "alpha:&beta",
    "alpha:!beta",
    "!gamma",
    "&delta",
    "gpu*",
    "gpu0[34]*",
    "~gpu[12]",
    "~.*lab$",
    "*.lab",
    "web.east",
    "web*",
    "alpha[0]",
    "alpha[-1]",
    "beta[0:1]",
    "gamma[1:]",
    "ungrouped",
    "node1",
    "node?",
    "fd00::1",
    "fd00::1,gpu1",
    "10.0.0.*",
    "10.0.0.1",
    "eps:zeta:&alpha",
    "all,!gpu*,!fd00::1",
    "rack-7",
    "~^(alpha|beta)$",
    "nothing",
    "db alone",
    "alpha:nothing",
    "[gn]*",
    "!fd00::2,alpha",
    "012",
    "größe",
];

fn value(dice: &mut Dice) -> String {
    format!("\"t{}\"", dice.roll(1000))
}

fn vars(dice: &mut Dice, out: &mut String, indent: usize, priority: bool) {
    let pad = " ".repeat(indent);
    for name in ["v1", "v2", "v3", "v4"] {
        if dice.roll(3) == 0 {
            writeln!(out, "{pad}{name}: {}", value(dice)).unwrap();
        }
    }
    if dice.roll(5) == 0 {
        writeln!(out, "{pad}ansible_user: u{}", dice.roll(9)).unwrap();
    }
    if dice.roll(6) == 0 {
        writeln!(out, "{pad}ansible_port: {}", 1000 + dice.roll(999)).unwrap();
    }
    if priority && dice.roll(4) == 0 {
        writeln!(out, "{pad}ansible_group_priority: {}", dice.roll(5)).unwrap();
    }
    writeln!(out, "{pad}v0: \"x\"").unwrap();
}

fn group(dice: &mut Dice, out: &mut String, name: &str, index: usize, indent: usize, depth: usize) {
    let pad = " ".repeat(indent);
    writeln!(out, "{pad}{name}:").unwrap();
    if dice.roll(2) == 0 {
        writeln!(out, "{pad}  vars:").unwrap();
        vars(dice, out, indent + 4, true);
    }
    if dice.roll(3) > 0 {
        writeln!(out, "{pad}  hosts:").unwrap();
        let start = dice.roll(HOSTS.len() as u64) as usize;
        for step in 0..=dice.roll(3) as usize {
            // Two neighbours never name the same host, so no mapping holds one twice.
            let host = HOSTS[(start + 3 * step) % HOSTS.len()];
            let host =
                if host.starts_with('[') || host.starts_with('g') { format!("\"{host}\"") } else { host.to_owned() };
            writeln!(out, "{pad}    {host}:").unwrap();
            if dice.roll(3) == 0 {
                vars(dice, out, indent + 6, false);
            }
        }
    }
    if depth < 4 && dice.roll(2) == 0 {
        let mut children = String::new();
        for (child, name) in GROUPS.iter().enumerate().skip(index + 1) {
            if dice.roll(3) == 0 {
                group(dice, &mut children, name, child, indent + 4, depth + 1);
            }
        }
        if !children.is_empty() {
            write!(out, "{pad}  children:\n{children}").unwrap();
        }
    }
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// One to three sources, files or folders, some with variables beside them.
fn case(dice: &mut Dice, root: &Path) -> Vec<PathBuf> {
    let mut sources = Vec::new();
    for number in 0..=dice.roll(3) {
        let folder = root.join(format!("s{number}"));
        let mut text = String::new();
        if dice.roll(2) == 0 {
            writeln!(text, "all:\n  vars:").unwrap();
            vars(dice, &mut text, 4, false);
            writeln!(text, "  hosts:\n    top{number}:").unwrap();
        }
        let mut any = false;
        for (index, name) in GROUPS.iter().enumerate() {
            if dice.roll(3) == 0 || (!any && index == 7) {
                group(dice, &mut text, name, index, 0, 0);
                any = true;
            }
        }
        write(&folder.join("hosts.yml"), &text);
        for place in [
            "group_vars/all.yml",
            "group_vars/all/a.yml",
            "group_vars/alpha",
            "group_vars/beta.yaml",
            "group_vars/beta.yml",
            "group_vars/gamma/1",
            "group_vars/gamma/2.yml",
            "group_vars/gamma/sub/3.yml",
            "group_vars/web.east.yml",
            "host_vars/node2.lab.yml",
            "host_vars/gpu1",
            "host_vars/node1.json.yml",
            "host_vars/gpu04/x.yaml",
        ] {
            if dice.roll(3) == 0 && !(place == "group_vars/all/a.yml" && folder.join("group_vars/all").is_file()) {
                let mut text = String::new();
                vars(dice, &mut text, 0, false);
                write(&folder.join(place), &text);
            }
        }
        sources.push(if dice.roll(3) == 0 { folder } else { folder.join("hosts.yml") });
    }
    sources
}

fn ask(python: &str, cases: &Value) -> Option<Value> {
    let mut child = Command::new(python)
        .args(["-c", ORACLE])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .env("LC_ALL", "C.UTF-8")
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    // A child that ends early says why on stderr; the broken pipe says nothing.
    let _ = child.stdin.take()?.write_all(cases.to_string().as_bytes());
    let output = child.wait_with_output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() || !text.contains("ORACLE") {
        eprintln!("{}", String::from_utf8_lossy(&output.stderr));
    }
    Some(serde_json::from_str(text.split_once("ORACLE")?.1).expect("the oracle prints JSON"))
}

fn ours(target: &Target) -> Value {
    let vars: BTreeMap<_, _> = target.vars.other.iter().cloned().collect();
    json!({"groups": target.groups, "vars": vars, "user": target.user, "port": target.port.map(|port| port.to_string())})
}

#[test]
fn generated_inventories_read_as_ansible_reads_them() {
    let python = std::env::var("GPUSWEEP_ANSIBLE_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let there = Command::new(&python).args(["-c", "import ansible.inventory.manager"]).stderr(Stdio::null()).status();
    if !there.is_ok_and(|status| status.success()) {
        eprintln!(
            "SKIPPED: no ansible-core for {python}; install it, or name a Python that has it in GPUSWEEP_ANSIBLE_PYTHON"
        );
        return;
    }
    let root = tempfile::tempdir().unwrap();
    let mut dice = Dice(7);
    let cases: Vec<Vec<PathBuf>> =
        (0..CASES).map(|number| case(&mut dice, &root.path().join(number.to_string()))).collect();
    let asked = cases.iter().map(|sources| json!({"sources": sources, "patterns": &PATTERNS[..]})).collect();
    let answer = ask(&python, &Value::Array(asked)).expect("ansible answers");
    let mut wrong = Vec::new();
    let mut compared = 0;
    for (number, (sources, theirs)) in cases.iter().zip(answer.as_array().unwrap()).enumerate() {
        let inventory = match inventory::load(sources) {
            Ok(inventory) => inventory,
            Err(told) => {
                wrong.push(format!("{number}: {}", told[0]));
                continue;
            }
        };
        let targets = inventory.select(&[], None).unwrap_or_default();
        let hosts: BTreeMap<&str, Value> = targets.iter().map(|target| (target.name.as_str(), ours(target))).collect();
        if json!(hosts) != theirs["hosts"] {
            wrong.push(format!("{number}: ours {} theirs {}", json!(hosts), theirs["hosts"]));
        }
        for pattern in PATTERNS {
            let mut chosen: Vec<String> = match inventory.select(&[pattern.to_owned()], None) {
                Ok(targets) => targets.into_iter().map(|target| target.name).collect(),
                // Ansible only warns about a term that matches nothing; here it is an error on purpose.
                Err(told) if pattern.contains([':', ',', ' ', '!']) && told[0].message.contains("matches no host") => {
                    continue;
                }
                Err(_) => Vec::new(),
            };
            compared += 1;
            chosen.sort();
            let other = &theirs["patterns"][pattern];
            // Below the second level Ansible walks groups in the order of a Python set, another one in each run: only how many
            // hosts a slice takes can be compared.
            let slice =
                pattern.strip_prefix(['a', 'b', 'g']).is_some_and(|rest| rest.ends_with(']') && !rest.contains('~'));
            let same =
                if slice { other.as_array().map(Vec::len) == Some(chosen.len()) } else { json!(chosen) == *other };
            if !same {
                wrong.push(format!(
                    "{number} `{pattern}`: ours {} theirs {}",
                    json!(chosen),
                    theirs["patterns"][pattern]
                ));
            }
        }
    }
    assert!(compared > 25 * CASES, "only {compared} patterns were compared");
    let shown: Vec<&String> = wrong.iter().take(12).collect();
    assert!(wrong.is_empty(), "{} differences of {CASES} inventories:\n{shown:#?}", wrong.len());
}
