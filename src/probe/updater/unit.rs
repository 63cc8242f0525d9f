//! A systemd unit's states from `systemctl show`, or from unit files where systemd does not run.

use super::Unit;
use crate::probe::Sections;
use crate::reading::{Reading, Reason};

/// The section `unit NAME`; `Absent` when systemd knows no such unit.
pub fn read(sections: &Sections, name: &str) -> Reading<Unit> {
    let Some(section) = sections.all("unit").find(|section| section.argument == name) else {
        return Reading::unread(Reason::Truncated, format!("no answer for `{name}`"));
    };
    section.reading().and_then(|lines| {
        let value = |key: &str| {
            let line = lines.iter().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
            line.map(|value| value.trim().to_owned()).unwrap_or_default()
        };
        let unit = Unit { load: value("LoadState"), active: value("ActiveState"), enabled: value("UnitFileState") };
        if unit.load == "not-found" && unit.active != "active" { Reading::Absent } else { Reading::Known(unit) }
    })
}
