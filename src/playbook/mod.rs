//! Playbooks.
