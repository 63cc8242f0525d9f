//! # nvidia-smi-fails
//!
//! ## What it checks
//! Loaded module and library agree, and `nvidia-smi` fails all the same.
//!
//! ## Why it matters
//! Something else keeps GPU work from running: a GPU that fell off the bus, another library earlier in the search
//! path, a driver that hangs.
//!
//! ## Evidence
//! What `nvidia-smi` printed and its exit status, run once, last, and with a time limit. It is a witness, never a
//! judge: no permission, no library, no binary, or no devices for an ordinary user or without a GPU bound to the
//! driver say nothing about the host. A time-out alone is a warning, since many GPUs without persistence are slow.
//!
//! ## Fix
//! Depends on the message; the kernel log's NVRM and Xid lines usually tell.
//!
//! ## What it does not see
//! Failures of GPU work that nvidia-smi itself survives. While the versions differ, its failure is named there.

use serde_json::json;

use crate::check::{Check, EvidenceLine, Finding, Look, Run, Severity, phrase};
use crate::derive::Derived;
use crate::derive::driver::{Applicability, Relation};
use crate::probe::ProbeId;
use crate::probe::nvidia_smi::{NvidiaSmi, SmiState};
use crate::probe::system::Platform;

/// The check.
pub const CHECK: Check = Check {
    id: "nvidia-smi-fails",
    severity: Severity::Critical,
    summary: "the versions agree, and nvidia-smi fails",
    source: include_str!("nvidia_smi_fails.rs"),
    needs: &[ProbeId::NvidiaSmi],
    symptoms: &[
        "unable to determine the device handle for gpu",
        "gpu is lost",
        "fallen off the bus",
        "no devices were found",
        "mismatch in versions between nvidia-smi and nvml",
        "unknown error",
    ],
    run: Run::Host(run),
};

fn run(look: &Look<'_>, derived: &Derived) -> Vec<Finding> {
    let system = look.evidence.system.known();
    let guest = system.is_some_and(|system| matches!(system.platform, Platform::Container(_)));
    if derived.driver.applicability != Applicability::Applies || derived.driver.relation != Relation::Equal || guest {
        return Vec::new();
    }
    let Some(smi) = look.hint(ProbeId::NvidiaSmi, &look.evidence.nvidia_smi).known() else { return Vec::new() };
    let Some((severity, state, what)) = failure(look, smi) else { return Vec::new() };
    let exit = smi.exit.map(|exit| format!(" (exit {exit})")).unwrap_or_default();
    let version = derived.driver.loaded.known().cloned().unwrap_or_default();
    let said = if smi.line.is_empty() { what.to_owned() } else { smi.line.clone() };
    vec![Finding {
        check: CHECK.id,
        severity,
        message: format!("module and library are both {version}, yet nvidia-smi fails: {what}{exit}"),
        evidence: vec![
            EvidenceLine::new(ProbeId::NvidiaSmi, format!("{said}{exit}")),
            EvidenceLine::new(ProbeId::Module, format!("loaded module {version}, library {version}")),
        ],
        fix: "Look at what the kernel says of the GPUs, and at which library nvidia-smi opens:\n    sudo dmesg | grep -iE \
              'nvrm|xid' | tail -n 20\n    ldd \"$(command -v nvidia-smi)\"; ldconfig -p | grep libnvidia-ml\n    nvidia-smi\n"
            .to_owned(),
        details: phrase::object(json!({ "state": state, "exit": smi.exit, "line": smi.line })),
    }]
}

/// What counts as a failure of the host, how bad it is, and in words.
fn failure(look: &Look<'_>, smi: &NvidiaSmi) -> Option<(Severity, &'static str, &'static str)> {
    use Severity::{Critical, Warning};
    let root = look.evidence.system.known().is_some_and(|system| system.uid == 0);
    let bound =
        look.evidence.pci.known().is_some_and(|pci| pci.gpus.iter().any(|gpu| gpu.driver.as_deref() == Some("nvidia")));
    match &smi.state {
        SmiState::Ok | SmiState::NotInstalled | SmiState::NoLibrary | SmiState::NoPermission | SmiState::NotStarted => {
            None
        }
        SmiState::NoDevices => (root && bound).then_some((
            Critical,
            "no-devices",
            "it finds no device though a GPU is bound to the driver",
        )),
        SmiState::Hung => Some((Warning, "hung", "it does not answer in time")),
        SmiState::Mismatch(_) => {
            Some((Critical, "mismatch", "it reports a driver/library mismatch, so it opens another library"))
        }
        SmiState::NoDriver => Some((Critical, "no-driver", "it cannot communicate with the driver")),
        SmiState::GpuLost => Some((Critical, "gpu-lost", "a GPU is lost")),
        SmiState::MixedUserspace => {
            Some((Critical, "mixed-userspace", "nvidia-smi and the library are of two versions"))
        }
        SmiState::Other => Some((Critical, "other", "it ends with an error")),
    }
}
