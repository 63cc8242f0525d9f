//! Who runs gpusweep: the login name and home folder, as OpenSSH would find them.

use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

/// The login name of this process's user: from the password file, else from the environment.
pub(crate) fn user() -> Option<String> {
    let uid = std::fs::metadata("/proc/self").ok().map(|meta| meta.uid());
    let listed = uid.and_then(|uid| {
        let passwd = std::fs::read_to_string("/etc/passwd").ok()?;
        passwd.lines().find_map(|line| {
            let mut fields = line.split(':');
            let name = fields.next()?;
            (fields.nth(1)?.parse() == Ok(uid)).then(|| name.to_owned())
        })
    });
    listed.or_else(|| ["LOGNAME", "USER"].iter().find_map(|name| std::env::var(name).ok()))
}

/// The home folder.
pub(crate) fn home() -> Option<PathBuf> {
    std::env::home_dir()
}

/// The controller's host name.
pub(crate) fn host_name() -> String {
    std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default().trim().to_owned()
}
