//! What a mismatch breaks around it: named inside its finding, never as alarms of their own.

use crate::check::{EvidenceLine, Look, fabricmanager_mismatch};
use crate::derive::Derived;
use crate::probe::ProbeId;
use crate::probe::nvidia_smi::SmiState;

/// Each consequence in words, with the probe that saw it.
pub(crate) fn of_mismatch(look: &Look<'_>, derived: &Derived) -> Vec<EvidenceLine> {
    let evidence = look.evidence;
    let mut all = Vec::new();
    if let Some(smi) = look.hint(ProbeId::NvidiaSmi, &evidence.nvidia_smi).known() {
        let exit = smi.exit.map(|exit| format!(" (exit {exit})")).unwrap_or_default();
        match smi.state {
            SmiState::Ok
            | SmiState::NotInstalled
            | SmiState::NotStarted
            | SmiState::NoLibrary
            | SmiState::NoPermission => {}
            SmiState::Hung => all.push(EvidenceLine::new(ProbeId::NvidiaSmi, "nvidia-smi does not answer")),
            _ => all.push(EvidenceLine::new(ProbeId::NvidiaSmi, format!("nvidia-smi fails: {}{exit}", smi.line))),
        }
    }
    if let Some(daemon) = look.hint(ProbeId::Persistenced, &evidence.persistenced).known()
        && daemon.unit.load == "loaded"
        && daemon.unit.active != "active"
        && !daemon.socket
    {
        let text = "nvidia-persistenced is down and /run/nvidia-persistenced/socket is missing: containers that mount it do not start";
        all.push(EvidenceLine::new(ProbeId::Persistenced, text));
    }
    if let Some(fabric) = fabricmanager_mismatch::differing(look, derived) {
        let mut text = format!("fabric manager {} does not match the loaded driver", fabric.version);
        if derived.driver.library.known() != Some(&fabric.version) {
            text += ", and will not match after a reboot either";
        }
        all.push(EvidenceLine::new(ProbeId::FabricManager, text));
    }
    all
}
