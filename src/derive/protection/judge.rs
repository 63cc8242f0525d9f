//! The judgement: package by package, the way the updater would decide tonight.

use std::collections::HashMap;

use crate::check::Look;
use crate::derive::driver::{Applicability, Driver, DriverPackage, LibrarySource, Role};
use crate::derive::protection::origins::{self, Origins};
use crate::derive::protection::rules::{Listed, Rules};
use crate::derive::protection::switch::{self, Switch};
use crate::derive::protection::ties::{self, Node};
use crate::derive::protection::{AutoUpgrade, Guard, Level, PackageProtection, Protected, Protection, pins, truth};
use crate::derive::version;
use crate::evidence::Evidence;
use crate::probe::ProbeId;
use crate::probe::apt_policy::{AptPolicy, PolicyPackage, PolicySource};
use crate::probe::packages::Package;
use crate::reading::{Reading, Reason, Unread};

/// Works out the protection.
pub fn derive(look: &Look<'_>, driver: &Driver) -> Protection {
    let evidence = look.evidence;
    let auto_reboot = truth::find_b(
        evidence.apt_config.known().and_then(|config| config.get("Unattended-Upgrade::Automatic-Reboot")),
        false,
    );
    let mut out = Protection {
        auto_upgrade: AutoUpgrade::Unknown,
        auto_upgrade_why: String::new(),
        level: None,
        by: Vec::new(),
        packages: Vec::new(),
        blacklist: Vec::new(),
        auto_reboot,
        nothing_eligible: false,
    };
    let ground = Ground::survey(evidence);
    out.auto_upgrade = ground.state();
    out.auto_upgrade_why = ground.why();
    out.blacklist = ground.rules.as_ref().map(Rules::patterns).unwrap_or_default();
    if let Applicability::NotApplicable(_) = driver.applicability {
        out.level = Some(Level::NotNeeded);
        return out;
    }
    if let Some(updater) = evidence.updater.known().filter(|updater| !updater.running.is_empty()) {
        let names = updater.running.join(", ");
        look.miss(ProbeId::Updater, Unread::new(Reason::UpgradeRunning, format!("{names} is running")));
    }
    out.nothing_eligible = ground.nothing_eligible();
    if driver.library_source == LibrarySource::Container {
        out.level = Some(Level::NotNeeded);
        return out;
    }
    let scope: Vec<&DriverPackage> = driver.packages.iter().filter(|package| in_scope(package)).collect();
    if scope.is_empty() {
        if look.need(ProbeId::Packages, &evidence.packages).why_unread().is_none() {
            out.level = Some(Level::NotNeeded);
        }
        return out;
    }
    let names: Vec<&str> = scope.iter().map(|package| package.name.as_str()).collect();
    let verdicts = ground.judge(&names);
    let mut missing = Vec::new();
    let mut counts = Vec::new();
    for (package, verdict) in scope.iter().zip(verdicts) {
        let (mut state, by, how) = verdict.outcome(&mut missing);
        // Firmware with the version in its name is never replaced: the next release comes in under a new name. Being
        // open it exposes nothing.
        if is_versioned_firmware(package) && state != Protected::Blocked {
            continue;
        }
        if state == Protected::Blocked && by.is_empty() {
            state = Protected::Tied;
        }
        counts.push(!is_versioned_firmware(package));
        out.packages.push(PackageProtection { name: package.name.clone(), state, by, how });
    }
    let counted: Vec<&PackageProtection> =
        out.packages.iter().zip(counts).filter_map(|(judged, counts)| counts.then_some(judged)).collect();
    out.level = level(&counted);
    out.by = counted.iter().flat_map(|package| package.by.iter().copied()).collect();
    out.by.sort_unstable();
    out.by.dedup();
    if out.level != Some(Level::Full) {
        for (probe, why) in missing {
            look.miss(probe, why);
        }
    }
    out
}

/// Packages whose fate is judged: not those with a version of their own.
fn in_scope(package: &DriverPackage) -> bool {
    package.role != Role::OwnVersion
}

