//! The frame's sections to evidence.

use super::{Package, Packages, Status};
use crate::probe::Sections;
use crate::reading::{Reading, Reason};

/// Reads the frame.
pub fn parse(sections: &Sections) -> Reading<Packages> {
    let arch =
        sections.get("arch").and_then(|section| section.lines.first()).map(|line| line.trim()).unwrap_or_default();
    let (section, row): (_, fn(&str, &str) -> Option<Package>) = match (sections.get("dpkg"), sections.get("rpm")) {
        (Some(section), _) => (section, dpkg_row),
        (None, Some(section)) => (section, rpm_row),
        (None, None) => return Reading::unread(Reason::Truncated, "no answer"),
    };
    section.reading().map(|lines| Packages { rows: lines.iter().filter_map(|line| row(line, arch)).collect() })
}

/// Status, name, architecture, version, source, `T` or `-`, Provides, dependencies.
fn dpkg_row(line: &str, native: &str) -> Option<Package> {
    let mut package = fields(line, native)?;
    let mut letters = line.chars();
    package.status = Status {
        want: letters.next()?,
        state: letters.next()?,
        error: letters.next().is_some_and(|letter| letter == 'R'),
    };
    // `n`: known to the database, neither files nor configuration on disk.
    (package.status.state != 'n').then_some(package)
}

fn rpm_row(line: &str, native: &str) -> Option<Package> {
    let mut package = fields(line, native)?;
    // `nvidia-driver-535.171.04-1.el9.src.rpm` without version and release.
    let source = package.source.strip_suffix(".rpm").unwrap_or_default();
    package.source = source.rsplitn(3, '-').nth(2).unwrap_or_default().to_owned();
    if package.source == package.name {
        package.source.clear();
    }
    Some(package)
}

fn fields(line: &str, native: &str) -> Option<Package> {
    let mut fields = line.split('\t').skip(1);
    let mut next = || fields.next().map(|field| field.trim().to_owned());
    let (name, arch, version) = (next()?, next()?, next()?);
    let source = next().unwrap_or_default();
    let transitional = next().is_some_and(|flag| flag == "T");
    let (provides, depends) = (next().unwrap_or_default(), next().unwrap_or_default());
    if name.is_empty() {
        return None;
    }
    Some(Package {
        native: arch == native || arch == "all" || arch == "noarch",
        source: if source == name { String::new() } else { source },
        depends: depends.trim_end_matches([',', ' ']).to_owned(),
        provides: provides.trim_end_matches([',', ' ']).to_owned(),
        status: Status::default(),
        name,
        arch,
        version,
        transitional,
    })
}

#[cfg(test)]
mod tests {
    use crate::probe::samples;

    #[test]
    fn samples_read_as_expected() {
        samples::check("packages", super::parse);
    }

    #[test]
    fn no_input_panics() {
        samples::survive("packages", super::parse);
    }
}
