//! The NVIDIA module a kernel would load: what modinfo says first, DKMS's table second.

use crate::check::Look;
use crate::derive::next_boot::ModuleSource;
use crate::probe::ProbeId;
use crate::probe::dkms::Dkms;
use crate::probe::kernels::Kernel;
use crate::reading::Reading;

pub(super) fn of(look: &Look<'_>, kernel: &Kernel) -> (Reading<String>, ModuleSource) {
    let dkms = look.evidence.dkms.known();
    match look.hint(ProbeId::Kernels, &kernel.module) {
        Reading::Known(file) => (Reading::Known(file.version.clone()), source(&file.path, dkms, &kernel.release)),
        Reading::Absent => (Reading::Absent, ModuleSource::None),
        Reading::Unread(why) => {
            match look.hint(ProbeId::Dkms, &look.evidence.dkms).known().and_then(|dkms| row(dkms, &kernel.release)) {
                Some(version) => (Reading::Known(version), ModuleSource::Dkms),
                None => (Reading::Unread(why.clone()), ModuleSource::Unknown),
            }
        }
    }
}

fn source(path: &str, dkms: Option<&Dkms>, release: &str) -> ModuleSource {
    if path.contains("/dkms/") || dkms.is_some_and(|dkms| row(dkms, release).is_some() && path.contains("/extra/")) {
        ModuleSource::Dkms
    } else if path.contains("/kernel/nvidia-") || path.contains("/extra/") || path.contains("/weak-updates/") {
        ModuleSource::Prebuilt
    } else {
        ModuleSource::Unknown
    }
}

/// The version DKMS says is installed for a kernel; only `installed` counts, and only if its files are still there.
fn row(dkms: &Dkms, release: &str) -> Option<String> {
    let here = |row: &&crate::probe::dkms::DkmsRow| {
        row.kernel.as_deref() == Some(release)
            && row.status.starts_with("installed")
            && !row.remarks.iter().any(|remark| remark.to_ascii_lowercase().contains("missing"))
    };
    dkms.rows.iter().find(here).map(|row| row.version.clone())
}
