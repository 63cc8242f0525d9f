//! Simulated hosts.
