//! Checks that exist for the tests of this room alone.

use crate::check::{Check, Run, Severity};
use crate::probe::ProbeId;

const SOURCE: &str = "//! # half-upgraded\n//!\n//! ## What it checks\n//! Two versions differ, and `libnvidia-ml.so.1` is \
the newer one of the two by far.\n//! It goes on.\n//!\n//! - one thing\n//! - another thing that is long enough to be broken \
somewhere\n//!\n//! ```text\n//! Driver/library   version mismatch\n//! ```\n//!\n//! ## Fix\n//! Reboot.\n\nuse x;\n//! not this\n";

const fn check(id: &'static str, severity: Severity, symptoms: &'static [&'static str]) -> Check {
    Check {
        id,
        severity,
        summary: "the driver on disk was upgraded after boot",
        source: SOURCE,
        needs: &[ProbeId::Module, ProbeId::Library],
        symptoms,
        run: Run::Host(|_, _| Vec::new()),
    }
}

/// Sorted, as the real list is.
pub static CHECKS: [Check; 4] = [
    check("driver-drift", Severity::Warning, &[]),
    check("driver-mismatch", Severity::Critical, &["driver/library version mismatch"]),
    check("half-upgraded", Severity::Critical, &["driver/library version mismatch", "failed to initialize nvml"]),
    check("persistenced-down", Severity::Info, &["nvidia-persistenced/socket: no such file"]),
];
