//! The frame's sections to evidence.

use super::UpdaterLog;
use crate::probe::Sections;
use crate::reading::{Reading, Reason};

/// Reads the frame.
pub fn parse(_sections: &Sections) -> Reading<UpdaterLog> {
    Reading::unread(Reason::NotSupported, "no parser")
}
