//! The whole lab: every scenario's hosts, built, started and swept once; tests then look at one host each.

use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{LazyLock, Mutex};

use serde_json::Value;

use crate::ground::machine::{cache, missing};
use crate::ground::shell::{say, sh};
use crate::host::machine::Machine;
use crate::host::net::Net;
use crate::host::run::Running;
use crate::scenario;
use crate::sweep::{HostReport, Outcome};

/// What known_hosts says of a target's key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// The right key.
    Right,
    /// Nothing.
    Missing,
    /// Another key.
    Wrong,
}

/// One line of the lab's inventory.
#[derive(Clone)]
pub struct Entry {
    /// The inventory name.
    pub name: &'static str,
    /// The machine it is, by host name, or an address where no lab host is.
    pub place: &'static str,
    /// Another port than 22.
    pub port: u16,
    /// The login user.
    pub user: &'static str,
    /// Whether the script runs through sudo.
    pub become_root: bool,
    /// What known_hosts holds.
    pub known: Known,
    /// Its inventory group.
    pub group: &'static str,
}

impl Entry {
    /// The machine of this name, as user `ops` without sudo.
    pub const fn new(name: &'static str, group: &'static str) -> Self {
        Self { name, place: name, port: 22, user: "ops", become_root: false, known: Known::Right, group }
    }

    /// On another machine than its name says.
    pub const fn on(self, place: &'static str) -> Self {
        Self { place, ..self }
    }

    /// On another port.
    pub const fn port(self, port: u16) -> Self {
        Self { port, ..self }
    }

    /// With another login user.
    pub const fn user(self, user: &'static str) -> Self {
        Self { user, ..self }
    }

    /// Through sudo.
    pub const fn sudo(self) -> Self {
        Self { become_root: true, ..self }
    }

    /// With known_hosts in another state.
    pub const fn known(self, known: Known) -> Self {
        Self { known, ..self }
    }
}

/// What one scenario brings to the lab.
#[derive(Default)]
pub struct Part {
    /// Hosts to start.
    pub machines: Vec<Machine>,
    /// Inventory lines.
    pub entries: Vec<Entry>,
}

impl Part {
    /// A machine with the inventory line of the same name.
    pub fn host(mut self, machine: Machine, group: &'static str) -> Self {
        self.entries.push(Entry::new(machine.name, group));
        self.machines.push(machine);
        self
    }

    /// A machine alone.
    pub fn machine(mut self, machine: Machine) -> Self {
        self.machines.push(machine);
        self
    }

    /// An inventory line alone.
    pub fn entry(mut self, entry: Entry) -> Self {
        self.entries.push(entry);
        self
    }
}

/// The running lab.
pub struct Lab {
    net: Net,
    folder: PathBuf,
    running: BTreeMap<&'static str, Running>,
    entries: Vec<Entry>,
    failed: Vec<&'static str>,
    sweep: LazyLock<Outcome, Box<dyn FnOnce() -> Outcome + Send>>,
    _janitor: Child,
}

/// The lab, built at first use; `None` where it cannot be built (already said aloud).
pub fn lab() -> Option<&'static Lab> {
    static LAB: LazyLock<Option<Lab>> = LazyLock::new(|| missing().is_none().then(Lab::start));
    LAB.as_ref()
}

