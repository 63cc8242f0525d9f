//! Inventories as people write them, good and bad.

use std::fs;
use std::path::PathBuf;

use super::*;

/// Files in a folder of their own, loaded from the first.
struct Files {
    folder: tempfile::TempDir,
    first: PathBuf,
}

fn files(files: &[(&str, &str)]) -> Files {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let first = folder.path().join(files[0].0);
    Files { folder, first }
}

impl Files {
    fn load(&self) -> Inventory {
        load(std::slice::from_ref(&self.first)).unwrap_or_else(|told| panic!("{}", told[0]))
    }

    fn told(&self) -> Vec<String> {
        load(std::slice::from_ref(&self.first)).unwrap_err().iter().map(|told| self.short(told)).collect()
    }

    /// `file:line:column message | hint`, the folder left out.
    fn short(&self, told: &Diagnostic) -> String {
        let folder = format!("{}/", self.folder.path().display());
        let place = format!("{}:{}:{}", told.file, told.line, told.column);
        format!("{place} {} | {}", told.message, told.hint.as_deref().unwrap_or("-")).replace(&folder, "")
    }
}

fn one(text: &str) -> Files {
    files(&[("fleet.yaml", text)])
}

fn names(inventory: &Inventory, patterns: &[&str], limit: Option<&str>) -> Vec<String> {
    let patterns: Vec<String> = patterns.iter().map(|text| (*text).to_owned()).collect();
    let targets = inventory.select(&patterns, limit).unwrap_or_else(|told| panic!("{}", told[0]));
    targets.into_iter().map(|target| target.name).collect()
}

fn target(inventory: &Inventory, name: &str) -> Target {
    inventory.select(&[name.to_owned()], None).unwrap_or_else(|told| panic!("{}", told[0])).remove(0)
}

fn trouble(files: &Files, pattern: &str) -> Vec<String> {
    let told = files.load().select(&[pattern.to_owned()], None).unwrap_err();
    told.iter().map(|told| files.short(told)).collect()
}

const FLEET: &str = "\
all:
  vars:
    ansible_user: ops
    site: north
  children:
    gpu:
      children:
        a100:
          hosts:
            gpu[01:03]:
            gpu04: {ansible_port: '2222'}
          vars:
            gpusweep_expect_driver: \"535.230.02\"
            ansible_ssh_common_args: -J jump@bastion -o ConnectTimeout=3
        h100:
          hosts:
            h[1:2]-node.lab:
            fd00::9:
      vars:
        ansible_user: root
        ansible_become: no
    web:
      hosts:
        web1:
          ansible_host: 10.0.0.7
          ansible_connection: local
          rack: \"{{ site }}-7\"
    empty:
  hosts:
    alone:
";

#[test]
fn groups_ranges_and_settings() {
    let inventory = one(FLEET).load();
    assert_eq!(
        names(&inventory, &[], None),
        ["alone", "web1", "gpu01", "gpu02", "gpu03", "gpu04", "h1-node.lab", "h2-node.lab", "fd00::9"]
    );
    let gpu = target(&inventory, "gpu04");
    assert_eq!(
        (gpu.user.as_deref(), gpu.port, gpu.jump.as_deref(), gpu.become_user.as_deref()),
        (Some("root"), Some(2222), Some("jump@bastion"), None)
    );
    assert_eq!(gpu.ssh_options, [("ConnectTimeout".to_owned(), "3".to_owned())]);
    assert_eq!(gpu.groups, ["a100", "gpu"]);
    assert_eq!(gpu.vars.expect_driver.as_deref(), Some("535.230.02"));
    assert_eq!((gpu.location.line, gpu.location.column), (11, 13));
    let web = target(&inventory, "web1");
    assert_eq!(
        (web.address.as_str(), web.connection, web.user.as_deref()),
        ("10.0.0.7", Connection::Local, Some("ops"))
    );
    assert_eq!(web.vars.other, [("rack".to_owned(), "north-7".to_owned()), ("site".to_owned(), "north".to_owned())]);
    assert_eq!(
        inventory.groups().iter().map(|(name, hosts)| (*name, hosts.len())).collect::<Vec<_>>(),
        [("a100", 4), ("all", 9), ("empty", 0), ("gpu", 7), ("h100", 3), ("ungrouped", 1), ("web", 1)]
    );
}

