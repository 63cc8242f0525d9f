//! The installed driver packages, out of the package database's rows.

use crate::derive::driver::{DriverPackage, Role};
use crate::derive::{package_role, version};
use crate::evidence::Evidence;
use crate::probe::packages::{Package, Status};
use crate::probe::system::PackageManager;
use crate::reading::Reading;

/// Driver packages on disk, native ones first; `None` when the database could not be read.
pub(super) fn installed(evidence: &Evidence) -> Option<Vec<DriverPackage>> {
    let rows = match &evidence.packages {
        Reading::Known(packages) => packages.rows.as_slice(),
        Reading::Absent => &[],
        Reading::Unread(_) => return None,
    };
    let rpm = evidence.system.known().is_some_and(|system| system.package_manager == PackageManager::Rpm);
    let on_disk = |native: bool| {
        rows.iter()
            .filter(move |row| row.native == native && is_on_disk(row.status))
            .filter_map(|row| package(row, rpm))
    };
    Some(on_disk(true).chain(on_disk(false)).collect())
}

/// dpkg's letters that leave files on disk, whatever the administrator wants; half-installed (`H`) may. An rpm row has
/// no letters and is always installed.
fn is_on_disk(status: Status) -> bool {
    matches!(status.state, '\0' | 'i' | 'U' | 'F' | 'H' | 'W' | 't')
}

/// The part of the driver that a row is, whatever its state.
pub(super) fn role(row: &Package, rpm: bool) -> Option<Role> {
    if rpm { package_role::rpm(&row.name) } else { package_role::dpkg(&row.name, &row.version) }
}

fn package(row: &Package, rpm: bool) -> Option<DriverPackage> {
    let role = role(row, rpm)?;
    let upstream = version::upstream(&row.version);
    let has_driver_version = role != Role::KernelModule || rpm;
    Some(DriverPackage {
        name: if row.native { row.name.clone() } else { format!("{}:{}", row.name, row.arch) },
        version: row.version.clone(),
        driver_version: (has_driver_version && version::is_driver(upstream)).then(|| upstream.to_owned()),
        role,
        state: letters(row.status),
        held: row.status.want == 'h',
    })
}

fn letters(status: Status) -> String {
    let all = [status.want, status.state, if status.error { 'R' } else { '\0' }];
    all.into_iter().filter(|letter| *letter != '\0').collect()
}
