//! The lab: real hosts on this machine, contacted by the real `gpusweep` over real SSH.
//!
//! Each host is an overlay file system on a Debian tree, with its own mounts, processes, host name, boot time and sshd.
//! Its logs, package states and configuration are made by real dpkg, apt and unattended-upgrades runs at chosen dates,
//! over small packages with the real names, versions and dependencies. Root is needed; without it every test here says
//! that it was skipped, and passes. `GPUSWEEP_LAB=off` skips it too; `GPUSWEEP_LAB_CACHE` names another cache folder.
//! `GPUSWEEP_LAB_DUMP` names a folder that receives each host's transcript with all that is derived from it, and what the
//! real updater replaced.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod deb;
mod fleet;
mod ground;
mod host;
mod scenario;
mod sweep;