fn is_versioned_firmware(package: &DriverPackage) -> bool {
    package.role == Role::Firmware && package.name.contains(version::upstream(&package.version))
}

fn level(packages: &[&PackageProtection]) -> Option<Level> {
    let any = |state: Protected| packages.iter().any(|package| package.state == state);
    let stuck = any(Protected::Blocked) || any(Protected::Tied);
    let open = any(Protected::Exposed) || any(Protected::Tied);
    match (stuck, open, any(Protected::Unknown)) {
        (true, true, _) => Some(Level::Partial),
        (_, _, true) => None,
        (true, false, false) => Some(Level::Full),
        (false, true, false) => Some(Level::None),
        // Only firmware that needs no guard.
        (false, false, false) => Some(Level::NotNeeded),
    }
}

/// What one package comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Kept by these, in these words.
    Blocked(Vec<Guard>, String),
    /// Kept only because another is.
    Tied(String),
    /// Open.
    Exposed(String),
    /// Not known, for want of these.
    Unknown(Vec<(ProbeId, Unread)>),
}

impl Verdict {
    fn outcome(self, missing: &mut Vec<(ProbeId, Unread)>) -> (Protected, Vec<Guard>, String) {
        match self {
            Self::Blocked(by, how) => (Protected::Blocked, by, how),
            Self::Tied(how) => (Protected::Tied, Vec::new(), how),
            Self::Exposed(how) => (Protected::Exposed, Vec::new(), how),
            Self::Unknown(facts) => {
                let how = facts.first().map(|(_, why)| why.detail.clone()).unwrap_or_default();
                missing.extend(facts);
                (Protected::Unknown, Vec::new(), how)
            }
        }
    }
}

/// What all packages of a host are judged by.
pub struct Ground<'a> {
    evidence: &'a Evidence,
    switch: Switch,
    rules: Option<Rules>,
    origins: Result<Origins, String>,
    rows: Vec<&'a Package>,
    /// The rows by their names as the updater spells them; of twins the first.
    by_name: HashMap<String, &'a Package>,
    /// Why the updater cannot run, if so.
    fatal: Option<String>,
}

impl<'a> Ground<'a> {
    /// Reads the switches and lists.
    pub fn survey(evidence: &'a Evidence) -> Self {
        let switch = switch::decide(evidence);
        let config = evidence.apt_config.known();
        let rules = config.map(|config| Rules::read(evidence, config));
        let origins = match config {
            Some(config) => Origins::read(config, evidence.system.known()),
            None => Ok(Origins::default()),
        };
        let rows: Vec<&Package> = evidence
            .packages
            .known()
            .map(|packages| packages.rows.iter().filter(|row| switch::on_disk(row)).collect())
            .unwrap_or_default();
        // The first of twins counts, so it is put in last.
        let by_name = rows.iter().rev().map(|row| (ties::full_name(row), *row)).collect();
        let mut ground = Self { evidence, switch, rules, origins, rows, by_name, fatal: None };
        ground.fatal = match ground.switch.state {
            AutoUpgrade::Broken => Some(ground.switch.why.clone()),
            _ if ground.switch.updater_runs => ground.dies(),
            _ => None,
        };
        ground
    }

    /// What the updater dies of, apart from apt's own refusal.
    fn dies(&self) -> Option<String> {
        let origins = match &self.origins {
            Ok(origins) => origins,
            Err(why) => return Some(why.clone()),
        };
        let policy = self.evidence.apt_policy.known().filter(|policy| policy.lists_present);
        let eligible = |row: &Package| {
            let Some(policy) = policy else { return true };
            policy_row(policy, &row.name, Some(row)).is_none_or(|known| !self.carriers(policy, known).is_empty())
        };
        let rules = self.rules.as_ref();
        rules
            .and_then(|rules| rules.fatal(&self.rows, eligible))
            .or_else(|| origins.fault(policy.map(|policy| policy.sources.as_slice())))
    }

