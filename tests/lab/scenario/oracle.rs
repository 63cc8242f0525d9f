//! The oracle: the real updater runs on a throw-away copy of each configuration host, and what it really replaced must be
//! what the sweep called exposed.

use std::collections::BTreeSet;
use std::sync::Mutex;

use crate::deb::archive::Archive;
use crate::deb::debian;
use crate::fleet::lab;
use crate::ground::clock::days_ago;
use crate::host::disk::Disk;
use crate::host::recipe::{NEW, NEXT, security};
use crate::scenario::protection::table;

/// The packages a real run of the updater replaces on this disk when the next driver is on offer.
fn replaced(name: &str, disk: &Disk) -> BTreeSet<String> {
    let archives = match name {
        "p-debian" => {
            let mut packages = crate::deb::kernel::kernel("6.1.0-21-amd64", true);
            packages.extend(debian::driver("535.216.01", "1~deb12u1"));
            vec![Archive::bookworm_security(packages)]
        }
        "p-origin" => vec![security(&[]), Archive::nvidia(NEXT.revision("0ubuntu1").packages())],
        _ => vec![security(&[NEW, NEXT])],
    };
    let script = "list() { dpkg-query -W -f '${Package} ${Version}\\n' | sort; }\n\
                  mkdir -p /var/oracle\nlist >/var/oracle/before\n\
                  unattended-upgrade -v >/var/oracle/log 2>&1 || true\n\
                  list >/var/oracle/after\n";
    let layers = disk.run(days_ago(0), &archives, script).layers();
    let read = |file: &str| {
        let text = std::fs::read_to_string(layers[0].join("var/oracle").join(file)).expect("the oracle wrote it");
        text.lines()
            .filter_map(|line| line.split_once(' ').map(|(a, b)| (a.to_owned(), b.to_owned())))
            .collect::<Vec<_>>()
    };
    let (before, after) = (read("before"), read("after"));
    let kept: BTreeSet<_> = before.iter().filter(|package| after.contains(package)).map(|(name, _)| name).collect();
    // The firmware package carries its version in its name: it comes and goes, it is not replaced.
    let names = before.iter().map(|(name, _)| name).filter(|name| !kept.contains(name) && !name.contains("firmware"));
    let names: BTreeSet<String> = names.cloned().collect();
    if let Some(folder) = std::env::var_os("GPUSWEEP_LAB_DUMP") {
        let text = format!("{names:?}\n{:?}\n", layers[0]);
        drop(std::fs::write(std::path::Path::new(&folder).join(format!("{name}.oracle")), text));
    }
    names
}

#[test]
fn what_the_real_updater_replaces_is_what_was_called_exposed() {
    let Some(lab) = lab() else { return };
    let queue = Mutex::new(table().into_iter());
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                loop {
                    let Some((name, disk, _)) = queue.lock().expect("no panic while held").next() else { return };
                    let really = replaced(name, &disk);
                    let host = lab.report(name);
                    let packages = host.fact("driver_packages").as_array().cloned().unwrap_or_default();
                    let exposed: BTreeSet<String> = packages
                        .iter()
                        .filter(|package| package["protection"]["state"] == "exposed")
                        .filter_map(|package| package["name"].as_str().map(str::to_owned))
                        .filter(|package| !package.contains("firmware"))
                        .collect();
                    // An updater that dies replaces nothing; what the lists leave open is then no prediction.
                    let exposed = if host.fact("auto_upgrade") == "broken" { BTreeSet::new() } else { exposed };
                    if really != exposed {
                        let line = format!("{name}: really replaced {really:?}, called exposed {exposed:?}");
                        wrong.lock().expect("no panic while held").push(line);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no panic while held");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
