//! The frame's sections to evidence. The text is that of `dkms status`: `m, v, k, a: status` up to dkms 2.8,
//! `m/v, k, a: status` since 3.0, with remarks in brackets behind the status.

use super::{Dkms, DkmsRow};
use crate::probe::Sections;
use crate::reading::Reading;

/// Reads the frame. An aborted listing keeps what it listed, with its errors.
pub fn parse(sections: &Sections) -> Reading<Dkms> {
    let Some(section) = sections.get("status") else {
        return sections.reading("status").map(|_| Dkms::default());
    };
    let mut dkms = Dkms::default();
    for line in section.lines.iter().map(|line| line.trim()) {
        if line.starts_with("Error!") || line.starts_with("ERROR") {
            dkms.errors.push(line.to_owned());
        } else if let Some(row) = row(line).filter(|row| is_driver(&row.module)) {
            dkms.rows.push(row);
        }
    }
    if dkms == Dkms::default() { section.reading().map(|_| dkms) } else { Reading::Known(dkms) }
}

/// NVIDIA's storage and peer-memory modules come in DKMS packages of their own, with versions of their own.
fn is_driver(module: &str) -> bool {
    module.starts_with("nvidia")
        && !["fs", "gds", "peer"].iter().any(|part| module.get(7..).is_some_and(|rest| rest.starts_with(part)))
}

fn row(line: &str) -> Option<DkmsRow> {
    let (head, tail) = line.split_once(": ")?;
    let mut fields = head.split(", ");
    let first = fields.next()?;
    let (module, version) = match first.split_once('/') {
        Some((module, version)) => (module, version),
        None => (first, fields.next()?),
    };
    if [module, version].iter().any(|word| word.is_empty() || word.contains(char::is_whitespace)) {
        return None;
    }
    let (words, mut remarks) = (tail.split('(').next().unwrap_or_default().trim(), remarks(tail));
    let (status, origin) = words.split_once(' ').unwrap_or((words, ""));
    if !origin.is_empty() {
        remarks.insert(0, origin.to_owned());
    }
    Some(DkmsRow {
        module: module.to_owned(),
        version: version.to_owned(),
        kernel: fields.next().map(str::to_owned),
        status: status.to_owned(),
        remarks,
    })
}

/// What stands in brackets, each remark once.
fn remarks(tail: &str) -> Vec<String> {
    let mut remarks: Vec<String> = Vec::new();
    for part in tail.split('(').skip(1) {
        let remark = part.split(')').next().unwrap_or_default().trim();
        if !remark.is_empty() && !remarks.iter().any(|known| known == remark) {
            remarks.push(remark.to_owned());
        }
    }
    remarks
}

#[cfg(test)]
mod tests {
    use crate::probe::samples;

    #[test]
    fn samples_read_as_expected() {
        samples::check("dkms", super::parse);
    }

    #[test]
    fn no_input_panics() {
        samples::survive("dkms", super::parse);
    }
}
