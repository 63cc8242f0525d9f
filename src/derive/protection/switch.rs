//! Whether anything upgrades packages on this host without being asked.

use crate::derive::protection::schedulers::{self, Does};
use crate::derive::protection::truth::{self, Interval};
use crate::derive::protection::{AutoUpgrade, Guard};
use crate::evidence::Evidence;
use crate::probe::ProbeId;
use crate::probe::apt_config::AptConfig;
use crate::probe::packages::Package;
use crate::probe::system::PackageManager;
use crate::probe::updater::{Unit, Updater};
use crate::reading::{Reading, Reason, Unread};

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Switch {
    /// On, off, absent, unknown; broken only when apt refuses its whole configuration.
    pub state: AutoUpgrade,
    /// Why, in words.
    pub why: String,
    /// What protects when it is off or absent.
    pub guard: Option<Guard>,
    /// unattended-upgrade itself is among what runs.
    pub updater_runs: bool,
    /// A scheduler that upgrades past unattended-upgrades: the file and its line.
    pub bypass: Option<(String, String)>,
    /// What could not be read and would be needed to tell.
    pub missing: Vec<(ProbeId, Unread)>,
}

impl Switch {
    fn new(state: AutoUpgrade, why: impl Into<String>, guard: Option<Guard>) -> Self {
        let updater_runs = state == AutoUpgrade::On;
        Self { state, why: why.into(), guard, updater_runs, bypass: None, missing: Vec::new() }
    }

    fn unknown(why: &str, missing: Vec<(ProbeId, Unread)>) -> Self {
        Self { missing, ..Self::new(AutoUpgrade::Unknown, why, None) }
    }
}

/// The installed row of the updater's package.
pub fn package(evidence: &Evidence) -> Option<&Package> {
    let rows = &evidence.packages.known()?.rows;
    rows.iter().find(|row| row.name == "unattended-upgrades" && on_disk(row) && row.status.state != 'H')
}

/// Its files are on disk, at least some: not for a package that was removed and only left its configuration (`rc`).
/// An rpm row has no letters.
pub fn on_disk(row: &Package) -> bool {
    matches!(row.status.state, '\0' | 'i' | 'U' | 'F' | 'H' | 'W' | 't')
}

/// Decides.
pub fn decide(evidence: &Evidence) -> Switch {
    let fallback = Updater::default();
    let updater = match &evidence.updater {
        Reading::Known(updater) => updater,
        Reading::Absent => &fallback,
        Reading::Unread(why) => {
            return Switch::unknown("it could not be read which upgraders run", vec![(ProbeId::Updater, why.clone())]);
        }
    };
    if evidence.system.known().is_some_and(|system| system.package_manager == PackageManager::Rpm) {
        return rpm(updater);
    }
    let config = evidence.apt_config.known();
    let assume_yes = truth::find_b(config.and_then(|config| config.get("APT::Get::Assume-Yes")), false);
    let does = |wanted: Does| {
        updater.other_schedulers.iter().find(|(_, line)| schedulers::read(line, assume_yes) == wanted).cloned()
    };
    let installed = updater.program || package(evidence).is_some();
    let mut switch = unattended(evidence, updater, installed, does(Does::UnattendedUpgrade));
    if let Some((file, line)) = does(Does::AptUpgrade) {
        switch.why = format!("`{line}` in {file} upgrades through apt itself, past any blacklist");
        switch.state = AutoUpgrade::On;
        switch.guard = None;
        switch.missing.clear();
        switch.bypass = Some((file, line));
    }
    switch
}

fn rpm(updater: &Updater) -> Switch {
    if updater.rpm_automatic.is_empty() {
        return Switch::new(AutoUpgrade::Off, "no automatic rpm updater is enabled", Some(Guard::TimerOff));
    }
    let names = updater.rpm_automatic.join(", ");
    let why = Unread::new(Reason::NotSupported, format!("{names} is on; its exclusions are not judged"));
    let missing = vec![(ProbeId::Updater, why)];
    Switch { missing, ..Switch::new(AutoUpgrade::On, format!("{names} is enabled"), None) }
}

