//! All facts of one host: one field per probe, each *known*, *absent* or *unread* with its reason.

use jiff::Timestamp;

use crate::probe::{
    ProbeId, Sections, apt_config, apt_files, apt_history, apt_policy, apt_preferences, boot, clock, dkms, dpkg_log,
    fabricmanager, kernel_log, kernels, library, modprobe, module, nvidia_smi, packages, pci, persistenced,
    reboot_required, system, updater, updater_log,
};
use crate::reading::{Reading, Reason, Unread};
use crate::transcript::{Frame, State, Transcript};

/// One host's evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// Machine and login user.
    pub system: Reading<system::System>,
    /// Clock and zone.
    pub clock: Reading<clock::Clock>,
    /// Boot time.
    pub boot: Reading<boot::Boot>,
    /// Loaded modules.
    pub module: Reading<module::Modules>,
    /// PCI devices.
    pub pci: Reading<pci::Pci>,
    /// Libraries on disk.
    pub library: Reading<library::Libraries>,
    /// Packages.
    pub packages: Reading<packages::Packages>,
    /// Kernels.
    pub kernels: Reading<kernels::Kernels>,
    /// apt's configuration.
    pub apt_config: Reading<apt_config::AptConfig>,
    /// Texts of apt's configuration files.
    pub apt_files: Reading<apt_files::AptFiles>,
    /// Automatic upgraders.
    pub updater: Reading<updater::Updater>,
    /// apt's sources and candidates.
    pub apt_policy: Reading<apt_policy::AptPolicy>,
    /// Pins.
    pub apt_preferences: Reading<apt_preferences::AptPreferences>,
    /// apt's journal.
    pub apt_history: Reading<apt_history::AptHistory>,
    /// dpkg's journal.
    pub dpkg_log: Reading<dpkg_log::DpkgLog>,
    /// The updater's log.
    pub updater_log: Reading<updater_log::UpdaterLog>,
    /// DKMS.
    pub dkms: Reading<dkms::Dkms>,
    /// modprobe configuration.
    pub modprobe: Reading<modprobe::Modprobe>,
    /// The reboot flag.
    pub reboot_required: Reading<reboot_required::RebootRequired>,
    /// Kernel log.
    pub kernel_log: Reading<kernel_log::KernelLog>,
    /// nvidia-persistenced.
    pub persistenced: Reading<persistenced::Persistenced>,
    /// Fabric manager.
    pub fabricmanager: Reading<fabricmanager::FabricManager>,
    /// nvidia-smi.
    pub nvidia_smi: Reading<nvidia_smi::NvidiaSmi>,
}

impl Evidence {
    /// Evidence of which every fact is unread for one reason.
    pub fn unread(why: &Unread) -> Self {
        Self::read(&Transcript::default(), why)
    }

    /// Parses a transcript. `missing` is the reason given to each probe whose frame never came.
    pub fn read(transcript: &Transcript, missing: &Unread) -> Self {
        let source = Source { transcript, missing };
        Self {
            system: source.parse(ProbeId::System, system::parse),
            clock: source.parse(ProbeId::Clock, clock::parse),
            boot: source.parse(ProbeId::Boot, boot::parse),
            module: source.parse_whole(ProbeId::Module, module::parse),
            pci: source.parse(ProbeId::Pci, pci::parse),
            library: source.parse_whole(ProbeId::Library, library::parse),
            packages: source.parse_whole(ProbeId::Packages, packages::parse),
            kernels: source.parse(ProbeId::Kernels, kernels::parse),
            apt_config: source.parse_whole(ProbeId::AptConfig, apt_config::parse),
            apt_files: source.parse(ProbeId::AptFiles, apt_files::parse),
            updater: source.parse(ProbeId::Updater, updater::parse),
            apt_policy: source.parse(ProbeId::AptPolicy, apt_policy::parse),
            apt_preferences: source.parse(ProbeId::AptPreferences, apt_preferences::parse),
            apt_history: source.parse(ProbeId::AptHistory, apt_history::parse),
            dpkg_log: source.parse(ProbeId::DpkgLog, dpkg_log::parse),
            updater_log: source.parse(ProbeId::UpdaterLog, updater_log::parse),
            dkms: source.parse(ProbeId::Dkms, dkms::parse),
            modprobe: source.parse(ProbeId::Modprobe, modprobe::parse),
            reboot_required: source.parse(ProbeId::RebootRequired, reboot_required::parse),
            kernel_log: source.parse(ProbeId::KernelLog, kernel_log::parse),
            persistenced: source.parse(ProbeId::Persistenced, persistenced::parse),
            fabricmanager: source.parse(ProbeId::FabricManager, fabricmanager::parse),
            nvidia_smi: source.parse(ProbeId::NvidiaSmi, nvidia_smi::parse),
        }
    }

    /// The host's own clock, when it was read.
    pub fn host_now(&self) -> Option<Timestamp> {
        self.clock.known().map(|clock| clock.now)
    }
}

struct Source<'a> {
    transcript: &'a Transcript,
    missing: &'a Unread,
}

impl Source<'_> {
    fn parse<T>(&self, probe: ProbeId, parse: fn(&Sections) -> Reading<T>) -> Reading<T> {
        match self.transcript.frame(probe.name()) {
            None => Reading::Unread(self.missing.clone()),
            Some(frame) => match frame.state {
                State::Absent => Reading::Absent,
                State::Denied => Reading::unread(Reason::PermissionDenied, last_words(frame)),
                State::TimedOut if Sections::parse(&frame.body).0.is_empty() => {
                    Reading::unread(Reason::TimedOut, format!("`{}` ran into its time limit", frame.probe))
                }
                // Sections that were cut say so themselves; those before them still count.
                _ => parse(&Sections::parse(&frame.body)),
            },
        }
    }

    /// As [`Self::parse`], for probes whose script always ends well: another end was forged or cut, and what a verdict
    /// rests on is not taken from half a frame.
    fn parse_whole<T>(&self, probe: ProbeId, parse: fn(&Sections) -> Reading<T>) -> Reading<T> {
        let reading = self.parse(probe, parse);
        let reason = match self.transcript.frame(probe.name()).map(|frame| frame.state) {
            Some(State::Failed) => Reason::Unparseable,
            Some(State::TimedOut) => Reason::TimedOut,
            Some(State::Truncated) => Reason::Truncated,
            _ => return reading,
        };
        match reading {
            Reading::Unread(why) => Reading::Unread(why),
            _ => Reading::unread(reason, format!("probe `{}` did not run to its end", probe.name())),
        }
    }
}

fn last_words(frame: &Frame) -> String {
    let sections = Sections::parse(&frame.body);
    match sections.0.last() {
        Some(section) => section.unread(Reason::PermissionDenied).detail,
        None => frame.probe.clone(),
    }
}
