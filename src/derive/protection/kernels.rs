//! Kernel metapackages: what brings in the next kernel, and whether the updater may.

use crate::derive::protection::{Ground, Verdict};
use crate::derive::protection::{depends, graph, switch};
use crate::evidence::Evidence;
use crate::probe::packages::Package;

/// How kernels move on a host.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KernelUpgrades {
    /// Installed packages that pull in each new kernel image.
    pub metas: Vec<String>,
    /// Those of them that the updater may replace, with the words that say why.
    pub exposed: Vec<(String, String)>,
    /// Headers come along with every new image, so that DKMS can build.
    pub headers_follow: bool,
    /// Versioned headers are installed.
    pub has_headers: bool,
}

/// Reads them. What could not be read counts as not exposed: this is context for other judgements.
pub fn upgrades(evidence: &Evidence) -> KernelUpgrades {
    let Some(packages) = evidence.packages.known() else { return KernelUpgrades::default() };
    let rows: Vec<&Package> = packages.rows.iter().filter(|row| row.native && switch::on_disk(row)).collect();
    let metas: Vec<&Package> = rows.iter().copied().filter(|row| is_image_meta(row)).collect();
    let headers: Vec<String> = rows
        .iter()
        .filter(|row| row.name.starts_with("linux-headers-") && !has_kernel_version(&row.name))
        .map(|row| row.name.clone())
        .collect();
    let names: Vec<String> = metas.iter().map(|row| graph::full_name(row)).chain(headers.iter().cloned()).collect();
    let asked: Vec<&str> = names.iter().map(String::as_str).collect();
    let verdicts = Ground::survey(evidence).judge(&asked);
    let open = |name: &str| {
        let at = names.iter().position(|known| known == name)?;
        match verdicts.get(at)? {
            Verdict::Exposed(how) => Some(how.clone()),
            _ => None,
        }
    };
    let exposed: Vec<(String, String)> =
        metas.iter().filter_map(|row| Some((row.name.clone(), open(&row.name)?))).collect();
    let follows = |meta: &str| {
        let flavour = meta.strip_prefix("linux-image-").or_else(|| meta.strip_prefix("linux-")).unwrap_or(meta);
        let wanted = format!("linux-headers-{flavour}");
        headers.contains(&wanted) && open(&wanted).is_some()
    };
    KernelUpgrades {
        headers_follow: !exposed.is_empty() && exposed.iter().all(|(meta, _)| follows(meta)),
        has_headers: rows.iter().any(|row| row.name.starts_with("linux-headers-")),
        metas: metas.iter().map(|row| row.name.clone()).collect(),
        exposed,
    }
}

/// `linux-image-generic`, `linux-image-amd64`, and `linux-generic` that depends on such a one.
fn is_image_meta(row: &Package) -> bool {
    if has_kernel_version(&row.name) || !row.name.starts_with("linux-") {
        return false;
    }
    if row.name.starts_with("linux-image-") {
        return true;
    }
    let parts =
        ["linux-headers-", "linux-modules-", "linux-tools-", "linux-objects-", "linux-signatures-", "linux-cloud-"];
    !parts.iter().any(|part| row.name.starts_with(part))
        && depends::parse(&row.depends).iter().flatten().any(|wanted| wanted.name.starts_with("linux-image-"))
}

/// The name holds a kernel's version: `-5.15.0-112`.
fn has_kernel_version(name: &str) -> bool {
    name.split('-').any(|part| {
        let numbers: Vec<&str> = part.split('.').collect();
        numbers.len() == 3 && numbers.iter().all(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    })
}
