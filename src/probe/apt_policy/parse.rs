//! The frame's sections to evidence.

use super::AptPolicy;
use crate::probe::Sections;
use crate::reading::{Reading, Reason};

/// Reads the frame.
pub fn parse(_sections: &Sections) -> Reading<AptPolicy> {
    Reading::unread(Reason::NotSupported, "no parser")
}
