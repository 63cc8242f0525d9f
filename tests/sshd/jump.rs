//! jump
