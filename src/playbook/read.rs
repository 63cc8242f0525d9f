//! From a playbook's text to a [`Playbook`], format 1.

use std::collections::BTreeMap;
use std::str::FromStr;

use jiff::civil::Date;

use super::catalogue::advice;
use super::choice::Choice;
use super::fields::{Fields, find};
use super::{Catalogue, Playbook, UNVERIFIED, Waiver};
use crate::check::{BaselineBy, Severity};
use crate::inventory::{Location, is_driver};
use crate::yaml::{self, Diagnostic, Entry, Mark, Node, Source, closest};

const KEYS: [&str; 7] = ["name", "probes", "checks", "severities", "expect", "baseline", "waivers"];
const PROBE_LIST: &str = "`gpusweep checks --probes`";
const CHECK_LIST: &str = "`gpusweep checks`";

/// Reads a playbook. `file` is what errors call it.
///
/// # Errors
/// Everything that is wrong in it.
pub fn parse(file: &str, bytes: &[u8], catalogue: &Catalogue) -> Result<Playbook, Vec<Diagnostic>> {
    let (mut fields, root) = open(file, bytes)?;
    let entries = fields.mapping(&root, Mark { line: 1, column: 1 }, "the playbook", &KEYS);
    let name = match find(entries, "name") {
        Some(entry) => fields.text(&entry.value, entry.at, "`name`"),
        None if fields.faults.is_empty() => {
            fields.error(root.at, "the playbook has no `name`", "reports show it: write `name: driver-audit`");
            None
        }
        None => None,
    };
    let ids = catalogue.check_ids();
    let probes = match find(entries, "probes") {
        Some(entry) => Choice::read(&mut fields, entry, &catalogue.probes, PROBE_LIST),
        None => Choice::all(&catalogue.probes),
    };
    let checks = match find(entries, "checks") {
        Some(entry) => Choice::read(&mut fields, entry, &ids, CHECK_LIST),
        None => Choice::all(&ids),
    };
    let severities = find(entries, "severities").map(|entry| severities(&mut fields, entry, &ids)).unwrap_or_default();
    let expect_driver = find(entries, "expect").and_then(|entry| expect(&mut fields, entry));
    let baseline = find(entries, "baseline").and_then(|entry| baseline(&mut fields, entry)).unwrap_or_default();
    let waivers = find(entries, "waivers").map(|entry| waivers(&mut fields, &entry.value, entry.at, &ids));
    // A name that is not known was told already; what it would have chosen is then no second fault.
    if fields.faults.is_empty() {
        needs(&mut fields, catalogue, &probes, &checks);
    }
    if !fields.faults.is_empty() {
        return Err(fields.faults);
    }
    Ok(Playbook {
        name: name.unwrap_or_default(),
        probes: probes.names,
        checks: checks.names,
        severities,
        expect_driver,
        baseline,
        waivers: waivers.unwrap_or_default(),
    })
}

/// Reads a file of waivers alone: a list of them, or a mapping with the one key `waivers`.
///
/// # Errors
/// Everything that is wrong in it.
pub fn parse_waivers(file: &str, bytes: &[u8], catalogue: &Catalogue) -> Result<Vec<Waiver>, Vec<Diagnostic>> {
    let (mut fields, root) = open(file, bytes)?;
    let start = Mark { line: 1, column: 1 };
    let ids = catalogue.check_ids();
    let waivers = match root.entries() {
        Some(_) => {
            let entries = fields.mapping(&root, start, "the file", &["waivers"]);
            find(entries, "waivers").map(|entry| waivers(&mut fields, &entry.value, entry.at, &ids)).unwrap_or_default()
        }
        None => waivers(&mut fields, &root, start, &ids),
    };
    if fields.faults.is_empty() { Ok(waivers) } else { Err(fields.faults) }
}

fn open(file: &str, bytes: &[u8]) -> Result<(Fields, Node), Vec<Diagnostic>> {
    let source = Source::new(file, bytes).map_err(|told| vec![told])?;
    let root = yaml::read(&source).map_err(|told| vec![told])?;
    Ok((Fields::new(source), root))
}

/// Every probe that was left out although a check that runs needs it.
fn needs(fields: &mut Fields, catalogue: &Catalogue, probes: &Choice, checks: &Choice) {
    for probe in catalogue.probes.iter().filter(|probe| !probes.names.contains(probe)) {
        let wanting: Vec<&str> = catalogue
            .checks
            .iter()
            .filter(|(id, needs)| checks.names.contains(id) && needs.contains(probe))
            .map(|(id, _)| id.as_str())
            .collect();
        let Some(first) = wanting.first() else { continue };
        let at = probes.left_out.iter().find(|(name, _)| name == probe).map_or(probes.at, |(_, at)| *at);
        let others = match wanting.len() {
            1 => String::new(),
            more => format!(" and {} more", more - 1),
        };
        let message = format!("the probe `{probe}` is left out, but the check `{first}`{others} needs it");
        let hint =
            format!("run the probe too, or leave the checks out: `checks: {{all_but: [{}]}}`", wanting.join(", "));
        fields.error(at, message, hint);
    }
}

