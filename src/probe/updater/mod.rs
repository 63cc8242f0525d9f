//! Who upgrades packages on this host without being asked, and whether somebody is at it right now.

pub mod activity;
mod parse;
pub mod unit;
pub use parse::parse;

/// The automatic upgraders.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Updater {
    /// The unattended-upgrade program is on disk.
    pub program: bool,
    /// apt-daily-upgrade.timer; `None` without systemd.
    pub timer: Option<Unit>,
    /// apt-daily-upgrade.service, which the timer starts.
    pub service: Option<Unit>,
    /// unattended-upgrades.service, which only acts at shutdown.
    pub shutdown_service: Option<Unit>,
    /// /etc/cron.daily/apt-compat exists and cron is present: what runs apt's daily job without systemd.
    pub cron_daily: bool,
    /// On an rpm host: enabled automatic updaters (`dnf-automatic.timer`, `yum-cron`).
    pub rpm_automatic: Vec<String>,
    /// Lines of cron files and timers that call apt or unattended-upgrade themselves: (file, line).
    pub other_schedulers: Vec<(String, String)>,
    /// Cron files below /etc that exist and are closed to the login user: one may hold such a line.
    pub schedulers_denied: Vec<String>,
    /// Running apt, dpkg or unattended-upgrade processes that change packages, by command name.
    pub running: Vec<String>,
    /// When the updater last ran, an epoch second (mtime of its stamp).
    pub last_run: Option<i64>,
    /// Names in /var/lib/unattended-upgrades/kept-back.
    pub kept_back: Vec<String>,
}

/// A systemd unit's state.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Unit {
    /// `LoadState`: `loaded`, `not-found`, `masked`.
    pub load: String,
    /// `ActiveState`: `active`, `inactive`, `failed`. Empty when systemd does not run.
    pub active: String,
    /// `UnitFileState`: `enabled`, `disabled`, `static`, `masked`.
    pub enabled: String,
}
