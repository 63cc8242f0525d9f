//! The frame's sections to evidence.

use super::{Unit, Updater, activity, unit};
use crate::probe::Sections;
use crate::reading::{Reading, Reason};

/// Units that upgrade packages on an rpm host.
const RPM_UNITS: [&str; 4] =
    ["dnf-automatic.timer", "dnf-automatic-install.timer", "dnf5-automatic.timer", "yum-cron.service"];

/// Reads the frame.
pub fn parse(sections: &Sections) -> Reading<Updater> {
    if sections.get("schedulers").is_none() {
        return Reading::unread(Reason::Truncated, "no answer for `schedulers`");
    }
    let lines = |name: &str| sections.get(name).map(|section| section.lines.as_slice()).unwrap_or_default();
    Reading::Known(Updater {
        program: sections.get("program").is_some(),
        timer: known(sections, "apt-daily-upgrade.timer"),
        service: known(sections, "apt-daily-upgrade.service"),
        shutdown_service: known(sections, "unattended-upgrades.service"),
        cron_daily: sections.get("cron-daily").is_some(),
        rpm_automatic: RPM_UNITS.iter().filter(|name| runs(sections, name)).map(|name| (*name).to_owned()).collect(),
        other_schedulers: lines("schedulers")
            .iter()
            .filter_map(|line| line.split_once('\t'))
            .filter(|(_, command)| activity::upgrades(command))
            .map(|(file, command)| (file.to_owned(), command.trim().to_owned()))
            .collect(),
        // A user's own crontab is closed on every host; a closed file of the system is not the usual thing.
        schedulers_denied: lines("schedulers-denied")
            .iter()
            .flat_map(|line| line.split_whitespace())
            .filter(|path| path.starts_with("/etc/") && !path.contains('*'))
            .map(str::to_owned)
            .collect(),
        running: activity::running(lines("processes"), lines("locks")),
        last_run: last_run(sections),
        kept_back: lines("kept-back").iter().flat_map(|line| line.split_whitespace()).map(str::to_owned).collect(),
    })
}

/// A unit as it stands; one that systemd does not know reads as such, `None` means systemd's state was not read.
fn known(sections: &Sections, name: &str) -> Option<Unit> {
    match unit::read(sections, name) {
        Reading::Known(unit) => Some(unit),
        Reading::Absent => Some(Unit { load: "not-found".to_owned(), ..Unit::default() }),
        Reading::Unread(_) => None,
    }
}

fn runs(sections: &Sections, name: &str) -> bool {
    unit::read(sections, name).known().is_some_and(|unit| unit.enabled == "enabled" || unit.active == "active")
}

/// The updater's own stamp, else that of apt's daily job: `1796088058 PATH`.
fn last_run(sections: &Sections) -> Option<i64> {
    let stamps = || sections.all("stamp").filter_map(|section| section.lines.first()?.split_once(' '));
    let stamp = stamps().find(|(_, path)| path.contains("unattended-upgrades-stamp")).or_else(|| stamps().next());
    stamp?.0.parse().ok()
}

#[cfg(test)]
mod tests {
    use crate::probe::samples;

    #[test]
    fn samples_read_as_expected() {
        samples::check("updater", super::parse);
    }

    #[test]
    fn no_input_panics() {
        samples::survive("updater", super::parse);
    }
}