fn severities(fields: &mut Fields, entry: &Entry, ids: &[String]) -> BTreeMap<String, Severity> {
    let known: Vec<&str> = ids.iter().map(String::as_str).collect();
    let Some(entries) = entry.value.entries() else {
        fields.error(
            entry.at,
            format!("`severities` is {}, not a mapping", entry.value.noun()),
            "write `check-id: warning` lines",
        );
        return BTreeMap::new();
    };
    let mut severities = BTreeMap::new();
    for line in entries {
        if !known.contains(&line.key.as_str()) {
            fields.error(line.at, format!("there is no check `{}`", line.key), advice(&line.key, ids, CHECK_LIST));
            continue;
        }
        let severity = match line.value.text() {
            Some("critical") => Severity::Critical,
            Some("warning") => Severity::Warning,
            Some("info") => Severity::Info,
            _ => {
                let hint = format!(
                    "write `critical`, `warning` or `info`; to switch the check off: `checks: {{all_but: [{}]}}`",
                    line.key
                );
                fields.error(line.value.at, format!("the severity of `{}` is not one", line.key), hint);
                continue;
            }
        };
        severities.insert(line.key.clone(), severity);
    }
    severities
}

fn expect(fields: &mut Fields, entry: &Entry) -> Option<String> {
    let entries = fields.mapping(&entry.value, entry.at, "`expect`", &["driver"]);
    let line = find(entries, "driver")?;
    let driver = fields.text(&line.value, line.at, "`driver`")?;
    if is_driver(&driver) {
        return Some(driver);
    }
    let hint = "write a version (\"535.230.02\") or a branch (\"535\"), in quotes";
    fields.error(line.value.at, format!("`{driver}` is no driver version or branch"), hint);
    None
}

fn baseline(fields: &mut Fields, entry: &Entry) -> Option<BaselineBy> {
    const FORMS: &str = "write `{by: sweep}`, `{by: gpu-model}`, `{by: {groups: [a, b]}}` or `{by: {variable: rack}}`";
    let Some(entries) = entry.value.entries() else {
        fields.error(entry.at, format!("`baseline` is {}, not a mapping", entry.value.noun()), FORMS);
        return None;
    };
    fields.mapping(&entry.value, entry.at, "`baseline`", &["by"]);
    let by = find(entries, "by")?;
    match by.value.text() {
        Some("sweep") => return Some(BaselineBy::Sweep),
        Some("gpu-model") => return Some(BaselineBy::GpuModel),
        Some(other) => {
            let near = closest(other, ["sweep", "gpu-model"]);
            let hint = near.map_or_else(|| FORMS.to_owned(), |near| format!("did you mean `{near}`?"));
            fields.error(by.value.at, format!("`{other}` is no way to compare hosts"), hint);
            return None;
        }
        None => {}
    }
    match by.value.entries() {
        Some([line]) if line.key == "groups" => {
            let groups = fields.list(&line.value, line.at, "`groups`", false);
            Some(BaselineBy::Groups(groups.into_iter().map(|(name, _)| name).collect()))
        }
        Some([line]) if line.key == "variable" => {
            fields.text(&line.value, line.at, "`variable`").map(BaselineBy::Variable)
        }
        _ => {
            fields.error(by.at, "`by` is no way to compare hosts", FORMS);
            None
        }
    }
}

fn waivers(fields: &mut Fields, node: &Node, at: Mark, ids: &[String]) -> Vec<Waiver> {
    if node.is_null() {
        return Vec::new();
    }
    let Some(items) = node.items() else {
        let hint = "write a list: `- {check: id, hosts: [name], reason: \"why\", until: 2026-12-31}`";
        fields.error(at, format!("`waivers` is {}, not a list", node.noun()), hint);
        return Vec::new();
    };
    items.iter().filter_map(|item| waiver(fields, item, at, ids)).collect()
}

fn waiver(fields: &mut Fields, item: &Node, at: Mark, ids: &[String]) -> Option<Waiver> {
    const KEYS: [&str; 4] = ["check", "hosts", "reason", "until"];
    let entries = fields.mapping(item, at, "a waiver", &KEYS);
    item.entries()?;
    let mut lines = KEYS.map(|key| find(entries, key)).into_iter();
    if let Some(missing) = KEYS.iter().find(|key| find(entries, key).is_none()) {
        fields.error(
            item.at,
            format!("a waiver without `{missing}`"),
            "a waiver has `check`, `hosts`, `reason` and `until`",
        );
        return None;
    }
    let mut next = || lines.next().flatten();
    let (check, hosts, reason, until) = (next()?, next()?, next()?, next()?);
    let id = fields.text(&check.value, check.at, "`check`");
    let known = id.filter(|id| {
        let known = id == UNVERIFIED || ids.contains(id);
        if !known {
            fields.error(check.value.at, format!("there is no check `{id}`"), advice(id, ids, CHECK_LIST));
        }
        known
    });
    let names = fields.list(&hosts.value, hosts.at, "`hosts`", true);
    let reason = fields.text(&reason.value, reason.at, "`reason`");
    let day = fields.text(&until.value, until.at, "`until`").and_then(|text| match Date::from_str(&text) {
        Ok(day) if text.len() == 10 => Some(day),
        _ => {
            fields.error(
                until.value.at,
                format!("`{text}` is no day"),
                "write the last day on which it counts: `until: 2026-12-31`",
            );
            None
        }
    });
    let location = Location { file: fields.source.file().to_owned(), line: item.at.line, column: item.at.column };
    let places: Vec<Mark> = names.iter().map(|(_, at)| *at).collect();
    let names: Vec<String> = names.into_iter().map(|(name, _)| name).collect();
    if names.is_empty() {
        return None;
    }
    match Waiver::new(known?, names, reason?, day?, location) {
        Ok(waiver) => Some(waiver),
        Err((index, why)) => {
            let at = places.get(index).copied().unwrap_or(hosts.at);
            fields.error(
                at,
                why,
                "name hosts, ranges (`gpu[10:12]`), globs (`gpu-*`) or groups, each an item of its own",
            );
            None
        }
    }
}
