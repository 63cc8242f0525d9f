//! A package archive on disk, with the Release fields by which apt and the updater know it.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};

use crate::ground::machine::cache;
use crate::ground::shell::{digest, sh};

use super::package::Package;

/// One archive: a folder under `/srv/mirror` with one suite and one component.
#[derive(Debug, Clone)]
pub struct Archive {
    /// Its folder's name.
    pub name: &'static str,
    /// `Origin`.
    pub origin: &'static str,
    /// `Label`.
    pub label: &'static str,
    /// `Suite`, also its folder under `dists`.
    pub suite: &'static str,
    /// `Codename`.
    pub codename: &'static str,
    /// The component.
    pub component: &'static str,
    /// Its packages.
    pub packages: Vec<Package>,
}

impl Archive {
    /// Ubuntu's security pocket.
    pub fn jammy_security(packages: Vec<Package>) -> Self {
        Self {
            name: "ubuntu",
            origin: "Ubuntu",
            label: "Ubuntu",
            suite: "jammy-security",
            codename: "jammy",
            component: "restricted",
            packages,
        }
    }

    /// NVIDIA's own repository, which carries no suite.
    pub fn nvidia(packages: Vec<Package>) -> Self {
        Self {
            name: "cuda",
            origin: "NVIDIA",
            label: "NVIDIA CUDA",
            suite: "",
            codename: "",
            component: "main",
            packages,
        }
    }

    /// Debian's security archive.
    pub fn bookworm_security(packages: Vec<Package>) -> Self {
        Self {
            name: "debian-security",
            origin: "Debian",
            label: "Debian-Security",
            suite: "stable-security",
            codename: "bookworm-security",
            component: "non-free",
            packages,
        }
    }

    /// The line for a host's sources.
    pub fn source(&self) -> String {
        format!("deb [trusted=yes] copy:/srv/mirror/{} {} {}\n", self.name, self.folder(), self.component)
    }

    fn folder(&self) -> &'static str {
        match (self.suite, self.codename) {
            ("", _) => "stable",
            (suite, "jammy") => suite,
            (_, codename) => codename,
        }
    }
}

/// A mirror folder with these archives in it, from the cache.
pub fn mirror(archives: &[Archive]) -> PathBuf {
    type Made = Mutex<BTreeMap<String, Arc<OnceLock<PathBuf>>>>;
    static MADE: Made = Mutex::new(BTreeMap::new());
    let key = digest(&[&format!("{archives:?}"), "3"]);
    let cell = Arc::clone(MADE.lock().expect("no panic while held").entry(key.clone()).or_default());
    cell.get_or_init(|| make(archives, &key)).clone()
}

fn make(archives: &[Archive], key: &str) -> PathBuf {
    let done = cache().join("mirror").join(key);
    if done.is_dir() {
        return done;
    }
    let raw = done.with_extension("making");
    drop(fs::remove_dir_all(&raw));
    for archive in archives {
        let root = raw.join(archive.name);
        let pool = root.join("pool");
        fs::create_dir_all(&pool).expect("cache is writable");
        let mut files = Vec::new();
        for package in &archive.packages {
            let built = package.build();
            if pool.join(package.file_name()).exists() {
                continue; // offered twice, for example by two drivers with a tool in common
            }
            fs::hard_link(&built, pool.join(package.file_name())).expect("same file system");
            files.push(package);
        }
        let sums = sh(&format!("cd {}; if [ -n \"$(ls)\" ]; then sha256sum -- *; fi", pool.display()));
        let sums: BTreeMap<&str, &str> =
            sums.lines().filter_map(|line| line.split_once("  ").map(|(sum, name)| (name, sum))).collect();
        let mut index = String::new();
        for package in files {
            let name = package.file_name();
            let size = fs::metadata(pool.join(&name)).expect("just linked").len();
            let sum = sums.get(name.as_str()).expect("just summed");
            index.push_str(&format!("{}Filename: pool/{name}\nSize: {size}\nSHA256: {sum}\n\n", package.control()));
        }
        let dist = root.join("dists").join(archive.folder());
        let folder = format!("{}/binary-amd64", archive.component);
        fs::create_dir_all(dist.join(&folder)).expect("cache is writable");
        fs::write(dist.join(&folder).join("Packages"), &index).expect("cache is writable");
        let sum = sh(&format!("sha256sum < {}", dist.join(&folder).join("Packages").display()));
        let sum = sum.split_whitespace().next().expect("a sum");
        let mut release = format!("Origin: {}\nLabel: {}\n", archive.origin, archive.label);
        for (name, value) in [("Suite", archive.suite), ("Codename", archive.codename)] {
            if !value.is_empty() {
                release.push_str(&format!("{name}: {value}\n"));
            }
        }
        release.push_str(&format!(
            "Date: Sat, 14 Jun 2025 00:00:00 UTC\nArchitectures: amd64 i386\nComponents: {}\nSHA256:\n {sum} {} {folder}/Packages\n",
            archive.component,
            index.len()
        ));
        fs::write(dist.join("Release"), release).expect("cache is writable");
    }
    fs::rename(&raw, &done).expect("same file system");
    done
}
