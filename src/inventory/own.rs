//! gpusweep's own inventory variables.

use super::effective::Effective;
use super::target::TargetVars;
use crate::yaml::{Diagnostic, Entry, Source, closest, truth};

const EXPECT_DRIVER: &str = "gpusweep_expect_driver";
const BASELINE_GROUP: &str = "gpusweep_baseline_group";
const KUBE_NODE: &str = "gpusweep_kube_node";
const SKIP: &str = "gpusweep_skip";

/// Every variable that begins with `gpusweep_` and means something.
pub const KNOWN: [&str; 4] = [BASELINE_GROUP, EXPECT_DRIVER, KUBE_NODE, SKIP];

/// The error for a variable that begins like ours and is none of them.
pub(super) fn unknown(source: &Source, entry: &Entry) -> Option<Diagnostic> {
    if !entry.key.starts_with("gpusweep_") || KNOWN.contains(&entry.key.as_str()) {
        return None;
    }
    let hint = match closest(&entry.key, KNOWN) {
        Some(known) => format!("did you mean `{known}`?"),
        None => format!("known are `{}`", KNOWN.join("`, `")),
    };
    Some(source.error(entry.at, format!("unknown variable `{}`", entry.key)).hint(hint))
}

/// Reads them for one host.
pub(super) fn read(vars: &Effective<'_>) -> Result<TargetVars, Diagnostic> {
    let mut own = TargetVars {
        expect_driver: None,
        baseline_group: filled(vars, BASELINE_GROUP)?,
        kube_node: filled(vars, KUBE_NODE)?,
        skip: None,
        other: vars.plain(),
    };
    if let Some(value) = vars.text(&[EXPECT_DRIVER])? {
        if !is_driver(&value.text) {
            let told = value.spot.error(format!("`{}` is no driver version or branch", value.text));
            return Err(told.hint("write a version (\"535.230.02\") or a branch (\"535\"), in quotes"));
        }
        own.expect_driver = Some(value.text);
    }
    if let Some(value) = vars.text(&[SKIP])? {
        own.skip = match truth(&value.text) {
            Some(true) => Some(format!("`{SKIP}` is set")),
            Some(false) => None,
            None => Some(value.text).filter(|text| !text.trim().is_empty()),
        };
    }
    Ok(own)
}

fn filled(vars: &Effective<'_>, name: &str) -> Result<Option<String>, Diagnostic> {
    Ok(vars.text(&[name])?.map(|value| value.text).filter(|text| !text.is_empty()))
}

/// `535`, `535.230.02`, `580.95.05`: one to three groups of digits.
pub fn is_driver(text: &str) -> bool {
    let parts: Vec<&str> = text.split('.').collect();
    let digits = |part: &&str| (1..=4).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    parts.len() <= 3 && parts.iter().all(digits)
}
