//! The one script that runs on a host: the prelude, the probes asked for, and the line that starts them.
//!
//! The text depends on nothing but the marker and the list of probes, so what `gpusweep probe-script` prints is what
//! hosts are given.

use std::fmt::Write as _;

use super::ProbeId;

/// What more than one probe calls.
pub(super) const SHARED: &str =
    concat!(include_str!("prelude.sh"), include_str!("apt_paths.sh"), include_str!("logs.sh"));

/// The script for a controller that knows the marker: `%%` and 16 hexadecimal digits, fresh for each connection.
pub fn render(marker: &str, probes: &[ProbeId]) -> String {
    assemble(&format!("marker='{}'", marker.replace('\'', "")), probes)
}

/// The script to read and to run by hand: the host makes the marker itself.
pub fn render_printable(probes: &[ProbeId]) -> String {
    assemble("marker=%%$(od -An -N8 -tx1 /dev/urandom | tr -d ' \\n')", probes)
}

fn assemble(marker: &str, probes: &[ProbeId]) -> String {
    let mut script = format!("#!/bin/sh\n{marker}\n# gpusweep {}\n", env!("CARGO_PKG_VERSION"));
    script.push_str(SHARED);
    let mut calls = String::new();
    for probe in ProbeId::ALL.into_iter().filter(|probe| probes.contains(probe)) {
        script.push('\n');
        script.push_str(text(probe).trim_end());
        script.push('\n');
        let name = probe.name();
        let _ = writeln!(calls, "    frame {name} {} probe_{}", max_bytes(probe), name.replace('-', "_"));
    }
    let paths = if probes.iter().any(|probe| asks_apt(*probe)) { "    apt_paths\n" } else { "" };
    // bash keeps a copy of its script's descriptor and would wait there for the controller to close it, so the script
    // ends itself; behind `eval` because shellcheck takes every function before an `exit` for unreachable.
    let end = "    printf '%s done\\n' \"$marker\"\n    eval 'exit 0'\n";
    let _ = write!(script, "\nmain() {{\n    start\n{paths}{calls}{end}}}\nmain\n");
    script
}

/// Whether a probe looks where apt's configuration points to.
fn asks_apt(probe: ProbeId) -> bool {
    use ProbeId::{AptFiles, AptHistory, AptPolicy, AptPreferences, UpdaterLog};
    matches!(probe, AptFiles | AptHistory | AptPolicy | AptPreferences | UpdaterLog)
}

/// The most bytes a probe's frame may hold. A host is not trusted to be small.
fn max_bytes(probe: ProbeId) -> usize {
    match probe {
        ProbeId::AptHistory | ProbeId::DpkgLog | ProbeId::UpdaterLog => 1 << 20,
        ProbeId::Packages | ProbeId::AptPolicy => 768 << 10,
        ProbeId::AptFiles | ProbeId::AptConfig | ProbeId::AptPreferences => 256 << 10,
        _ => 64 << 10,
    }
}

/// A probe's own part.
pub(super) fn text(probe: ProbeId) -> &'static str {
    match probe {
        ProbeId::System => include_str!("../system/probe.sh"),
        ProbeId::Clock => include_str!("../clock/probe.sh"),
        ProbeId::Boot => include_str!("../boot/probe.sh"),
        ProbeId::Module => include_str!("../module/probe.sh"),
        ProbeId::Pci => include_str!("../pci/probe.sh"),
        ProbeId::Library => include_str!("../library/probe.sh"),
        ProbeId::Packages => include_str!("../packages/probe.sh"),
        ProbeId::Kernels => include_str!("../kernels/probe.sh"),
        ProbeId::AptConfig => include_str!("../apt_config/probe.sh"),
        ProbeId::AptFiles => include_str!("../apt_files/probe.sh"),
        ProbeId::Updater => include_str!("../updater/probe.sh"),
        ProbeId::AptPolicy => include_str!("../apt_policy/probe.sh"),
        ProbeId::AptPreferences => include_str!("../apt_preferences/probe.sh"),
        ProbeId::AptHistory => include_str!("../apt_history/probe.sh"),
        ProbeId::DpkgLog => include_str!("../dpkg_log/probe.sh"),
        ProbeId::UpdaterLog => include_str!("../updater_log/probe.sh"),
        ProbeId::Dkms => include_str!("../dkms/probe.sh"),
        ProbeId::Modprobe => include_str!("../modprobe/probe.sh"),
        ProbeId::RebootRequired => include_str!("../reboot_required/probe.sh"),
        ProbeId::KernelLog => include_str!("../kernel_log/probe.sh"),
        ProbeId::Persistenced => include_str!("../persistenced/probe.sh"),
        ProbeId::FabricManager => include_str!("../fabricmanager/probe.sh"),
        ProbeId::NvidiaSmi => include_str!("../nvidia_smi/probe.sh"),
    }
}

#[cfg(test)]
mod tests;
