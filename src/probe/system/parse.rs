//! The frame's sections to evidence.

use super::{PackageManager, Platform, System};
use crate::probe::Sections;
use crate::reading::Reading;

/// The process namespace of a kernel's own init has this inode on every Linux (`PROC_PID_INIT_INO`).
const FIRST_NAMESPACE: &str = "pid:[4026531836]";

/// Reads the frame.
pub fn parse(sections: &Sections) -> Reading<System> {
    let uname = match sections.reading("uname") {
        Reading::Known(lines) => lines.first().cloned().unwrap_or_default(),
        Reading::Absent => return Reading::Absent,
        Reading::Unread(unread) => return Reading::Unread(unread),
    };
    let mut words = uname.split_ascii_whitespace().skip(1);
    let mut system = System {
        node_name: words.next().unwrap_or_default().to_owned(),
        machine: words.next().unwrap_or_default().to_owned(),
        platform: platform(sections),
        dpkg_arch: line(sections, "dpkg-arch").unwrap_or_default().to_owned(),
        ..System::default()
    };
    system.package_manager = match line(sections, "package-manager") {
        Some("dpkg") => PackageManager::Dpkg,
        Some("rpm") => PackageManager::Rpm,
        _ => PackageManager::Other,
    };
    if let Some(section) = sections.get("os-release") {
        for (key, value) in section.lines.iter().filter_map(|line| line.trim().split_once('=')) {
            let value = unquoted(value);
            match key {
                "ID" => system.os_id = value,
                "ID_LIKE" => system.os_like = value.split_whitespace().map(str::to_owned).collect(),
                "VERSION_ID" => system.os_version = value,
                "VERSION_CODENAME" => system.os_codename = value,
                "PRETTY_NAME" => system.os_name = value,
                _ => {}
            }
        }
    }
    let Some((uid, groups)) = line(sections, "id").and_then(identity) else {
        let why = sections.reading("id").and_then(|_| Reading::<System>::Absent);
        return match why {
            Reading::Unread(unread) => Reading::Unread(unread),
            _ => Reading::unread(crate::reading::Reason::Unparseable, "`id` did not name a user id"),
        };
    };
    system.uid = uid;
    system.groups = groups;
    Reading::Known(system)
}

fn line<'a>(sections: &'a Sections, name: &str) -> Option<&'a str> {
    sections.get(name)?.lines.first().map(|line| line.trim())
}

fn exists(sections: &Sections, path: &str) -> bool {
    sections.all("exists").any(|section| section.lines.first().is_some_and(|line| line == path))
}

fn platform(sections: &Sections) -> Platform {
    let release =
        line(sections, "proc-version").unwrap_or_default().split_ascii_whitespace().nth(2).unwrap_or_default();
    let container = container(sections);
    if release.to_ascii_lowercase().contains("microsoft")
        || exists(sections, "/proc/sys/fs/binfmt_misc/WSLInterop")
        || container.as_deref() == Some("wsl")
    {
        return Platform::Wsl;
    }
    if let Some(release) = line(sections, "tegra-release") {
        return Platform::Jetson(tegra(release));
    }
    let tree = sections.get("device-tree").map(|section| section.lines.as_slice()).unwrap_or_default();
    if tree.iter().any(|line| line.starts_with("nvidia,tegra"))
        || exists(sections, "/var/lib/dpkg/info/nvidia-l4t-core.list")
    {
        return Platform::Jetson(String::new());
    }
    container.map_or(Platform::Machine, Platform::Container)
}

/// The kind of container, when this is one. What the manager itself left in /run or in init's environment is certain;
/// the heuristics (a file in the root folder) count only outside the kernel's first process namespace.
fn container(sections: &Sections) -> Option<String> {
    let named = line(sections, "container")
        .or_else(|| line(sections, "pid1-container").and_then(|line| line.strip_prefix("container=")))
        .filter(|kind| !kind.is_empty());
    if let Some(kind) = named {
        return Some(kind.to_owned());
    }
    if exists(sections, "/run/host/container-manager") {
        return Some("container".to_owned());
    }
    if exists(sections, "/proc/vz") && !exists(sections, "/proc/bc") {
        return Some("openvz".to_owned());
    }
    if line(sections, "pid-namespace") == Some(FIRST_NAMESPACE) {
        return None;
    }
    match line(sections, "detect-virt") {
        Some(kind) if !kind.is_empty() && kind != "none" && !kind.contains(char::is_whitespace) => {
            return Some(kind.to_owned());
        }
        _ => {}
    }
    if exists(sections, "/.dockerenv") {
        return Some("docker".to_owned());
    }
    exists(sections, "/run/.containerenv").then(|| "podman".to_owned())
}

/// `# R36 (release), REVISION: 4.3, GCID: ...` as `R36.4.3`.
fn tegra(line: &str) -> String {
    let line = line.trim_start_matches(['#', ' ']);
    let major = line.split_ascii_whitespace().next().unwrap_or_default();
    match line.split("REVISION:").nth(1).and_then(|rest| rest.split(',').next()) {
        Some(minor) => format!("{major}.{}", minor.trim()),
        None => major.to_owned(),
    }
}

/// `uid=1000(ops) gid=1000(ops) groups=1000(ops),4(adm)`.
fn identity(line: &str) -> Option<(u32, Vec<String>)> {
    let uid = line.strip_prefix("uid=")?.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()?;
    let groups = line.split_once("groups=").map(|(_, rest)| rest).unwrap_or_default();
    let groups = groups.split(" context=").next().unwrap_or_default();
    let names = groups.split(',').map(|group| match group.split_once('(') {
        Some((_, name)) => name.trim_end().trim_end_matches(')').to_owned(),
        None => group.trim().to_owned(),
    });
    Some((uid, names.filter(|name| !name.is_empty()).collect()))
}

fn unquoted(value: &str) -> String {
    let value = value.trim();
    for quote in ['"', '\''] {
        if let Some(inner) = value.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)) {
            return inner.replace('\\', "");
        }
    }
    value.to_owned()
}

#[cfg(test)]
mod tests {
    use crate::probe::samples;

    #[test]
    fn samples_read_as_expected() {
        samples::check("system", super::parse);
    }

    #[test]
    fn no_input_panics() {
        samples::survive("system", super::parse);
    }
}
