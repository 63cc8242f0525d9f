//! The library's version: its file first, its package second, a driver container's third.

use crate::check::Look;
use crate::derive::driver::{DriverPackage, LibrarySource, Role};
use crate::evidence::Evidence;
use crate::probe::ProbeId;
use crate::probe::library::LibraryFile;
use crate::reading::{Reading, Reason, Unread};

/// The outcome, and what stood in the way.
pub(super) struct Found {
    /// The version.
    pub version: Reading<String>,
    /// Where it was read.
    pub source: LibrarySource,
    /// Why the file did not answer, although another source may have.
    pub file_unread: Option<Unread>,
    /// The package database was wanted and could not be read.
    pub packages_unread: Option<Unread>,
}

pub(super) fn find(evidence: &Evidence, packages: &Option<Vec<DriverPackage>>, loaded: Option<&str>) -> Found {
    let host =
        evidence.library.as_ref().and_then(|library| library.host.as_ref()).and_then(|file| file.version.clone());
    let container = container(evidence);
    let file_unread = host.why_unread().cloned();
    let found = |version: Reading<String>, source| Found {
        version,
        source,
        file_unread: file_unread.clone(),
        packages_unread: None,
    };
    // The container's driver is the one in use when it, and not the host's left-over, is what is loaded.
    if let Some(version) = &container
        && loaded == Some(version)
        && host.known() != Some(version)
    {
        return found(Reading::Known(version.clone()), LibrarySource::Container);
    }
    if host.known().is_some() {
        return found(host, LibrarySource::File);
    }
    match (from_packages(packages.as_deref().unwrap_or_default()), packages) {
        (Reading::Known(version), _) => return found(Reading::Known(version), LibrarySource::Package),
        (Reading::Unread(why), _) => return found(Reading::Unread(why), LibrarySource::Package),
        (Reading::Absent, _) => {}
    }
    if let Some(version) = container {
        return found(Reading::Known(version), LibrarySource::Container);
    }
    let packages_unread = evidence.packages.why_unread().cloned();
    // What is loaded may be the driver of a container whose root is closed.
    let closed = evidence.library.known().and_then(|libraries| libraries.container.why_unread());
    if let (Some(why), Some(_), Reading::Absent) = (closed, loaded, &host) {
        return Found {
            version: Reading::Unread(why.clone()),
            source: LibrarySource::Container,
            file_unread: None,
            packages_unread: None,
        };
    }
    match (host, packages_unread) {
        // No file where files are looked for, but a package might still say that there is a library.
        (Reading::Absent, Some(why)) if loaded.is_some() => Found {
            version: Reading::Unread(why.clone()),
            source: LibrarySource::Package,
            file_unread: None,
            packages_unread: Some(why),
        },
        (host, packages_unread) => Found { version: host, source: LibrarySource::File, file_unread, packages_unread },
    }
}

/// The library under /run/nvidia/driver, unless that is only another way to the host's own.
fn container(evidence: &Evidence) -> Option<String> {
    let libraries = evidence.library.known()?;
    let inside = libraries.container.known()?;
    if libraries.host.known().is_some_and(|host| is_same_file(host, inside)) {
        return None;
    }
    inside.version.known().cloned()
}

/// True when a driver root is only a link to the host's own files.
pub(super) fn is_same_file(host: &LibraryFile, inside: &LibraryFile) -> bool {
    host.target == inside.target
}

fn from_packages(packages: &[DriverPackage]) -> Reading<String> {
    let native: Vec<_> =
        packages.iter().filter(|package| package.role == Role::Library && !package.name.contains(':')).collect();
    let sure: Vec<_> = native.iter().filter(|package| !package.state.contains('H')).collect();
    let mut versions: Vec<&String> = sure.iter().filter_map(|package| package.driver_version.as_ref()).collect();
    versions.sort();
    versions.dedup();
    match versions.as_slice() {
        [version] => Reading::Known((*version).clone()),
        [] if native.is_empty() => Reading::Absent,
        [] => {
            Reading::unread(Reason::Unparseable, "the library package is half-installed or carries no driver version")
        }
        several => Reading::unread(
            Reason::Unparseable,
            format!(
                "library packages of {} versions are installed, and the file does not say which is used",
                several.len()
            ),
        ),
    }
}

/// Records what stood in the way: load-bearing when there is no version, worth listing otherwise.
pub(super) fn note_unread(look: &Look<'_>, found: &Found) {
    if let Reading::Unread(why) = &found.version {
        let probe = if found.packages_unread.is_some() && found.file_unread.is_none() {
            ProbeId::Packages
        } else {
            ProbeId::Library
        };
        look.miss(probe, found.file_unread.clone().unwrap_or_else(|| why.clone()));
    } else if let Some(why) = &found.file_unread {
        look.lack(ProbeId::Library, why.clone());
    }
}
