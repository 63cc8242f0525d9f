//! # unpackaged-driver
//!
//! ## What it checks
//! The driver works and no package owns it: it came from NVIDIA's `.run` installer or an image.
//!
//! ## Why it matters
//! Context: automatic upgrades cannot touch it, and neither do security updates reach it. A kernel upgrade can still
//! take its module away.
//!
//! ## Evidence
//! The library file on disk, and a package database without any driver package.
//!
//! ## Fix
//! None is needed; `nvidia-uninstall` and packages if updates are wanted.
//!
//! ## What it does not see
//! Who installed it, and when.

use serde_json::json;

use crate::check::{Check, EvidenceLine, Finding, Look, Run, Severity, phrase};
use crate::derive::Derived;
use crate::derive::driver::{Applicability, LibrarySource, has_driver_packages};
use crate::probe::ProbeId;
use crate::probe::system::{PackageManager, Platform};

/// The check.
pub const CHECK: Check = Check {
    id: "unpackaged-driver",
    severity: Severity::Info,
    summary: "the driver was not installed by the package manager",
    source: include_str!("unpackaged_driver.rs"),
    needs: &[],
    symptoms: &["an alternate method of installing the nvidia driver was detected"],
    run: Run::Host(run),
};

fn run(look: &Look<'_>, derived: &Derived) -> Vec<Finding> {
    let driver = &derived.driver;
    let Some(system) = look.evidence.system.known() else { return Vec::new() };
    let managed = matches!(system.package_manager, PackageManager::Dpkg | PackageManager::Rpm);
    let guest = matches!(system.platform, Platform::Container(_));
    if driver.applicability != Applicability::Applies
        || !managed
        || guest
        || driver.library_source != LibrarySource::File
    {
        return Vec::new();
    }
    if look.evidence.packages.known().is_none() || has_driver_packages(&driver.packages) {
        return Vec::new();
    }
    let (Some(library), Some(file)) =
        (driver.library.known(), look.evidence.library.known().and_then(|libraries| libraries.host.known()))
    else {
        return Vec::new();
    };
    vec![Finding {
        check: CHECK.id,
        severity: CHECK.severity,
        message: format!("driver {library} belongs to no package: a `.run` installer or the image brought it"),
        evidence: vec![
            EvidenceLine::new(ProbeId::Library, format!("{} -> {}", file.link, file.target)),
            EvidenceLine::new(ProbeId::Packages, "no driver package is installed"),
        ],
        fix: "Nothing has to be done. For a driver under the package manager's care:\n    sudo nvidia-uninstall\nand then \
              install the packages your other hosts have.\n"
            .to_owned(),
        details: phrase::object(json!({ "library": library, "target": file.target })),
    }]
}
