//! The fan-out.
