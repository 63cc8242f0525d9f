//! The frame's sections to evidence.

use super::{AptFiles, ConfFile};
use crate::probe::{Sections, conf_name};
use crate::reading::Reading;
use crate::transcript::State;

/// Reads the frame.
pub fn parse(sections: &Sections) -> Reading<AptFiles> {
    let folder = sections.get("dir");
    if let Some(why) = folder.map(|dir| dir.reading()).filter(|dir| dir.why_unread().is_some()) {
        return why.and_then(|_| Reading::Absent);
    }
    let inside = folder.map(|dir| format!("{}/", dir.argument.trim_end_matches('/')));
    let files = sections.0.iter().filter(|section| section.name == "file" || section.name == "name").map(|section| {
        let name = inside.as_ref().and_then(|folder| section.argument.strip_prefix(folder.as_str()));
        ConfFile {
            path: section.argument.clone(),
            // The main file is read whatever its name.
            name_is_read: name.is_none_or(|name| conf_name::is_read(name, "conf")),
            text: (section.name == "file" && matches!(section.state, State::Ok | State::Truncated))
                .then(|| section.text())
                .filter(|text| section.state == State::Ok || !text.is_empty()),
            denied: section.state == State::Denied,
        }
    });
    Reading::Known(AptFiles { files: files.collect() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::samples;

    #[test]
    fn samples_read_as_expected() {
        samples::check("apt_files", parse);
    }

    #[test]
    fn noise_does_no_harm() {
        samples::survive("apt_files", parse);
    }
}
