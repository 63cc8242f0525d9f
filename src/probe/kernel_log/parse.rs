//! The frame's sections to evidence.

use super::KernelLog;
use crate::probe::Sections;
use crate::reading::{Reading, Reason};

/// Reads the frame.
pub fn parse(_sections: &Sections) -> Reading<KernelLog> {
    Reading::unread(Reason::NotSupported, "no parser")
}