fn unattended(evidence: &Evidence, updater: &Updater, installed: bool, line: Option<(String, String)>) -> Switch {
    if !installed {
        return Switch::new(AutoUpgrade::Absent, "unattended-upgrades is not installed", Some(Guard::NotInstalled));
    }
    let timer_off = timer_off(updater);
    let shutdown = evidence.apt_config.known().is_some_and(|config| at_shutdown(config, updater));
    if let (Some(why), false, None) = (&timer_off, shutdown, &line) {
        return Switch::new(AutoUpgrade::Off, why.clone(), Some(Guard::TimerOff));
    }
    let config = match &evidence.apt_config {
        Reading::Known(config) => config,
        Reading::Absent => return Switch::new(AutoUpgrade::Off, "there is no apt", Some(Guard::PeriodicOff)),
        Reading::Unread(why) => {
            return Switch::unknown("apt's configuration could not be read", vec![(ProbeId::AptConfig, why.clone())]);
        }
    };
    if let Some(error) = &config.broken {
        return Switch::new(AutoUpgrade::Broken, format!("apt refuses its configuration: {error}"), None);
    }
    if !config.unreadable.is_empty() {
        let files = config.unreadable.join(", ");
        let why = Unread::new(Reason::PermissionDenied, format!("{files} is closed to the login user"));
        return Switch::unknown(
            "a part of apt's configuration is closed to the login user",
            vec![(ProbeId::AptConfig, why)],
        );
    }
    if let Some((file, line)) = line {
        return Switch::new(AutoUpgrade::On, format!("`{line}` in {file} runs it"), None);
    }
    if shutdown && (timer_off.is_some() || periodic_off(config).is_some()) {
        return Switch::new(AutoUpgrade::On, "`Unattended-Upgrade::InstallOnShutdown` upgrades at shutdown", None);
    }
    match periodic_off(config) {
        Some(why) => Switch::new(AutoUpgrade::Off, why, Some(Guard::PeriodicOff)),
        None => Switch::new(AutoUpgrade::On, on_because(config, updater), None),
    }
}

/// The shutdown service upgrades: the only thing `systemctl disable unattended-upgrades` stops.
fn at_shutdown(config: &AptConfig, updater: &Updater) -> bool {
    truth::find_b(config.get("Unattended-Upgrade::InstallOnShutdown"), false)
        && updater.shutdown_service.as_ref().is_some_and(|unit| {
            !masked(unit)
                && unit.load != "not-found"
                && (unit.active == "active" || unit.enabled.starts_with("enabled"))
        })
}

fn masked(unit: &Unit) -> bool {
    unit.load == "masked" || unit.enabled.starts_with("masked")
}

/// Why apt's daily upgrade job is never started; `None` when something starts it.
fn timer_off(updater: &Updater) -> Option<String> {
    let Some(timer) = &updater.timer else {
        return (!updater.cron_daily).then(|| "neither a timer nor cron starts apt's daily job".to_owned());
    };
    if masked(timer) {
        return Some("apt-daily-upgrade.timer is masked".to_owned());
    }
    if timer.load == "not-found" {
        return (!updater.cron_daily).then(|| "there is no apt-daily-upgrade.timer".to_owned());
    }
    if let Some(service) = &updater.service {
        if masked(service) {
            return Some("apt-daily-upgrade.service is masked".to_owned());
        }
        if service.load == "not-found" {
            return Some("there is no apt-daily-upgrade.service".to_owned());
        }
    }
    // A disabled timer that still ticks upgrades until the next boot.
    (timer.enabled.starts_with("disabled") && timer.active != "active")
        .then(|| "apt-daily-upgrade.timer is disabled".to_owned())
}

fn periodic_off(config: &AptConfig) -> Option<String> {
    let enable = config.get("APT::Periodic::Enable");
    if let Some(value) = enable.filter(|value| truth::periodic_enable_is_zero(value)) {
        return Some(format!("`APT::Periodic::Enable` is `{value}`"));
    }
    match config.get("APT::Periodic::Unattended-Upgrade") {
        None => Some("`APT::Periodic::Unattended-Upgrade` is not set, so it is 0".to_owned()),
        Some(value) if truth::interval(value) == Interval::Never => {
            Some(format!("`APT::Periodic::Unattended-Upgrade` is `{value}`"))
        }
        Some(_) => None,
    }
}

fn on_because(config: &AptConfig, updater: &Updater) -> String {
    let value = config.get("APT::Periodic::Unattended-Upgrade").unwrap_or_default();
    let mut why = format!("`APT::Periodic::Unattended-Upgrade` is `{value}`");
    if truth::interval(value) == Interval::Garbage {
        why.push_str(" (no number: it does not switch anything off)");
    }
    why.push_str(match &updater.timer {
        Some(timer) if timer.enabled.starts_with("disabled") => {
            ", and apt-daily-upgrade.timer, though disabled, is active until the next boot"
        }
        Some(timer) if timer.load != "not-found" => ", and apt-daily-upgrade.timer starts it",
        _ => ", and cron starts apt's daily job",
    });
    why
}