    /// Whether an updater runs.
    pub fn state(&self) -> AutoUpgrade {
        // A scheduler that goes past a broken updater still upgrades.
        if self.fatal.is_some() && self.switch.bypass.is_none() { AutoUpgrade::Broken } else { self.switch.state }
    }

    /// Something upgrades past unattended-upgrades and its lists.
    pub fn bypassed(&self) -> bool {
        self.switch.bypass.is_some()
    }

    /// Why.
    fn why(&self) -> String {
        match &self.fatal {
            Some(fatal) if self.switch.bypass.is_none() => fatal.clone(),
            _ => self.switch.why.clone(),
        }
    }

    /// No source at all may be taken from, although the host has package lists.
    fn nothing_eligible(&self) -> bool {
        let (Ok(origins), Some(policy)) = (&self.origins, self.evidence.apt_policy.known()) else { return false };
        let mut sources = policy.sources.iter().filter(|source| !origins::is_installed_state(source)).peekable();
        self.state() == AutoUpgrade::On
            && self.switch.bypass.is_none()
            && policy.lists_present
            && sources.peek().is_some()
            && !sources.any(|source| origins.allow(source))
    }

    /// Judges installed packages by their names as the updater spells them.
    pub fn judge(&self, names: &[&str]) -> Vec<Verdict> {
        let own: Vec<Verdict> = names.iter().map(|name| self.alone(name)).collect();
        let asked: HashMap<&str, &Verdict> = names.iter().copied().zip(&own).rev().collect();
        let nodes: Vec<Node<'_>> = self.rows.iter().map(|row| Node::new(row)).collect();
        let stuck: Vec<bool> = nodes
            .iter()
            .map(|node| match asked.get(node.name.as_str()) {
                Some(verdict) => matches!(verdict, Verdict::Blocked(..)),
                None => self.listed(&node.name, Some(node.row)).is_some(),
            })
            .collect();
        let ties = ties::find(&nodes, &stuck, |name| self.listed(name, None).map(|(_, how)| how));
        let ties: HashMap<&str, &String> =
            nodes.iter().zip(&ties).rev().filter_map(|(node, why)| Some((node.name.as_str(), why.as_ref()?))).collect();
        own.into_iter()
            .zip(names)
            .map(|(verdict, name)| match (verdict, ties.get(name)) {
                (Verdict::Exposed(_), Some(how)) => Verdict::Tied((*how).clone()),
                (verdict, _) => verdict,
            })
            .collect()
    }