#[test]
fn patterns_select_as_ansible_does() {
    let inventory = one(FLEET).load();
    let cases: [(&[&str], Option<&str>, &[&str]); 16] = [
        (&["a100"], None, &["gpu01", "gpu02", "gpu03", "gpu04"]),
        (&["web,gpu02"], None, &["web1", "gpu02"]),
        (&["web:gpu02"], None, &["web1", "gpu02"]),
        (&["web", "gpu02"], None, &["web1", "gpu02"]),
        (&["gpu:!a100"], None, &["h1-node.lab", "h2-node.lab", "fd00::9"]),
        (&["gpu:&a100:!gpu03"], None, &["gpu01", "gpu02", "gpu04"]),
        (&["!gpu"], None, &["alone", "web1"]),
        (&["gpu0[12]*"], None, &["gpu01", "gpu02"]),
        (&["*-node.lab"], None, &["h1-node.lab", "h2-node.lab"]),
        (&["~gpu0(1|4)"], None, &["gpu01", "gpu04"]),
        (&["a100[0]"], None, &["gpu01"]),
        (&["a100[-1]"], None, &["gpu04"]),
        (&["a100[1:2]"], None, &["gpu02", "gpu03"]),
        (&["a100[2:]"], None, &["gpu03", "gpu04"]),
        (&["fd00::9"], None, &["fd00::9"]),
        (&["gpu"], Some("gpu04,h1-*,web"), &["gpu04", "h1-node.lab"]),
    ];
    for (patterns, limit, want) in cases {
        assert_eq!(names(&inventory, patterns, limit), want, "{patterns:?} {limit:?}");
    }
}

#[test]
fn a_pattern_without_a_match_is_an_error() {
    let files = one(FLEET);
    let inventory = files.load();
    let told = |pattern: &str, limit: Option<&str>| {
        let told = inventory.select(&[pattern.to_owned()], limit).unwrap_err().remove(0);
        format!("{}:{} {} | {}", told.file, told.column, told.message, told.hint.unwrap_or_default())
    };
    assert_eq!(
        told("gpu05", None),
        "pattern:1 the pattern `gpu05` matches no host and no group | did you mean `gpu01`?"
    );
    assert_eq!(
        told("gpu0[12]", None),
        "pattern:1 the pattern `gpu0[12]` matches no host and no group | `[12]` at the end takes one host of a group; for one of several characters write `gpu0[12]*` or `~gpu0[12]`"
    );
    assert_eq!(
        told("all:!wbe", None),
        "pattern:5 the pattern `wbe` matches no host and no group | did you mean `web`?"
    );
    assert_eq!(
        told("web", Some("a100")),
        "--limit:1 the limit `a100` leaves no host of `web` | `gpusweep hosts` lists what the inventory has"
    );
    assert_eq!(told("empty", None), "pattern:1 `empty` leaves no host | `gpusweep hosts` lists what the inventory has");
    assert_eq!(
        told("a100[9]", None),
        "pattern:1 `a100[9]` reaches past the 4 hosts of `a100` | the first host has number 0, the last -1"
    );
    assert_eq!(
        told("localhost", None),
        "pattern:1 the pattern `localhost` matches no host and no group | for this machine itself use `gpusweep audit --local`"
    );
    assert!(told(" ", None).starts_with("pattern:1 the pattern is empty"));
    assert!(told("all:!", None).starts_with("pattern:5 nothing behind `!`"));
    assert!(told("~gpu(", None).starts_with("pattern:1 `~gpu(` is no regular expression"));
    assert_eq!(told("all", Some("")), "--limit:1 the pattern is empty | leave it out, or write `all`, for all hosts");
}

#[test]
fn patterns_from_a_file() {
    let files = files(&[
        ("fleet.yaml", FLEET),
        ("retry", "# again\ngpu01\r\n\nweb\n"),
        ("bad", "gpu01\n\nnope77\n"),
        ("none", "#\n"),
    ]);
    let inventory = files.load();
    let at = |name: &str| format!("@{}", files.folder.path().join(name).display());
    assert_eq!(names(&inventory, &[], Some(&at("retry"))), ["web1", "gpu01"]);
    let told = inventory.select(&[at("bad")], None).unwrap_err();
    assert_eq!(
        files.short(&told[0]),
        "bad:3:1 the pattern `nope77` matches no host and no group | `gpusweep hosts` lists what the inventory has"
    );
    assert!(inventory.select(&[at("none")], None).is_err());
    assert!(inventory.select(&[at("gone")], None).is_err());
}

