//! What keeps automatic upgrades off the driver, and what only seems to.

use crate::deb::archive::Archive;
use crate::deb::debian;
use crate::fleet::{Entry, Part, lab};
use crate::ground::clock::days_ago;
use crate::host::disk::{Disk, KERNEL};
use crate::host::machine::Machine;
use crate::host::recipe::{
    BLACKLIST, NEW, NEXT, OLD, install, security, ubuntu_kernel, updater_night, with_driver, with_file,
};
use crate::scenario::incident::night;

/// A drop-in's usual place.
const DROP_IN: &str = "/etc/apt/apt.conf.d/51-no-nvidia";

/// A whitelist without a word of the driver.
const WHITELIST: &str = "Unattended-Upgrade::Package-Whitelist { \"libc6\"; \"openssl\"; };\n";

/// A node with the whole driver whose lists already offer the next version, after a change of configuration.
pub fn configured(script: &str) -> Disk {
    with_driver(NEW).run(days_ago(1), &[security(&[NEW, NEXT])], "true").run(days_ago(0) - 3600, &[], script)
}

/// The same with one drop-in file.
pub fn drop_in(path: &str, text: &str) -> Disk {
    with_file(&configured("true"), days_ago(0) - 1800, path, text)
}

/// A blacklist of these entries, written as they stand.
pub fn list(entries: &str) -> String {
    format!("Unattended-Upgrade::Package-Blacklist {{\n{entries}\n}};\n")
}

