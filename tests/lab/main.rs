//! The lab: real hosts on this machine, contacted by the real `gpusweep` over real SSH.
//!
//! Each host is an overlay file system on a Debian tree, with its own mounts, processes, host name, boot time and sshd.
//! Its logs, package states and configuration are made by real dpkg, apt and unattended-upgrades runs at chosen dates,
//! over small packages with the real names, versions and dependencies. Root is needed; without it every test here says
//! that it was skipped, and passes. `GPUSWEEP_LAB=off` skips it too; `GPUSWEEP_LAB_CACHE` names another cache folder.

mod deb;
mod ground;
mod host;

#[test]
fn trial() {
    use host::recipe::*;
    use ground::clock::*;
    if ground::machine::missing().is_some() {
        return;
    }
    let t = std::time::Instant::now();
    let old = with_driver(OLD);
    old.layers();
    ground::shell::say(&format!("old {:?}", t.elapsed()));
    let upgraded = updater_night(&old, days_ago(3), &[security(&[NEW])]);
    upgraded.layers();
    ground::shell::say(&format!("upgraded {:?}", t.elapsed()));
    let net = host::net::Net::start();
    let run = ground::machine::cache().join("run-trial");
    let _ = std::fs::remove_dir_all(&run);
    let r = host::run::Running::start(&host::machine::Machine::new("gpu-4", upgraded).closed("535.171.04"), &net, &run, "10.77.0.4");
    ground::shell::say(&format!("started {:?}", t.elapsed()));
    println!("{}", r.inside("uname -a; cat /proc/uptime; uptime -s; cat /proc/driver/nvidia/version; nvidia-smi || true; cat /var/log/apt/history.log; ls -la --time-style=full-iso /var/log /var/log/apt /var/log/unattended-upgrades; cat /var/log/unattended-upgrades/unattended-upgrades.log; dkms status; modinfo -F version -k 5.15.0-105-generic nvidia; ldconfig -p | grep nvidia; dpkg -l | grep -E 'nvidia|linux'; apt-cache policy libnvidia-compute-535-server; tail -20 /var/log/dpkg.log"));
}
