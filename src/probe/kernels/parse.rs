//! The frame's sections to evidence.

use super::{Kernel, Kernels, ModuleFile, order};
use crate::probe::{Section, Sections};
use crate::reading::{Reading, Reason};
use crate::transcript::State;

/// More kernels than a disk holds.
const MAX_KERNELS: usize = 1000;

/// Reads the frame.
pub fn parse(sections: &Sections) -> Reading<Kernels> {
    let running = match sections.reading("running") {
        Reading::Known(lines) => lines.first().map(|line| line.trim().to_owned()).unwrap_or_default(),
        Reading::Absent => return Reading::Absent,
        Reading::Unread(unread) => return Reading::Unread(unread),
    };
    let images = names(sections, "images");
    let folders = names(sections, "folders");
    if images.len().max(folders.len()) > MAX_KERNELS {
        return Reading::unread(Reason::OutputCap, format!("more than {MAX_KERNELS} kernels"));
    }
    let mut releases: Vec<&str> = images.iter().chain(&folders).copied().collect();
    releases.sort_by_cached_key(|release| order::key(release));
    releases.dedup();
    let installed = releases
        .into_iter()
        .map(|release| Kernel {
            release: release.to_owned(),
            image: images.contains(&release),
            module: module(sections, release),
        })
        .collect();
    // `grub-reboot` sets an entry for the next boot alone, whatever GRUB_DEFAULT says.
    let once = grub_entry(sections, "next_entry=");
    Reading::Known(Kernels {
        installed,
        grub_default: if once.is_some() { Some("saved".to_owned()) } else { grub_default(sections) },
        saved_entry: once.or_else(|| grub_entry(sections, "saved_entry=")),
        no_local_images: images.is_empty(),
        images_unread: sections.get("images").and_then(|section| section.reading().why_unread().cloned()),
        saved_unread: sections.all("grubenv").find_map(|section| section.reading().why_unread().cloned()),
        running,
    })
}

fn names<'a>(sections: &'a Sections, name: &str) -> Vec<&'a str> {
    let lines = sections.get(name).map(|section| section.lines.as_slice()).unwrap_or_default();
    lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).collect()
}

fn module(sections: &Sections, release: &str) -> Reading<ModuleFile> {
    match sections.all("module").find(|section| section.argument == release) {
        Some(section) => module_file(section),
        None => Reading::unread(Reason::Truncated, format!("only the newest kernels are looked into, not `{release}`")),
    }
}

/// modinfo's `filename:`, `version:` and `srcversion:` behind the name that modules.dep gave.
fn module_file(section: &Section) -> Reading<ModuleFile> {
    let value = |key: &str| {
        let value = section.lines.iter().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
        value.map(|value| value.trim().to_owned()).unwrap_or_default()
    };
    if section.state == State::Failed && section.exit == Some(127) {
        return Reading::unread(
            Reason::NotSupported,
            format!("`modinfo` is not installed (kernel {})", section.argument),
        );
    }
    section.reading().and_then(|_| {
        let path = value("filename");
        let named = value("name");
        let name = if named.is_empty() { stem(&path) } else { named };
        let file = ModuleFile { name, version: value("version"), path };
        if file.path.is_empty() || file.version.is_empty() {
            return Reading::Unread(section.unread(Reason::Unparseable));
        }
        Reading::Known(file)
    })
}

fn stem(path: &str) -> String {
    let file = path.rsplit('/').next().unwrap_or_default();
    file.split(".ko").next().unwrap_or_default().to_owned()
}

/// The last `GRUB_DEFAULT=` wins: the file, then its drop-ins.
fn grub_default(sections: &Sections) -> Option<String> {
    let line =
        sections.get("grub-default")?.lines.iter().rev().find_map(|line| line.trim().strip_prefix("GRUB_DEFAULT="))?;
    let value = line.split(" #").next().unwrap_or_default().trim().trim_matches(['"', '\'']);
    (!value.is_empty()).then(|| value.to_owned())
}

fn grub_entry(sections: &Sections, key: &str) -> Option<String> {
    let entry = sections.all("grubenv").flat_map(|section| &section.lines).find_map(|line| line.strip_prefix(key))?;
    (!entry.trim().is_empty()).then(|| entry.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use crate::probe::samples;

    #[test]
    fn samples_read_as_expected() {
        samples::check("kernels", super::parse);
    }

    #[test]
    fn no_input_panics() {
        samples::survive("kernels", super::parse);
    }

    #[test]
    fn more_kernels_than_a_disk_holds_are_not_sorted() {
        let many: String = (0..5000).map(|n| format!("|5.15.0-{n}-generic\n")).collect();
        let body = format!("+running\n|5.15.0-1-generic\n-ok 0\n+images /boot\n{many}-ok 0\n");
        assert_eq!(
            super::parse(&crate::probe::Sections::parse(&body)).why_unread().map(|why| why.reason),
            Some(crate::reading::Reason::OutputCap)
        );
    }
}
