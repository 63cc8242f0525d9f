//! Disks that many scenarios start from.

use super::disk::{Disk, KERNEL};
use crate::deb::archive::Archive;
use crate::deb::kernel::{kernel, meta};
use crate::deb::package::Package;
use crate::deb::ubuntu::Driver;
use crate::ground::clock::days_ago;

/// The incident's driver before that night.
pub const OLD: Driver = Driver::new("535-server", "535.171.04");
/// And after.
pub const NEW: Driver = Driver::new("535-server", "535.183.01");
/// What comes after that: on offer where a scenario asks what would happen tonight.
pub const NEXT: Driver = Driver::new("535-server", "535.216.01");
/// The other family: a newer branch with open modules.
pub const OTHER: Driver = Driver::new("550-server", "550.90.07").open();

/// The three patterns of the incident's blacklist.
pub const BLACKLIST: &str = r#"Unattended-Upgrade::Package-Blacklist {
    "nvidia-";
    "libnvidia-";
    "xserver-xorg-video-nvidia";
};
"#;

/// A Ubuntu 22.04 server, as the tools know it by its files: 90 days old, its updater on, no blacklist.
pub fn ubuntu() -> Disk {
    Disk::base().run(days_ago(90), &[], include_str!("ubuntu.sh"))
}

/// The running kernel with headers, installed 85 days ago.
pub fn ubuntu_kernel() -> Disk {
    ubuntu().run(
        days_ago(85),
        &[security(&[])],
        format!("apt-get install -y -qq linux-image-{KERNEL} linux-headers-{KERNEL} >/var/tmp/log\nrm /var/tmp/log\n"),
    )
}

/// The security pocket with the running kernel and these drivers' packages.
pub fn security(drivers: &[Driver]) -> Archive {
    let mut packages = kernel(KERNEL, true);
    packages.extend(meta(KERNEL, true));
    packages.extend(drivers.iter().flat_map(Driver::packages));
    Archive::jammy_security(packages)
}

/// The security pocket with further packages.
pub fn security_and(drivers: &[Driver], more: impl IntoIterator<Item = Package>) -> Archive {
    let mut archive = security(drivers);
    archive.packages.extend(more);
    archive
}

/// A node with the whole driver of this branch, built by dkms, installed 60 days ago.
pub fn with_driver(driver: Driver) -> Disk {
    let open = if driver.open { "-open" } else { "" };
    ubuntu_kernel().run(
        days_ago(60),
        &[security(&[driver])],
        install(&format!("nvidia-driver-{}{open}", driver.branch)),
    )
}

/// A script line that installs packages with real apt-get.
pub fn install(packages: &str) -> String {
    format!("apt-get install -y -qq {packages} >/var/tmp/log\nrm /var/tmp/log\n")
}

/// The night's real run of the updater at `at`, with these archives on offer. Its exit status must be 0.
pub fn updater_night(disk: &Disk, at: i64, archives: &[Archive]) -> Disk {
    disk.run(
        at,
        archives,
        "unattended-upgrade -v >/var/tmp/log 2>&1 || { cat /var/tmp/log; exit 1; }\nrm /var/tmp/log\n",
    )
}

/// The disk with a file written on it at `at`.
pub fn with_file(disk: &Disk, at: i64, path: &str, text: &str) -> Disk {
    disk.run(at, &[], format!("mkdir -p \"$(dirname {path})\"\ncat >{path} <<'LABFILE'\n{text}LABFILE\n"))
}

/// The disk with the incident's blacklist, written at `at`.
pub fn blacklisted(disk: &Disk, at: i64) -> Disk {
    with_file(disk, at, "/etc/apt/apt.conf.d/51-no-nvidia", BLACKLIST)
}
