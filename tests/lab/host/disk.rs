//! Disks: chains of cached overlay layers. Equal steps on equal floors are made once and shared by all hosts.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};

use crate::deb::archive::{Archive, mirror};
use crate::ground::base::base;
use crate::ground::chamber::Chamber;
use crate::ground::machine::cache;
use crate::ground::shell::digest;

/// The kernel hosts run unless a scenario says otherwise.
pub const KERNEL: &str = "5.15.0-105-generic";

/// A disk state; cheap to clone, made on demand.
#[derive(Clone)]
pub struct Disk(Option<Arc<Step>>);

struct Step {
    below: Disk,
    at: i64,
    archives: Vec<Archive>,
    kernel: &'static str,
    script: String,
}

impl Disk {
    /// The bare base tree.
    pub const fn base() -> Self {
        Self(None)
    }

    /// This disk after `script` ran on it at the date `at` (seconds since the epoch), with these archives on offer.
    /// The script runs under `/bin/sh -eu`; its sources file lists exactly the archives given, if any are.
    pub fn run(&self, at: i64, archives: &[Archive], script: impl Into<String>) -> Self {
        self.run_on(at, archives, KERNEL, script)
    }

    /// The same on another running kernel.
    pub fn run_on(&self, at: i64, archives: &[Archive], kernel: &'static str, script: impl Into<String>) -> Self {
        let mut text = String::new();
        if !archives.is_empty() {
            text.push_str("cat >/etc/apt/sources.list <<'SOURCES'\n");
            for archive in archives {
                text.push_str(&archive.source());
            }
            text.push_str("SOURCES\napt-get update -qq\n");
        }
        text.push_str(&script.into());
        Self(Some(Arc::new(Step { below: self.clone(), at, archives: archives.to_vec(), kernel, script: text })))
    }

    /// Its layers, nearest first, the base tree last; made now if they are not in the cache.
    ///
    /// # Panics
    /// When a step's script fails.
    pub fn layers(&self) -> Vec<PathBuf> {
        self.build().1
    }

    fn build(&self) -> (String, Vec<PathBuf>) {
        type Cells = Mutex<BTreeMap<String, Arc<OnceLock<()>>>>;
        static CELLS: Cells = Mutex::new(BTreeMap::new());
        static BASE: OnceLock<PathBuf> = OnceLock::new();
        let Some(step) = &self.0 else {
            let base = BASE.get_or_init(base).clone();
            return (base.display().to_string(), vec![base]);
        };
        let (floor, mut layers) = step.below.build();
        let at = step.at.to_string();
        let archives = format!("{:?}", step.archives);
        let key = digest(&[&floor, &at, step.kernel, &archives, &step.script, "1"]);
        let layer = cache().join("disk").join(&key);
        let cell = Arc::clone(CELLS.lock().expect("no panic while held").entry(key.clone()).or_default());
        cell.get_or_init(|| {
            if !layer.is_dir() {
                std::fs::create_dir_all(cache().join("disk")).expect("cache is writable");
                let mirror = (!step.archives.is_empty()).then(|| mirror(&step.archives));
                Chamber {
                    below: &layers,
                    layer: &layer,
                    at: step.at,
                    mirror: mirror.as_deref(),
                    kernel: step.kernel,
                    script: &step.script,
                }
                .run();
            }
        });
        layers.insert(0, layer);
        (key, layers)
    }
}
