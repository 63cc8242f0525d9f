//! What one host's packages are judged by: switches, lists, origins, pins and ties, put together.

use std::collections::HashMap;

use crate::derive::protection::graph::{self, Node};
use crate::derive::protection::judge::Verdict;
use crate::derive::protection::origins::{self, Origins};
use crate::derive::protection::rules::{Listed, Rules};
use crate::derive::protection::switch::{self, Switch};
use crate::derive::protection::ties;
use crate::derive::protection::{AutoUpgrade, Guard, debian_version, pins, truth};
use crate::evidence::Evidence;
use crate::probe::ProbeId;
use crate::probe::apt_policy::{AptPolicy, PolicyPackage, PolicySource};
use crate::probe::packages::Package;
use crate::reading::{Reading, Reason, Unread};

/// What all packages of a host are judged by.
pub struct Ground<'a> {
    evidence: &'a Evidence,
    switch: Switch,
    pub(super) rules: Option<Rules>,
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
        let by_name = rows.iter().rev().map(|row| (graph::full_name(row), *row)).collect();
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

    /// What could not be read and would be needed to tell whether an updater runs.
    pub fn missing(&self) -> &[(ProbeId, Unread)] {
        &self.switch.missing
    }

    /// Something upgrades past unattended-upgrades and its lists.
    pub fn bypassed(&self) -> bool {
        self.switch.bypass.is_some()
    }

    /// Why.
    pub(super) fn why(&self) -> String {
        match &self.fatal {
            Some(fatal) if self.switch.bypass.is_none() => fatal.clone(),
            _ => self.switch.why.clone(),
        }
    }

    /// No source at all may be taken from, although the host has package lists.
    pub(super) fn nothing_eligible(&self) -> bool {
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
        let ties = ties::find(&nodes, &stuck, self.by_source(), |name| self.listed(name, None).map(|(_, how)| how));
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

    /// apt upgrades packages of one source together: since 2.6 (Debian 12, Ubuntu 24.04), unless it is told not to.
    fn by_source(&self) -> bool {
        let apt = self.rows.iter().find(|row| row.name == "apt");
        let new = apt.is_some_and(|apt| debian_version::compare(&apt.version, "2.6").is_ge());
        let option = self.evidence.apt_config.known().and_then(|it| it.get("APT::Get::Upgrade-By-Source-Package"));
        new && truth::find_b(option, true)
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
