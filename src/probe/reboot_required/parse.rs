//! The frame's sections to evidence.

use super::RebootRequired;
use crate::probe::Sections;
use crate::reading::Reading;

/// Reads the frame. The flag can stand without its list of packages.
pub fn parse(sections: &Sections) -> Reading<RebootRequired> {
    match sections.reading("packages") {
        Reading::Known(lines) => {
            let mut packages: Vec<String> = Vec::new();
            for line in lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty()) {
                if !packages.iter().any(|known| known == line) {
                    packages.push(line.to_owned());
                }
            }
            Reading::Known(RebootRequired { packages })
        }
        Reading::Absent => Reading::Known(RebootRequired::default()),
        Reading::Unread(unread) => Reading::Unread(unread),
    }
}

#[cfg(test)]
mod tests {
    use crate::probe::samples;

    #[test]
    fn samples_read_as_expected() {
        samples::check("reboot_required", super::parse);
    }

    #[test]
    fn no_input_panics() {
        samples::survive("reboot_required", super::parse);
    }
}