#[test]
fn precedence_is_ansibles() {
    let files = files(&[
        (
            "fleet.yaml",
            "all:\n  vars: {a: all, b: all, c: all, d: all}\n  children:\n    parent:\n      vars: {b: parent, c: parent, p: parent}\n      children:\n        \
             kid1:\n          hosts: {gpu-1: {d: host, e: host}}\n          vars: {c: kid1, q: kid1, r: kid1}\n        \
             kid2:\n          hosts: {gpu-1: }\n          vars: {q: kid2, r: kid2, ansible_group_priority: 0}\n",
        ),
        ("group_vars/all.yml", "b: file-all\ns: file-all\n"),
        ("group_vars/parent", "s: file-parent\n"),
        ("group_vars/kid1/10.yml", "t: first\nu: first\n"),
        ("group_vars/kid1/20.yaml", "u: second\n"),
        ("group_vars/kid1/.hidden.yml", "u: hidden\n"),
        ("group_vars/kid1/old.yml~", "u: old\n"),
        ("group_vars/kid2.yml", "t: kid2\n"),
        ("host_vars/gpu-1.yaml", "e: file\n"),
    ]);
    let want = [
        ("a", "all"),
        ("b", "file-all"),
        ("c", "kid1"),
        ("d", "host"),
        ("e", "file"),
        ("p", "parent"),
        ("q", "kid1"),
        ("r", "kid1"),
        ("s", "file-parent"),
        ("t", "first"),
        ("u", "second"),
    ];
    let own = target(&files.load(), "gpu-1").vars.other;
    assert_eq!(own, want.map(|(name, value)| (name.to_owned(), value.to_owned())));
}

