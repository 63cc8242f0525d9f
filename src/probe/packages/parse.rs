//! The frame's sections to evidence.

use super::{Package, Packages, Status};
use crate::probe::Sections;
use crate::reading::{Reading, Reason};

/// More rows of interest than any machine has, removed kernels of many years included.
const MAX_ROWS: usize = 4000;
/// The longest name, architecture, version or source.
const MAX_FIELD: usize = 300;
/// The longest list of packages; the script cuts at less.
const MAX_LIST: usize = 8000;

/// Reads the frame.
pub fn parse(sections: &Sections) -> Reading<Packages> {
    let arch =
        sections.get("arch").and_then(|section| section.lines.first()).map(|line| line.trim()).unwrap_or_default();
    let (section, row): (_, fn(&str, &str) -> Option<Package>) = match (sections.get("dpkg"), sections.get("rpm")) {
        (Some(section), _) => (section, dpkg_row),
        (None, Some(section)) => (section, rpm_row),
        (None, None) => return Reading::unread(Reason::Truncated, "no answer"),
    };
    section.reading().and_then(|lines| rows(lines, |line| row(line, arch))).and_then(|packages| {
        // Without apt itself there is no dpkg host: rows were lost.
        if packages.rows.is_empty() && section.name == "dpkg" {
            return Reading::unread(Reason::Unparseable, "the package database lists nothing, not even apt");
        }
        Reading::Known(packages)
    })
}

/// Every row or none: a row left out could be the one that a judgement hangs on.
fn rows(lines: &[String], row: impl Fn(&str) -> Option<Package>) -> Reading<Packages> {
    if lines.len() > MAX_ROWS {
        return Reading::unread(Reason::OutputCap, format!("more than {MAX_ROWS} rows of the package database"));
    }
    let mut rows = Vec::with_capacity(lines.len());
    for line in lines.iter().filter(|line| !line.trim().is_empty()) {
        match row(line) {
            Some(package) => rows.push(package),
            None => {
                let start: String = line.chars().filter(|c| !c.is_control()).take(80).collect();
                return Reading::unread(
                    Reason::Unparseable,
                    format!("a row of the package database makes no sense: {start}"),
                );
            }
        }
    }
    // `n`: known to the database, neither files nor configuration on disk.
    rows.retain(|package| package.status.state != 'n');
    Reading::Known(Packages { rows })
}

/// Status, name, architecture, version, source, `T` or `-`, Provides, dependencies.
fn dpkg_row(line: &str, native: &str) -> Option<Package> {
    let mut package = fields(line, native)?;
    let mut letters = line.chars();
    package.status = Status {
        want: letters.next().filter(|letter| "uihrp".contains(*letter))?,
        state: letters.next().filter(|letter| "ncHUFWti".contains(*letter))?,
        error: letters.next().is_some_and(|letter| letter == 'R'),
    };
    Some(package)
}

fn rpm_row(line: &str, native: &str) -> Option<Package> {
    let mut package = fields(line, native)?;
    // `nvidia-driver-535.171.04-1.el9.src.rpm` without version and release.
    let source = package.source.strip_suffix(".rpm").unwrap_or_default();
    package.source = source.rsplitn(3, '-').nth(2).unwrap_or_default().to_owned();
    if package.source == package.name {
        package.source.clear();
    }
    // rpm tells an epoch of 0 from none; they compare alike.
    if let Some(rest) = package.version.strip_prefix("0:") {
        package.version = rest.to_owned();
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
    let fits = |field: &String| field.len() <= MAX_FIELD;
    if name.is_empty() || ![&name, &arch, &version, &source].into_iter().all(fits) {
        return None;
    }
    if provides.len() > MAX_LIST || depends.len() > MAX_LIST {
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

    fn read(rows: &str) -> crate::reading::Reading<super::Packages> {
        super::parse(&crate::probe::Sections::parse(&format!("+arch\n|amd64\n-ok 0\n+dpkg\n{rows}-ok 0\n")))
    }

    #[test]
    fn one_row_that_makes_no_sense_makes_the_database_unread() {
        let good = "|ii \tapt\tamd64\t2.4.12\tapt\t-\t\t\n";
        assert_eq!(read(good).known().map(|packages| packages.rows.len()), Some(1));
        for bad in [
            "|ii apt amd64 2.4.12\n".to_owned(),
            "|?? \tapt\tamd64\t1\t\t-\t\t\n".to_owned(),
            "|ii \t\tamd64\t1\t\t-\t\t\n".to_owned(),
            format!("|ii \tapt\tamd64\t{}\t\t-\t\t\n", "1".repeat(1000)),
            format!("|ii \tapt\tamd64\t1\t\t-\t\t{}\n", "a, ".repeat(5000)),
        ] {
            let reading = read(&format!("{good}{bad}"));
            assert_eq!(
                reading.why_unread().map(|why| why.reason),
                Some(crate::reading::Reason::Unparseable),
                "{bad:.60}"
            );
        }
        assert_eq!(read("").why_unread().map(|why| why.reason), Some(crate::reading::Reason::Unparseable));
        assert_eq!(
            read(&good.repeat(5000)).why_unread().map(|why| why.reason),
            Some(crate::reading::Reason::OutputCap)
        );
    }
}
