//! The frame's sections to evidence.

use super::Persistenced;
use crate::probe::Sections;
use crate::reading::{Reading, Reason};

/// Reads the frame.
pub fn parse(_sections: &Sections) -> Reading<Persistenced> {
    Reading::unread(Reason::NotSupported, "no parser")
}