/// Names, disks and expected findings of the hosts whose configuration is judged, and tried by the oracle.
/// An empty list means `ok`.
pub fn table() -> Vec<(&'static str, Disk, &'static [&'static str])> {
    let commented = "Unattended-Upgrade::Package-Blacklist {\n//  \"nvidia-\";\n//  \"libnvidia-\";\n# \"xserver-xorg-video-nvidia\";\n};\n";
    let hold_all = "apt-mark hold $(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\\n' '*nvidia*' | sed -n 's/^ii *//p') >/var/tmp/log\nrm /var/tmp/log\n";
    let hold_meta = "apt-mark hold nvidia-driver-535-server >/var/tmp/log\nrm /var/tmp/log\n";
    let pin = "Package: *nvidia*\nPin: release *\nPin-Priority: -1\n";
    vec![
        ("p-none", configured("true"), &["unconfigured"]),
        ("p-list", drop_in(DROP_IN, BLACKLIST), &[]),
        ("p-commented", drop_in(DROP_IN, commented), &["blacklist-ineffective", "unconfigured"]),
        ("p-held", configured(hold_all), &[]),
        ("p-held-meta", configured(hold_meta), &["protection-gap"]),
        ("p-meta", drop_in(DROP_IN, &list("\"nvidia-driver\";")), &["protection-gap"]),
        ("p-libs", drop_in(DROP_IN, &list("\"libnvidia-\";")), &["protection-gap"]),
        ("p-all", drop_in(DROP_IN, &list("\".*nvidia.*\";")), &[]),
        ("p-empty", drop_in(DROP_IN, &list("\"\";")), &[]),
        (
            "p-semicolon",
            drop_in(DROP_IN, &list("\"nvidia-\"\n\"libnvidia-\";\n\"xserver-xorg-video-nvidia\";")),
            &["blacklist-ineffective", "protection-gap"],
        ),
        (
            "p-plural",
            drop_in(DROP_IN, &BLACKLIST.replace("Upgrade::", "Upgrades::")),
            &["blacklist-ineffective", "unconfigured"],
        ),
        (
            "p-case",
            drop_in(DROP_IN, &BLACKLIST.replace("Unattended-Upgrade::Package", "unattended-upgrade::PACKAGE")),
            &[],
        ),
        (
            "p-named",
            drop_in(DROP_IN, &list("one \"nvidia-\";\ntwo \"libnvidia-\";\nthree \"xserver-xorg-video-nvidia\";")),
            &[],
        ),
        ("p-ignored", drop_in("/etc/apt/apt.conf.d/51.nvidia", BLACKLIST), &["blacklist-ineffective", "unconfigured"]),
        (
            "p-cleared",
            with_file(
                &drop_in(DROP_IN, BLACKLIST),
                days_ago(0) - 900,
                "/etc/apt/apt.conf.d/60-reset",
                "#clear Unattended-Upgrade::Package-Blacklist;\n",
            ),
            &["blacklist-ineffective", "unconfigured"],
        ),
        ("p-broken", drop_in(DROP_IN, &list("\"*nvidia*\";")), &["updater-broken"]),
        ("p-pin", with_file(&configured("true"), days_ago(0) - 900, "/etc/apt/preferences.d/nvidia", pin), &[]),
        // Since 2.0 a whitelist that is not strict shuts nothing out: the oracle shows it.
        ("p-whitelist", drop_in(DROP_IN, WHITELIST), &["unconfigured"]),
        (
            "p-strict",
            drop_in(DROP_IN, &format!("{WHITELIST}Unattended-Upgrade::Package-Whitelist-Strict \"true\";\n")),
            &[],
        ),
        ("p-glob", drop_in(DROP_IN, &list("\"nvidia*\";")), &["protection-gap"]),
        ("p-upper", drop_in(DROP_IN, &list("\"NVIDIA-\";")), &["updater-broken"]),
        (
            "p-service",
            configured("systemctl disable unattended-upgrades.service >/var/tmp/log 2>&1\nrm /var/tmp/log\n"),
            &["unconfigured"],
        ),
        ("p-origin", nvidia_origin(), &[]),
        ("p-debian", debian_node(), &["protection-gap"]),
    ]
}

/// The updater's own switch is off, and somebody's cron job upgrades past it.
fn cron() -> Disk {
    let off = drop_in("/etc/apt/apt.conf.d/20auto-upgrades", "APT::Periodic::Unattended-Upgrade \"0\";\n");
    let off = with_file(&off, days_ago(0) - 900, DROP_IN, BLACKLIST);
    with_file(&off, days_ago(0) - 800, "/etc/cron.d/upgrade", "15 4 * * * root apt-get update && apt-get -y upgrade\n")
}

/// Another process holds dpkg's lock.
const APT_AT_WORK: &str = r#"mkdir -p /run/bin; cp /usr/bin/python3 /run/bin/apt-get
/run/bin/apt-get -c 'import fcntl,os,time
r,w=os.pipe()
if os.fork():
    os.read(r,1); os._exit(0)
f=open("/var/lib/dpkg/lock-frontend","w"); fcntl.lockf(f,fcntl.LOCK_EX)
g=open("/var/lib/dpkg/lock","w"); fcntl.lockf(g,fcntl.LOCK_EX)
os.write(w,b"x"); time.sleep(1e6)'"#;

/// Packages of NVIDIA's own repository, whose origin the updater does not allow.
fn nvidia_origin() -> Disk {
    let old = Archive::nvidia(NEW.revision("0ubuntu1").packages());
    let mut both = NEW.revision("0ubuntu1").packages();
    both.extend(NEXT.revision("0ubuntu1").packages());
    ubuntu_kernel().run(days_ago(60), &[security(&[]), old], install("nvidia-driver-535-server")).run(
        days_ago(1),
        &[security(&[]), Archive::nvidia(both)],
        "true",
    )
}

/// Debian's own names under the incident's list: libcuda1 and others are matched by no pattern.
fn debian_node() -> Disk {
    let mut packages = crate::deb::kernel::kernel("6.1.0-21-amd64", true);
    packages.extend(debian::driver("535.183.01", "1~deb12u1"));
    let mut newer = packages.clone();
    newer.extend(debian::driver("535.216.01", "1~deb12u1"));
    let names =
        "linux-image-6.1.0-21-amd64 linux-headers-6.1.0-21-amd64 nvidia-driver nvidia-persistenced nvidia-modprobe";
    let debian =
        Disk::base().run_on(days_ago(60), &[Archive::bookworm_security(packages)], "6.1.0-21-amd64", install(names));
    with_file(
        &debian.run(days_ago(1), &[Archive::bookworm_security(newer)], "true"),
        days_ago(1) + 600,
        DROP_IN,
        BLACKLIST,
    )
}

/// A compute node: no metapackage ties its packages together. Its list names only `nvidia-`.
fn compute_node() -> Disk {
    let names = "libnvidia-compute-535-server nvidia-utils-535-server nvidia-compute-utils-535-server \
                 nvidia-dkms-535-server";
    let node = ubuntu_kernel().run(days_ago(60), &[security(&[OLD])], install(names));
    let listed = with_file(&node, days_ago(50), DROP_IN, &list("\"nvidia-\";"));
    updater_night(&listed, night(), &[security(&[NEW])])
}

pub fn part() -> Part {
    let mut part = Part::default();
    for (name, disk, _) in table() {
        let kernel = if name == "p-debian" { "6.1.0-21-amd64" } else { KERNEL };
        part = part.host(Machine::new(name, disk).closed(NEW.version).kernel(kernel), "protection");
    }
    let closed = drop_in(DROP_IN, BLACKLIST).run(days_ago(0) - 600, &[], format!("chmod 600 {DROP_IN}\n"));
    let later = "APT::Periodic::Unattended-Upgrade \"0\";\n";
    let purge = |how: &str| {
        configured(&format!("apt-get {how} -y -qq unattended-upgrades >/var/tmp/log 2>&1\nrm /var/tmp/log\n"))
    };
    part.host(Machine::new("p-unreadable", closed).closed(NEW.version), "protection")
        .entry(Entry::new("p-unreadable-root", "protection").on("p-unreadable").sudo())
        .host(
            Machine::new("p-off", drop_in("/etc/apt/apt.conf.d/20auto-upgrades", later)).closed(NEW.version),
            "protection",
        )
        .host(Machine::new("p-later", drop_in("/etc/apt/apt.conf.d/99-later", later)).closed(NEW.version), "protection")
        .host(Machine::new("p-purged", purge("purge")).closed(NEW.version), "protection")
        .host(Machine::new("p-removed", purge("remove")).closed(NEW.version), "protection")
        .host(
            Machine::new(
                "p-masked",
                configured("systemctl mask apt-daily-upgrade.timer >/var/tmp/log 2>&1\nrm /var/tmp/log\n"),
            )
            .closed(NEW.version),
            "protection",
        )
        .host(Machine::new("p-cron", cron()).closed(NEW.version), "protection")
        .host(Machine::new("p-no-lists", configured("rm -rf /var/lib/apt/lists/*\n")).closed(NEW.version), "protection")
        .host(
            Machine::new("p-running", drop_in(DROP_IN, BLACKLIST)).closed(NEW.version).start(APT_AT_WORK),
            "protection",
        )
        .host(Machine::new("snippet-none", configured("true")).closed(NEW.version), "protection")
        .host(Machine::new("snippet-gap", drop_in(DROP_IN, &list("\"nvidia-\";"))).closed(NEW.version), "protection")
        .host(Machine::new("snippet-debian", debian_node()).closed(NEW.version).kernel("6.1.0-21-amd64"), "protection")
        .host(Machine::new("p-partial", compute_node()).closed(OLD.version), "protection")
}

#[test]
fn each_configuration_is_judged_as_it_works() {
    let Some(lab) = lab() else { return };
    let mut wrong = Vec::new();
    for (name, _, alarms) in table() {
        let host = lab.report(name);
        let wanted = if alarms.is_empty() { "ok" } else { "warning" };
        if (host.verdict(), host.alarms()) != (wanted, alarms.to_vec()) {
            wrong.push(format!("{name}: {} {:?}, not {wanted} {alarms:?}", host.verdict(), host.alarms()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_means_of_protection_are_named() {
    let Some(lab) = lab() else { return };
    for (name, means) in [
        ("p-list", "blacklist"),
        ("p-held", "hold"),
        ("p-pin", "pin"),
        ("p-strict", "whitelist"),
        ("p-origin", "origin-not-allowed"),
        ("p-off", "periodic-off"),
        ("p-later", "periodic-off"),
        ("p-purged", "not-installed"),
        ("p-removed", "not-installed"),
        ("p-masked", "timer-off"),
    ] {
        let host = lab.report(name);
        host.expect("ok", &[]);
        assert_eq!(host.fact("protected_by"), &serde_json::json!([means]), "{name}");
    }
}

#[test]
fn an_unreadable_drop_in_is_unverified_and_readable_for_root() {
    let Some(lab) = lab() else { return };
    let host = lab.report("p-unreadable");
    assert_eq!(host.verdict(), "unverified", "{:#}", host.value);
    assert!(host.value["unverified"].to_string().contains("permission-denied"), "{:#}", host.value);
    lab.report("p-unreadable-root").expect("ok", &[]);
}

#[test]
fn a_partial_list_let_a_real_run_replace_only_the_library() {
    let Some(lab) = lab() else { return };
    let said = lab.running("p-partial").inside("dpkg-query -W -f '${Package} ${Version}\\n' '*nvidia*' | grep 535.183");
    assert_eq!(said.trim(), "libnvidia-compute-535-server 535.183.01-0ubuntu0.22.04.1");
    let host = lab.report("p-partial");
    // The list kept dkms's package: the next boot still loads the old module, a reboot does not cure.
    host.expect("critical", &["half-upgraded", "mixed-driver-versions", "protection-gap", "reboot-loses-driver"]);
    host.expect_detail("half-upgraded", "by", "unattended-upgrades");
    host.expect_detail("half-upgraded", "packages", 1);
    assert_eq!(host.fact("uncovered"), &serde_json::json!(["libnvidia-compute-535-server"]));
}

#[test]
fn the_suggested_configuration_leaves_nothing_to_find() {
    let Some(lab) = lab() else { return };
    for name in ["snippet-none", "snippet-gap", "snippet-debian"] {
        let before = lab.report(name);
        let check = before.alarms().first().copied().unwrap_or("none").to_owned();
        assert!(["unconfigured", "protection-gap"].contains(&check.as_str()), "{name}: {check}");
        let fix = before.finding(&check)["fix"].as_str().unwrap_or_default().to_owned();
        let (path, text) = file_of(&fix);
        lab.running(name).inside(&format!("cat >{path} <<'CONF'\n{text}CONF\n"));
        let after = lab.gpusweep(&["sweep", "--limit", name]);
        after.host(name).expect("ok", &[]);
    }
}

/// The configuration file a fix prints: its path, and the lines from the block's start to its end.
fn file_of(fix: &str) -> (String, String) {
    let path = fix.split(['`', ' ', '\n', '\'']).find(|word| word.starts_with("/etc/apt/apt.conf.d/"));
    let path = path.unwrap_or_else(|| panic!("no file is named in: {fix}"));
    let start = fix.find("Unattended-Upgrade::Package-Blacklist").unwrap_or_else(|| panic!("no block in: {fix}"));
    let end = fix[start..].find("};").unwrap_or_else(|| panic!("no end in: {fix}")) + start + 2;
    (path.trim_end_matches([':', ',']).to_owned(), format!("{}\n", &fix[start..end]))
}

#[test]
fn a_cron_job_goes_past_the_blacklist() {
    let Some(lab) = lab() else { return };
    lab.report("p-cron").expect("warning", &["unconfigured"]);
}

#[test]
fn without_package_lists_the_origins_are_unknown() {
    let Some(lab) = lab() else { return };
    let host = lab.report("p-no-lists");
    assert_eq!(host.verdict(), "unverified", "{:#}", host.value);
    assert!(host.value["unverified"].to_string().contains("no-apt-lists"), "{:#}", host.value);
}

#[test]
fn a_running_upgrade_is_unverified() {
    let Some(lab) = lab() else { return };
    let host = lab.report("p-running");
    assert_eq!(host.verdict(), "unverified", "{:#}", host.value);
    assert!(host.value["unverified"].to_string().contains("upgrade-running"), "{:#}", host.value);
}
