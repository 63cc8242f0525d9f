//! Which packages are the driver, by an allow-list: much else is called `nvidia`, and some of the driver is not.
//!
//! Names come with a branch (`-535`), a flavour (`-server`, `-open`), a Debian variant (`-tesla-470`, `-legacy-390xx`)
//! or, since branch 590, with none of them. The branch in a name is never taken for the version: a transitional package
//! carries the next branch's.

mod names;
mod rpm;

pub use rpm::rpm;

use names::{BEGINNINGS, NAMES, OWN_VERSION};

use crate::derive::driver::Role;
use crate::derive::version;

/// The part of the driver a dpkg package is; `None` when it is no part of it.
pub fn dpkg(name: &str, full_version: &str) -> Option<Role> {
    let role = by_name(name)?;
    let moves_with_driver = version::is_driver(version::upstream(full_version));
    // Debian's nvidia-kernel-common is dated, not versioned: the same name is the driver's elsewhere.
    Some(if role != Role::KernelModule && !moves_with_driver { Role::OwnVersion } else { role })
}

fn by_name(name: &str) -> Option<Role> {
    if is_prebuilt_module(name) {
        return Some(Role::KernelModule);
    }
    if ["-dev", "-doc", "-dbg", "-dbgsym"].iter().any(|end| name.ends_with(end)) || name.contains("-dev-") {
        return None;
    }
    if OWN_VERSION.contains(&name) {
        return Some(Role::OwnVersion);
    }
    if is_monolith(name) {
        return Some(Role::Library);
    }
    let plain = without_variant(name);
    if let Some((role, _)) = BEGINNINGS.iter().find(|(_, starts)| starts.iter().any(|start| plain.starts_with(start))) {
        return Some(*role);
    }
    let without_flavour = strip_flavour(&plain);
    let candidates = [&plain, without_flavour, strip_branch(&plain), strip_branch(without_flavour)];
    NAMES.iter().find(|(_, names)| candidates.iter().any(|name| names.contains(name))).map(|(role, _)| *role)
}

/// `linux-modules-nvidia-535-5.15.0-112-generic`, its objects and signatures; never `linux-modules-nvidia-fs-...`.
fn is_prebuilt_module(name: &str) -> bool {
    let digit_after =
        |start: &str| name.strip_prefix(start).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    ["linux-modules-nvidia-", "linux-objects-nvidia-", "linux-signatures-nvidia-", "nvidia-kernel-"]
        .iter()
        .any(|start| digit_after(start))
}

/// `nvidia-384`, `nvidia-304-updates`, `nvidia-current`: one package for everything, before the split.
fn is_monolith(name: &str) -> bool {
    let Some(rest) = name.strip_prefix("nvidia-") else { return false };
    let rest = rest.strip_suffix("-updates").unwrap_or(rest);
    rest == "current" || (rest.len() == 3 && rest.bytes().all(|b| b.is_ascii_digit()))
}

/// The name without `-tesla`, `-tesla-470` or `-legacy-390xx`.
fn without_variant(name: &str) -> String {
    let parts: Vec<&str> = name.split('-').collect();
    let mut kept: Vec<&str> = Vec::with_capacity(parts.len());
    let mut rest = parts.as_slice();
    while let [part, tail @ ..] = rest {
        rest = match (*part, tail) {
            ("tesla", [branch, after @ ..]) if is_branch(branch) => after,
            ("tesla", after) => after,
            ("legacy", [branch, after @ ..]) if branch.strip_suffix("xx").is_some_and(is_branch) => after,
            _ => {
                kept.push(part);
                tail
            }
        };
    }
    kept.join("-")
}

fn is_branch(word: &str) -> bool {
    word.len() == 3 && word.bytes().all(|b| b.is_ascii_digit())
}

fn strip_flavour(name: &str) -> &str {
    ["-server-open", "-server", "-open"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name)
}

fn strip_branch(name: &str) -> &str {
    match name.rsplit_once('-') {
        Some((head, tail)) if is_branch(tail) => head,
        _ => name,
    }
}

#[cfg(test)]
mod tests;
