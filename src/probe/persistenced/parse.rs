//! The frame's sections to evidence.

use super::Persistenced;
use crate::probe::Sections;
use crate::probe::updater::{Unit, unit};
use crate::reading::Reading;

/// Reads the frame. The daemon can be there without a unit.
pub fn parse(sections: &Sections) -> Reading<Persistenced> {
    let unit = match unit::read(sections, "nvidia-persistenced.service") {
        Reading::Known(unit) => unit,
        Reading::Absent => Unit { load: "not-found".to_owned(), ..Unit::default() },
        Reading::Unread(unread) => return Reading::Unread(unread),
    };
    sections
        .reading("socket")
        .map(|lines| Persistenced { unit, socket: lines.first().is_some_and(|line| line.trim() == "yes") })
}

#[cfg(test)]
mod tests {
    use crate::probe::samples;

    #[test]
    fn samples_read_as_expected() {
        samples::check("persistenced", super::parse);
    }

    #[test]
    fn no_input_panics() {
        samples::survive("persistenced", super::parse);
    }
}