impl Lab {
    fn start() -> Self {
        let folder = cache().join(format!("run-{}", std::process::id()));
        sweep_up();
        fs::create_dir_all(&folder).expect("cache is writable");
        let janitor = janitor(&folder);
        let net = Net::start();
        let mut machines = Vec::new();
        let mut entries = Vec::new();
        for part in scenario::all() {
            machines.extend(part.machines);
            entries.extend(part.entries);
        }
        say(&format!("building and starting {} hosts for {} inventory lines", machines.len(), entries.len()));
        let queue: Vec<(usize, Machine)> = machines.into_iter().enumerate().collect();
        let (queue, results) = (Mutex::new(queue.into_iter()), Mutex::new(Vec::new()));
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    loop {
                        let next = queue.lock().expect("no panic while held").next();
                        let Some((index, machine)) = next else { return };
                        let address = format!("10.77.{}.{}", index / 200, index % 200 + 1);
                        // One host that cannot be made fails its own tests, not everybody's.
                        let start = AssertUnwindSafe(|| Running::start(&machine, &net, &folder, &address));
                        let result = catch_unwind(start);
                        results.lock().expect("no panic while held").push((machine.name, result));
                    }
                });
            }
        });
        let mut running = BTreeMap::new();
        let mut failed = Vec::new();
        for (name, result) in results.into_inner().expect("no panic while held") {
            match result {
                Ok(host) => {
                    assert!(running.insert(name, host).is_none(), "two lab hosts are called {name}");
                }
                Err(_) => failed.push(name),
            }
        }
        entries.retain(|entry| !failed.contains(&entry.place));
        say(&format!("{} hosts are up, {} could not be made {failed:?}", running.len(), failed.len()));
        let sweep: Box<dyn FnOnce() -> Outcome + Send> = Box::new(|| {
            let lab = lab().expect("it runs");
            let mut args = vec!["sweep", "--forks", "12", "--timeout", "4", "--host-timeout", "45"];
            // Recordings of every host, for a look with `gpusweep analyze`, or for the demo.
            let kept = std::env::var("GPUSWEEP_LAB_TRANSCRIPTS");
            if let Ok(folder) = &kept {
                args.extend(["--transcripts", folder.as_str()]);
            }
            let outcome = lab.gpusweep(&args);
            say("sweep done");
            outcome
        });
        let lab = Self { net, folder, running, entries, failed, sweep: LazyLock::new(sweep), _janitor: janitor };
        lab.write_inventory();
        lab
    }

    /// The one sweep over all hosts.
    pub fn sweep(&self) -> &Outcome {
        &self.sweep
    }

    /// One host's part of that sweep.
    pub fn report(&self, name: &str) -> HostReport<'_> {
        self.sweep().host(name)
    }

    /// A running host.
    pub fn running(&self, name: &str) -> &Running {
        self.running.get(name).unwrap_or_else(|| panic!("no lab host {name}"))
    }

    /// The names of all running hosts.
    pub fn machines(&self) -> impl Iterator<Item = &'static str> {
        self.running.keys().copied()
    }

    /// Another program that runs inside the lab's network.
    pub fn inside_net(&self, program: &str) -> Command {
        self.net.command(program)
    }

    /// Hosts that could not be built or started.
    pub fn failed(&self) -> &[&'static str] {
        &self.failed
    }

    /// A folder of the lab for a test's own files.
    pub fn folder(&self) -> &PathBuf {
        &self.folder
    }

    /// Runs the real binary inside the lab's network, with the lab's inventory, key and known_hosts and JSON on stdout.
    /// The environment is scrubbed; nothing is stored.
    pub fn gpusweep(&self, args: &[&str]) -> Outcome {
        let mut all: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
        let at = |name: &str| self.folder.join(name).display().to_string();
        all.extend(["-i".into(), at("inventory.yaml"), "--known-hosts".into(), at("known_hosts")]);
        all.extend(["--key".into(), cache().join("id_lab").display().to_string(), "-F".into(), "none".into()]);
        all.extend(["--no-store".into(), "--no-progress".into(), "--format".into(), "json".into()]);
        self.plain(&all.iter().map(String::as_str).collect::<Vec<_>>(), "")
    }

    /// Runs the real binary inside the lab's network with exactly these arguments.
    pub fn plain(&self, args: &[&str], stdin: &str) -> Outcome {
        let mut command = self.net.command(env!("CARGO_BIN_EXE_gpusweep"));
        command.args(args).env_clear().env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").env("HOME", &self.folder);
        Outcome::of(&mut command, stdin)
    }

    fn write_inventory(&self) {
        let mut groups: BTreeMap<&str, String> = BTreeMap::new();
        let mut known = String::new();
        for entry in &self.entries {
            let machine = self.running.get(entry.place);
            let address = machine.map_or(entry.place, |running| running.address.as_str());
            let lines = groups.entry(entry.group).or_default();
            lines.push_str(&format!("        {}:\n          ansible_host: {address}\n", entry.name));
            lines.push_str(&format!("          ansible_user: {}\n", entry.user));
            if entry.port != 22 {
                lines.push_str(&format!("          ansible_port: {}\n", entry.port));
            }
            if entry.become_root {
                lines.push_str("          ansible_become: true\n");
            }
            if let Some(machine) = machine {
                match entry.known {
                    Known::Right => known.push_str(&format!("{address} {}\n", machine.host_key)),
                    Known::Missing => {}
                    Known::Wrong => {
                        let other = self.running.values().find(|other| other.address != machine.address);
                        let key = other.map_or("", |other| other.host_key.as_str());
                        known.push_str(&format!("{address} {key}\n"));
                    }
                }
            }
        }
        let listed = |name: &&str| self.entries.iter().any(|entry| entry.place == *name);
        for (_, machine) in self.running.iter().filter(|(name, _)| !listed(name)) {
            known.push_str(&format!("{} {}\n", machine.address, machine.host_key));
        }
        let mut text = String::from("all:\n  children:\n");
        for (group, lines) in groups {
            text.push_str(&format!("    {group}:\n      hosts:\n{lines}"));
        }
        fs::write(self.folder.join("inventory.yaml"), text).expect("writable");
        fs::write(self.folder.join("known_hosts"), known).expect("writable");
    }
}

/// Removes the folders of labs whose test process is gone.
fn sweep_up() {
    sh(&format!(
        "cd {}; for d in run-*; do [ -d \"$d\" ] || continue; [ -d /proc/${{d#run-}} ] || rm -rf --one-file-system \"$d\"; done",
        cache().display()
    ));
}

/// Removes this lab's folder when this process is gone, however it went: it waits on a pipe from it.
fn janitor(folder: &std::path::Path) -> Child {
    let script = format!("cat; sleep 2; rm -rf --one-file-system {}", folder.display());
    Command::new("/bin/sh")
        .args(["-c", &script])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("sh starts")
}

/// A report's value at a path of keys, `Null` when it is not there.
pub fn at<'a>(value: &'a Value, path: &str) -> &'a Value {
    path.split('.').fold(value, |value, key| value.get(key).unwrap_or(&Value::Null))
}

#[test]
fn every_host_was_built_and_started() {
    let Some(lab) = lab() else { return };
    assert_eq!(lab.failed(), [""; 0]);
}