#[test]
fn folders_and_several_sources() {
    let files = files(&[
        ("inv/10-a.yml", "gpu: {hosts: {gpu-1: {x: 1, y: 1}}}\n"),
        ("inv/20-b.yaml", "gpu: {hosts: {gpu-1: {y: 2}, gpu-2: }}\n"),
        ("inv/30-c.json", "{\"web\": {\"hosts\": {\"web-1\": {}}}}\n"),
        ("inv/old.yml.bak", "gone: {hosts: {gone-1: }}\n"),
        ("inv/old.yml~", "not yaml: ["),
        ("inv/.hidden", "not yaml: ["),
        ("inv/group_vars/gpu.yml", "z: folder\n"),
        ("more.yml", "gpu: {hosts: {gpu-1: {x: more}}}\n"),
        ("group_vars/gpu.yml", "z: beside\n"),
    ]);
    let root = files.folder.path();
    let inventory =
        load(&[root.join("inv"), root.join("more.yml"), PathBuf::from("extra-1,extra-[2:3]:2200")]).unwrap();
    assert_eq!(names(&inventory, &[], None), ["extra-1", "extra-2", "extra-3", "gpu-1", "gpu-2", "web-1"]);
    let text = |name: &str| {
        target(&inventory, name)
            .vars
            .other
            .into_iter()
            .map(|(key, value)| format!("{key}={value}"))
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(text("gpu-1"), "x=more y=2 z=beside");
    assert_eq!(target(&inventory, "extra-3").port, Some(2200));
    assert_eq!(inventory.ignored_files().len(), 2);
}

#[test]
fn every_fault_has_its_place_and_a_hint() {
    let cases = [
        (
            "all:\n  hosts:\n    gpu-1:\n    gpu-1:\n",
            "fleet.yaml:4:5 the key `gpu-1` stands here twice | it is first on line 3: keep one of them",
        ),
        (
            "all:\n  hosts:\n    gpu[1:3]:\n    gpu2:\n",
            "fleet.yaml:4:5 the host `gpu2` stands here twice | it is first on line 3: keep one, or give its own variables in `host_vars/gpu2.yml`",
        ),
        (
            "all:\n  hosts:\n    gpu-1:\n      gpusweep_expect_drivr: 5\n",
            "fleet.yaml:4:7 unknown variable `gpusweep_expect_drivr` | did you mean `gpusweep_expect_driver`?",
        ),
        (
            "all:\n  vars: {gpusweep_x: 1}\n",
            "fleet.yaml:2:10 unknown variable `gpusweep_x` | known are `gpusweep_baseline_group`, `gpusweep_expect_driver`, `gpusweep_kube_node`, `gpusweep_skip`",
        ),
        (
            "all:\n  hosts:\n    gpu[5:1]:\n",
            "fleet.yaml:3:8 `[5:1]` counts down | a range is `[first:last]` or `[first:last:step]`, as in `gpu[01:50]` or `rack[a:f]`",
        ),
        (
            "all:\n  hosts:\n    \"ä[5:1]\":\n",
            "fleet.yaml:3:7 `[5:1]` counts down | a range is `[first:last]` or `[first:last:step]`, as in `gpu[01:50]` or `rack[a:f]`",
        ),
        (
            "all:\n  hosts:\n    g[0:999999999]:\n",
            "fleet.yaml:3:6 `g[0:999999999]` stands for 1000000000 hosts, more than the 1000000 that one inventory may still name | check the range; a fleet this size belongs into several inventories",
        ),
        (
            "all:\n  hosts:\n    - gpu-1\n",
            "fleet.yaml:3:7 `hosts` is a list, not a mapping | write each name with a colon behind it and no dash: `gpu-1:`",
        ),
        (
            "all:\n  hosts:\n    010:\n",
            "fleet.yaml:3:5 YAML reads the host name `010` as a number | put it in quotes: \"010\":",
        ),
        (
            "all:\n  children:\n    yes:\n",
            "fleet.yaml:3:5 YAML reads the group name `yes` as a truth value | put it in quotes: \"yes\":",
        ),
        ("all:\n  host:\n    gpu-1:\n", "fleet.yaml:2:3 `host` is no part of the group `all` | did you mean `hosts`?"),
        (
            "all:\n  hosts:\n    gpu-1: big\n",
            "fleet.yaml:3:12 the host `gpu-1` is followed by a single value, not by variables | write nothing behind the colon, or `name: value` lines below it",
        ),
        (
            "a:\n  children:\n    b:\n      children:\n        a:\n",
            "fleet.yaml:5:9 the group `a` is a child of `b`, which is inside `a` | groups may not contain each other: remove one of the two `children` entries",
        ),
        (
            "a:\n  children:\n    a:\n",
            "fleet.yaml:3:5 the group `a` is a child of itself | groups may not contain each other: remove one of the two `children` entries",
        ),
        ("", "fleet.yaml:0:0 the inventory is empty | begin with `all:` and, below it, `hosts:`"),
        (
            "- gpu-1\n",
            "fleet.yaml:1:3 an inventory is a mapping of groups, this is a list | begin with `all:` and, below it, `hosts:`",
        ),
        (
            "gpu-1\ngpu-2\n",
            "fleet.yaml:0:0 this looks like an INI inventory; gpusweep reads the YAML dialect | convert it with `ansible-inventory -i fleet.yaml --list --yaml > fleet.yaml`",
        ),
        (
            "# ours\n[gpu]\ngpu-1 ansible_host=10.0.0.1\n",
            "fleet.yaml:0:0 this looks like an INI inventory; gpusweep reads the YAML dialect | convert it with `ansible-inventory -i fleet.yaml --list --yaml > fleet.yaml`",
        ),
        (
            "plugin: amazon.aws.aws_ec2\n",
            "fleet.yaml:1:1 this configures an Ansible inventory plugin, it names no hosts | run `ansible-inventory -i fleet.yaml --list --yaml` and give gpusweep what it prints",
        ),
        (
            "$ANSIBLE_VAULT;1.1;AES256\n6162\n",
            "fleet.yaml:0:0 the inventory is encrypted with ansible-vault | gpusweep decrypts nothing: keep hosts in plain and only secrets in the vault",
        ),
        (
            "#!/usr/bin/python3\n",
            "fleet.yaml:0:0 the inventory is a program, and gpusweep does not run it | run `ansible-inventory -i fleet.yaml --list --yaml > fleet.yaml` and use that, or `chmod -x` a plain file",
        ),
        (
            "all:\n  hosts:\n    -oProxyCommand=x:\n",
            "fleet.yaml:3:5 a host name does not begin with `-`: `-oProxyCommand=x` | use the name ssh knows, or an alias with `ansible_host`",
        ),
    ];
    for (text, want) in cases {
        assert_eq!(one(text).told(), [want], "{text}");
    }
}

#[test]
fn all_faults_are_told_at_once() {
    let told = one("all:\n  hosts:\n    g[2:1]:\n    h[2:1]:\n  varz: {}\n").told();
    assert_eq!(told.len(), 3);
}

#[test]
fn values_that_are_needed_must_be_usable() {
    let cases = [
        (
            "ansible_host: !vault |\n        $ANSIBLE_VAULT;1.1;AES256\n        61\n",
            "fleet.yaml:4:21 host `gpu-1`: `ansible_host` is encrypted with ansible-vault and its value is needed | gpusweep decrypts nothing: write this value in plain, secrets are not needed",
        ),
        (
            "ansible_host: \"{{ ip | default('x') }}\"\n",
            "fleet.yaml:4:21 host `gpu-1`: `ansible_host` is a Jinja expression and its value is needed: `ip | default('x')` | only `{{ variable }}` is understood: write the value itself",
        ),
        (
            "ansible_host: \"{{ ip }}\"\n",
            "fleet.yaml:4:21 host `gpu-1`: `ansible_host` needs the variable `ip`, which is not defined for this host | define `ip` in the inventory, in group_vars or in host_vars",
        ),
        (
            "ansible_host: \"{{ ansible_host }}\"\n",
            "fleet.yaml:4:21 host `gpu-1`: `ansible_host` names itself through `ansible_host` | break the circle",
        ),
        (
            "ansible_port: 70000\n",
            "fleet.yaml:4:21 host `gpu-1`: `ansible_port` is no port: `70000` | a port is a number from 1 to 65535",
        ),
        (
            "ansible_host: [a, b]\n",
            "fleet.yaml:4:22 host `gpu-1`: `ansible_host` is a list, one plain value is needed | -",
        ),
        (
            "ansible_connection: winrm\n",
            "fleet.yaml:4:27 host `gpu-1`: `ansible_connection` is `winrm`: gpusweep reaches hosts by `ssh` or `local` | leave such hosts out with a pattern, or set `gpusweep_skip` to the reason",
        ),
        (
            "ansible_become: maybe\n",
            "fleet.yaml:4:23 host `gpu-1`: `ansible_become` is neither yes nor no: `maybe` | write `true` or `false`",
        ),
        (
            "ansible_ssh_common_args: -L 1:x:1\n",
            "fleet.yaml:4:32 host `gpu-1`: `ansible_ssh_common_args`: the ssh argument `-L` is not supported | understood are -J, -F, -p, -l, -i and -o Key=Value with what gpusweep honours; or put the setting into ssh_config",
        ),
        (
            "gpusweep_expect_driver: newest\n",
            "fleet.yaml:4:31 host `gpu-1`: `newest` is no driver version or branch | write a version (\"535.230.02\") or a branch (\"535\"), in quotes",
        ),
    ];
    for (line, want) in cases {
        let files = one(&format!("all:\n  hosts:\n    gpu-1:\n      {line}    gpu-2:\n"));
        assert_eq!(trouble(&files, "all"), [want], "{line}");
        assert_eq!(names(&files.load(), &["gpu-2"], None), ["gpu-2"], "what is not selected does not matter");
    }
}

#[test]
fn a_fault_of_many_hosts_is_told_once() {
    let files = one("all:\n  hosts:\n    gpu[1:500]:\n  vars:\n    ansible_port: x\n");
    assert_eq!(
        trouble(&files, "all"),
        [
            "fleet.yaml:5:19 host `gpu1` and 499 other hosts: `ansible_port` is no port: `x` | a port is a number from 1 to 65535"
        ]
    );
}

#[test]
fn vault_and_jinja_that_nobody_needs_are_no_fault() {
    let files = files(&[
        (
            "fleet.yaml",
            "all:\n  hosts:\n    gpu-1:\n      ansible_password: !vault |\n        $ANSIBLE_VAULT;1.1;AES256\n        61\n      note: \"{{ lookup('env', 'HOME') }}\"\n      ansible_user: !unsafe \"{{x}}\"\n",
        ),
        ("group_vars/all/vault.yml", "$ANSIBLE_VAULT;1.1;AES256\n6162\n"),
    ]);
    let inventory = files.load();
    let gpu = target(&inventory, "gpu-1");
    assert_eq!((gpu.user.as_deref(), gpu.vars.other.len()), (Some("{{x}}"), 0));
    assert_eq!(inventory.encrypted_files().len(), 1);
}

#[test]
fn odd_but_good_files() {
    let cases = [
        ("\u{feff}all:\r\n  hosts:\r\n    gpu-1:\r\n", "gpu-1"),
        ("all: {hosts: gpu-1}\n", "gpu-1"),
        ("all:\n  hosts:\n    10.0.0.1:\n", "10.0.0.1"),
        ("all:\n  hosts:\n    \"010\":\n", "010"),
        ("all:\n  hosts:\n    größe-1:\n", "größe-1"),
        ("all:\n  hosts:\n    1e10:\n", "1e10"),
        ("gpu:\n  hosts:\n    gpu-1:\nall:\n  hosts:\n  vars:\n  children:\n", "gpu-1"),
        ("x: &x {ansible_user: u}\n", ""),
        (
            "all:\n  children: {gone: }\n  hosts: {gpu-1: &a {ansible_user: u}, gpu-2: {<<: *a, ansible_port: 22}}\n",
            "gpu-1 gpu-2",
        ),
    ];
    for (text, want) in cases {
        let files = one(text);
        if want.is_empty() {
            assert_eq!(files.told().len(), 1, "{text}");
        } else {
            assert_eq!(names(&files.load(), &[], None).join(" "), want, "{text}");
        }
    }
}

#[test]
fn legacy_names_keys_become_and_skip() {
    let text = "all:\n  hosts:\n    a: {ansible_ssh_host: 10.0.0.1, ansible_ssh_port: 23, ansible_ssh_user: old, ansible_ssh_private_key_file: ~/k}\n    \
                b: {ansible_become: 'Yes', ansible_become_user: svc, ansible_ssh_extra_args: '-p 24 -i k2 -F x.conf'}\n    \
                c: {ansible_become: true, ansible_host: '[fd00::2]'}\n    \
                d: {gpusweep_skip: in repair, ansible_connection: winrm}\n    \
                e: {gpusweep_skip: yes, gpusweep_kube_node: n1, gpusweep_baseline_group: b1}\n    \
                f: {gpusweep_skip: no, gpusweep_expect_driver: 535.10}\n";
    let inventory = one(text).load();
    let a = target(&inventory, "a");
    assert_eq!(
        (a.address.as_str(), a.port, a.user.as_deref(), a.keys),
        ("10.0.0.1", Some(23), Some("old"), vec![PathBuf::from("~/k")])
    );
    let b = target(&inventory, "b");
    assert_eq!(
        (b.become_user.as_deref(), b.port, b.keys, b.ssh_config),
        (Some("svc"), Some(24), vec![PathBuf::from("k2")], Some(PathBuf::from("x.conf")))
    );
    let c = target(&inventory, "c");
    assert_eq!((c.become_user.as_deref(), c.address.as_str()), (Some("root"), "fd00::2"));
    assert_eq!(target(&inventory, "d").vars.skip.as_deref(), Some("in repair"));
    let e = target(&inventory, "e").vars;
    assert_eq!(
        (e.skip.as_deref(), e.kube_node.as_deref(), e.baseline_group.as_deref()),
        (Some("`gpusweep_skip` is set"), Some("n1"), Some("b1"))
    );
    let f = target(&inventory, "f").vars;
    assert_eq!((f.skip, f.expect_driver.as_deref()), (None, Some("535.10")));
}

#[test]
fn a_large_range_is_fine() {
    let inventory = one("all:\n  hosts:\n    gpu[1:100000]: {ansible_user: root}\n").load();
    assert_eq!((inventory.len(), names(&inventory, &["gpu99999"], None)), (100_000, vec!["gpu99999".to_owned()]));
}

#[cfg(unix)]
#[test]
fn programs_are_not_run() {
    use std::os::unix::fs::PermissionsExt;
    let files = files(&[("hosts", "all: {hosts: {a: }}\n"), ("fleet.yml", "all: {hosts: {a: }}\n")]);
    for name in ["hosts", "fleet.yml"] {
        fs::set_permissions(files.folder.path().join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    assert_eq!(
        files.told(),
        [
            "hosts:0:0 the inventory is a program, and gpusweep does not run it | run `ansible-inventory -i hosts --list --yaml > fleet.yaml` and use that, or `chmod -x` a plain file"
        ]
    );
    assert!(load(&[files.folder.path().join("fleet.yml")]).is_ok());
}

proptest::proptest! {
    #[test]
    fn no_inventory_and_no_pattern_panics(
        text in "(all|gpu|hosts|children|vars|[a-c]|\\[1:3\\]|: |:\\n|\\n  |\\n    |\\n|\\{|\\}|, |- |\\*a|&a|<<|!vault|\"|010|ansible_host|\\{\\{ a \\}\\}){0,24}",
        pattern in "[a-c&!~*?,:@0-9\\[\\] -]{0,16}",
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f.yaml");
        fs::write(&path, text).unwrap();
        if let Ok(inventory) = load(&[path]) {
            let _ = inventory.select(&[], None);
            let _ = inventory.select(std::slice::from_ref(&pattern), Some(&pattern));
        }
        let _ = ad_hoc(&pattern);
    }
}
