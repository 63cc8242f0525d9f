//! The frame's sections to evidence.

use super::Updater;
use crate::probe::Sections;
use crate::reading::{Reading, Reason};

/// Reads the frame.
pub fn parse(_sections: &Sections) -> Reading<Updater> {
    Reading::unread(Reason::NotSupported, "no parser")
}
