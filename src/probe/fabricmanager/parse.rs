//! The frame's sections to evidence.

use super::FabricManager;
use crate::probe::Sections;
use crate::probe::updater::unit;
use crate::reading::Reading;

/// Reads the frame.
pub fn parse(sections: &Sections) -> Reading<FabricManager> {
    unit::read(sections, "nvidia-fabricmanager.service").map(|unit| FabricManager { unit })
}

#[cfg(test)]
mod tests {
    use crate::probe::samples;

    #[test]
    fn samples_read_as_expected() {
        samples::check("fabricmanager", super::parse);
    }

    #[test]
    fn no_input_panics() {
        samples::survive("fabricmanager", super::parse);
    }
}