    fn row(&self, name: &str) -> Option<&'a Package> {
        self.by_name.get(name).copied()
    }

    /// Holds and the updater's lists: what blocks without regard to sources.
    fn listed(&self, name: &str, row: Option<&Package>) -> Option<(Guard, String)> {
        if row.is_some_and(|row| row.status.want == 'h') {
            return Some((Guard::Hold, "held".to_owned()));
        }
        if self.switch.bypass.is_some() {
            return None;
        }
        let rules = self.rules.as_ref()?;
        if let Listed::By(pattern) = rules.blacklisted(name) {
            return Some((Guard::Blacklist, format!("pattern `{pattern}`")));
        }
        match rules.not_whitelisted(name) {
            Listed::By(how) => Some((Guard::Whitelist, how)),
            _ => None,
        }
    }

    fn alone(&self, name: &str) -> Verdict {
        let row = self.row(name);
        if let (AutoUpgrade::Off | AutoUpgrade::Absent, Some(guard)) = (self.switch.state, self.switch.guard) {
            let mut by = vec![guard];
            by.extend(self.listed(name, row).map(|(guard, _)| guard));
            by.sort_unstable();
            return Verdict::Blocked(by, self.switch.why.clone());
        }
        if row.is_some_and(|row| row.status.want == 'h') {
            return Verdict::Blocked(vec![Guard::Hold], "held".to_owned());
        }
        if !self.switch.missing.is_empty() {
            return Verdict::Unknown(self.switch.missing.clone());
        }
        if let Some((guard, how)) = self.listed(name, row) {
            return Verdict::Blocked(vec![guard], how);
        }
        if self.state() == AutoUpgrade::Broken {
            return Verdict::Exposed("nothing keeps it once the updater runs again".to_owned());
        }
        if self.switch.bypass.is_none()
            && let Some(rules) = &self.rules
        {
            for listed in [rules.blacklisted(name), rules.not_whitelisted(name)] {
                if let Listed::Unknown(why) = listed {
                    let why = Unread::new(Reason::NotSupported, format!("pattern not evaluated: {why}"));
                    return Verdict::Unknown(vec![(ProbeId::AptConfig, why)]);
                }
            }
        }
        self.by_sources(name, row)
    }

    fn by_sources(&self, name: &str, row: Option<&Package>) -> Verdict {
        let unknown = |probe: ProbeId, why: Unread| Verdict::Unknown(vec![(probe, why)]);
        let policy = match &self.evidence.apt_policy {
            Reading::Known(policy) => policy,
            Reading::Absent => {
                return unknown(ProbeId::AptPolicy, Unread::new(Reason::NotSupported, "there is no apt-cache"));
            }
            Reading::Unread(why) => return unknown(ProbeId::AptPolicy, why.clone()),
        };
        if !policy.lists_present {
            let why = "apt has no package lists, so it knows no origins";
            return unknown(ProbeId::AptPolicy, Unread::new(Reason::NoAptLists, why));
        }
        let Some(known) = policy_row(policy, name, row) else {
            let why = format!("apt-cache policy has no row for {name}");
            return unknown(ProbeId::AptPolicy, Unread::new(Reason::Unparseable, why));
        };
        let carriers = self.carriers(policy, known);
        if carriers.is_empty() {
            return Verdict::Blocked(vec![Guard::OriginNotAllowed], "no allowed origin carries it".to_owned());
        }
        let from = format!("`{}` carries it", carriers.first().map_or("", |source| source.line.as_str()));
        let (preferences, missing) = match &self.evidence.apt_preferences {
            Reading::Known(preferences) if preferences.denied.is_empty() => (preferences.pins.as_slice(), None),
            Reading::Known(preferences) => {
                let why = format!("{} is closed to the login user", preferences.denied.join(", "));
                (preferences.pins.as_slice(), Some(Unread::new(Reason::PermissionDenied, why)))
            }
            Reading::Absent => (&[] as &[_], None),
            Reading::Unread(why) => (&[] as &[_], Some(why.clone())),
        };
        // A pin in a file that could not be read may come first, and either way decide otherwise.
        if let Some(why) = missing {
            return unknown(ProbeId::AptPreferences, why);
        }
        let (bare, version) = row.map_or((name, ""), |row| (row.name.as_str(), row.version.as_str()));
        let asked = pins::Asked {
            name: bare,
            arch: row.map_or("", |row| row.arch.as_str()),
            source: row.map_or("", |row| row.source.as_str()),
            version,
            policy: Some(known),
            sources: &policy.sources,
            carriers: &carriers,
        };
        match pins::blocking(preferences, &asked) {
            Some(how) => Verdict::Blocked(vec![Guard::Pin], how),
            None => Verdict::Exposed(from),
        }
    }

    /// Sources that carry the name and may be taken from: allowed ones, or all when something goes past the updater.
    fn carriers<'p>(&self, policy: &'p AptPolicy, known: &PolicyPackage) -> Vec<&'p PolicySource> {
        policy
            .sources
            .iter()
            .filter(|source| !origins::is_installed_state(source))
            .filter(|source| known.versions.iter().any(|row| row.sources.contains(&source.line)))
            .filter(|source| {
                self.switch.bypass.is_some() || self.origins.as_ref().is_ok_and(|origins| origins.allow(source))
            })
            .collect()
    }
}

fn policy_row<'p>(policy: &'p AptPolicy, name: &str, row: Option<&Package>) -> Option<&'p PolicyPackage> {
    let qualified = row.map(|row| format!("{}:{}", row.name, row.arch));
    policy.packages.iter().find(|package| package.name == name || Some(&package.name) == qualified.as_ref())
}
