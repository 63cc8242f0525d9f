//! The frame's sections to evidence.

use super::Dkms;
use crate::probe::Sections;
use crate::reading::{Reading, Reason};

/// Reads the frame.
pub fn parse(_sections: &Sections) -> Reading<Dkms> {
    Reading::unread(Reason::NotSupported, "no parser")
}
