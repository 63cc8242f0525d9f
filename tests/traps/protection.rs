//! What keeps automatic upgrades off the driver.

use crate::Case;
use crate::case::ARCHIVE;

const V: &str = "535.183.01-0ubuntu0.22.04.1";

/// A compute node: the library, the tools, DKMS.
fn compute() -> Case {
    Case::healthy().packages(&[
        ("ii", "libnvidia-compute-535-server", V, ""),
        ("ii", "nvidia-dkms-535-server", V, ""),
        ("ii", "nvidia-utils-535-server", V, ""),
    ])
}

#[test]
fn patterns() {
    let lib = "[\"libnvidia-compute-535-server\"]";
    let none = "[\"libnvidia-compute-535-server\",\"nvidia-dkms-535-server\",\"nvidia-utils-535-server\"]";
    for (patterns, checks, protection, uncovered) in [
        (&["nvidia-", "libnvidia-"][..], "", "full", "[]"),
        (&["nvidia-"], "protection-gap warning", "partial", lib),
        (&["nvidia*"], "protection-gap warning", "partial", lib),
        (&["nvidia-*."], "protection-gap warning", "partial", lib),
        (&[".*nvidia.*"], "", "full", "[]"),
        (&["^(lib)?nvidia-"], "", "full", "[]"),
        (&["(?i)(lib)?NVIDIA-"], "", "full", "[]"),
        (&["(?!linux-).*nvidia"], "", "full", "[]"),
        (&["..."], "", "full", "[]"),
        (&[""], "", "full", "[]"),
        (&["libnvidia-*-server"], "blacklist-ineffective warning, unconfigured warning", "none", none),
        (&["libnvidia- nvidia-"], "blacklist-ineffective warning, unconfigured warning", "none", none),
        (&["nvidia-driver-535"], "unconfigured warning", "none", none),
        (&["cuda-", "linux-"], "unconfigured warning", "none", none),
        (&[".*nvidia.*$", "x"], "", "full", "[]"),
    ] {
        compute().blacklist(patterns).sees(&[
            ("checks", checks),
            ("facts/protection", protection),
            ("facts/uncovered", uncovered),
            ("facts/auto_upgrade", "on"),
            ("unverified", ""),
        ]);
    }
}

#[test]
fn an_invalid_pattern_breaks_the_updater() {
    compute().blacklist(&["linux-*", "*nvidia*"]).sees(&[
        ("verdict", "warning"),
        ("checks", "updater-broken warning"),
        ("facts/auto_upgrade", "broken"),
        ("facts/blacklist", "[\"linux-*\",\"*nvidia*\"]"),
    ]);
    compute()
        .section("apt-config", "dump", "")
        .ends("apt-config", "dump", "failed 100")
        .section("apt-config", "messages", "E: Syntax error /etc/apt/apt.conf.d/52nvidia:3: Extra junk after value")
        .sees(&[("checks", "updater-broken warning"), ("facts/auto_upgrade", "broken")]);
}

#[test]
fn an_unreadable_drop_in_is_unverified() {
    let denied = "W: Unable to read /etc/apt/apt.conf.d/52nvidia - open (13: Permission denied)";
    compute().blacklist(&[]).section("apt-config", "messages", denied).sees(&[
        ("verdict", "unverified"),
        ("checks", ""),
        ("unverified", "apt-config permission-denied"),
        ("facts/protection", "unknown"),
        ("facts/auto_upgrade", "unknown"),
    ]);
    // Holds stand whatever the file says.
    compute().blacklist(&[]).hold("").section("apt-config", "messages", denied).sees(&[
        ("verdict", "ok"),
        ("facts/protection", "full"),
        ("facts/protected_by", "[\"hold\"]"),
    ]);
}

#[test]
fn keys_and_children() {
    let base = || compute().blacklist(&[]);
    base().config("unattended-upgrade::package-blacklist:: \"nvidia-\";\nUnattended-Upgrade::Package-Blacklist::mine \"libnvidia-\";").sees(&[
        ("checks", ""),
        ("facts/protection", "full"),
    ]);
    // The node's own value is no entry.
    base()
        .config("Unattended-Upgrade::Package-Blacklist \".*nvidia.*\";")
        .sees(&[("facts/protection", "none"), ("facts/blacklist", "[]")]);
    // Plural namespace.
    base().config("Unattended-Upgrades::Package-Blacklist:: \"nvidia-\";\nUnattended-Upgrades::Package-Blacklist:: \"libnvidia-\";").sees(&[
        ("facts/protection", "none"),
        ("facts/blacklist", "[]"),
    ]);
}

#[test]
fn switches() {
    let open = || compute().blacklist(&[]);
    let set = |value: &str| {
        open().replace(
            "apt-config",
            "APT::Periodic::Unattended-Upgrade \"1\";",
            &format!("APT::Periodic::Unattended-Upgrade \"{value}\";"),
        )
    };
    let all = "[]";
    set("0").sees(&[
        ("verdict", "ok"),
        ("facts/auto_upgrade", "off"),
        ("facts/protection", "full"),
        ("facts/protected_by", "[\"periodic-off\"]"),
        ("facts/uncovered", all),
    ]);
    for on in ["7", "always", "12h", "\u{ff10}"] {
        set(on).sees(&[("verdict", "warning"), ("checks", "unconfigured warning"), ("facts/auto_upgrade", "on")]);
    }
    open()
        .drop_lines("apt-config", "APT::Periodic::Unattended-Upgrade")
        .sees(&[("facts/auto_upgrade", "off"), ("facts/protected_by", "[\"periodic-off\"]")]);
    open().config("APT::Periodic::Enable \"0\";").sees(&[("facts/auto_upgrade", "off"), ("verdict", "ok")]);
    open().config("APT::Periodic::Enable \"\u{ff10}\";").sees(&[("facts/auto_upgrade", "on")]);
    // Lists that are not refreshed do not switch upgrades off.
    open()
        .replace("apt-config", "Update-Package-Lists \"1\"", "Update-Package-Lists \"0\"")
        .sees(&[("facts/auto_upgrade", "on")]);
    let masked = "Id=apt-daily-upgrade.timer\nLoadState=masked\nUnitFileState=masked\nActiveState=inactive";
    open().section("updater", "unit apt-daily-upgrade.timer", masked).sees(&[
        ("verdict", "ok"),
        ("facts/auto_upgrade", "off"),
        ("facts/protected_by", "[\"timer-off\"]"),
        ("facts/protection", "full"),
    ]);
    // The service of the same name as the program handles only shutdown.
    let disabled = "Id=unattended-upgrades.service\nLoadState=loaded\nUnitFileState=disabled\nActiveState=inactive";
    open()
        .section("updater", "unit unattended-upgrades.service", disabled)
        .sees(&[("checks", "unconfigured warning"), ("facts/auto_upgrade", "on")]);
    open()
        .section(
            "updater",
            "unit unattended-upgrades.service",
            &disabled.replace("disabled", "masked").replace("=loaded", "=masked"),
        )
        .sees(&[("facts/auto_upgrade", "on")]);
    let timer_disabled = "Id=apt-daily-upgrade.timer\nLoadState=loaded\nUnitFileState=disabled\nActiveState=";
    open()
        .section("updater", "unit apt-daily-upgrade.timer", &format!("{timer_disabled}inactive"))
        .sees(&[("facts/auto_upgrade", "off"), ("facts/protected_by", "[\"timer-off\"]")]);
    open()
        .section("updater", "unit apt-daily-upgrade.timer", &format!("{timer_disabled}active"))
        .sees(&[("facts/auto_upgrade", "on")]);
}

#[test]
fn the_program_is_gone() {
    let gone = || compute().blacklist(&[]).without("updater", "program");
    gone().drop_lines("packages", "unattended-upgrades").sees(&[
        ("verdict", "ok"),
        ("facts/auto_upgrade", "absent"),
        ("facts/protection", "full"),
        ("facts/protected_by", "[\"not-installed\"]"),
    ]);
    // Removed, configuration left.
    gone()
        .replace("packages", "ii \tunattended-upgrades", "rc \tunattended-upgrades")
        .sees(&[("verdict", "ok"), ("facts/auto_upgrade", "absent")]);
}

#[test]
fn other_schedulers() {
    let line = "/etc/cron.d/patch\t0 4 * * 0 root apt-get update && apt-get -y upgrade";
    // The blacklist does not bind it.
    compute().section("updater", "schedulers", line).sees(&[
        ("verdict", "warning"),
        ("checks", "unconfigured warning"),
        ("facts/auto_upgrade", "on"),
        ("facts/protection", "none"),
    ]);
    compute().section("updater", "schedulers", line).hold("").sees(&[
        ("verdict", "ok"),
        ("facts/protection", "full"),
        ("facts/protected_by", "[\"hold\"]"),
    ]);
    compute()
        .drop_lines("apt-config", "APT::Periodic::Unattended-Upgrade")
        .section("updater", "schedulers", line)
        .sees(&[("checks", "unconfigured warning")]);
    compute()
        .drop_lines("packages", "unattended-upgrades")
        .without("updater", "program")
        .section("updater", "schedulers", line)
        .sees(&[("checks", "unconfigured warning"), ("facts/auto_upgrade", "on")]);
    // cron runs the updater itself: its list counts.
    compute()
        .drop_lines("apt-config", "APT::Periodic::Unattended-Upgrade")
        .section("updater", "schedulers", "/etc/cron.d/uu\t0 4 * * 0 root /usr/bin/unattended-upgrade")
        .sees(&[("verdict", "ok"), ("facts/auto_upgrade", "on"), ("facts/protected_by", "[\"blacklist\"]")]);
}

#[test]
fn holds() {
    compute().blacklist(&[]).hold("").sees(&[
        ("verdict", "ok"),
        ("checks", ""),
        ("facts/protection", "full"),
        ("facts/protected_by", "[\"hold\"]"),
    ]);
    compute().blacklist(&[]).hold("nvidia-").sees(&[
        ("checks", "protection-gap warning"),
        ("facts/protection", "partial"),
        ("facts/uncovered", "[\"libnvidia-compute-535-server\"]"),
    ]);
    // A foreign twin is held separately, and `name$` misses it.
    let twins = [("hi", "libnvidia-compute-535", V, ""), ("ii", "libnvidia-compute-535:i386", V, "")];
    Case::healthy()
        .packages(&twins)
        .blacklist(&[])
        .sees(&[("checks", "protection-gap warning"), ("facts/uncovered", "[\"libnvidia-compute-535:i386\"]")]);
    let twins = [("ii", "libnvidia-compute-535", V, ""), ("ii", "libnvidia-compute-535:i386", V, "")];
    Case::healthy()
        .packages(&twins)
        .blacklist(&["libnvidia-compute-535$"])
        .sees(&[("facts/uncovered", "[\"libnvidia-compute-535:i386\"]")]);
    Case::healthy().packages(&twins).sees(&[("checks", ""), ("facts/protection", "full")]);
}

#[test]
fn tied_is_weaker_than_matched() {
    let exact = &format!("libnvidia-compute-535-server (= {V})");
    let rows =
        [("ii", "libnvidia-compute-535-server", V, ""), ("ii", "libnvidia-decode-535-server", V, exact.as_str())];
    Case::healthy().packages(&rows).blacklist(&["libnvidia-compute"]).sees(&[
        ("verdict", "warning"),
        ("checks", "protection-gap warning"),
        ("facts/protection", "partial"),
        ("facts/uncovered", "[\"libnvidia-decode-535-server\"]"),
        ("facts/driver_packages/1/protection/state", "tied"),
        ("facts/driver_packages/0/protection/by", "[\"blacklist\"]"),
    ]);
}

#[test]
fn pins() {
    let pin = |package: &str, pin: &str, priority: &str| {
        compute().blacklist(&[]).more(
            "apt-preferences",
            "pins /etc/apt/preferences.d/nvidia",
            &format!("Package: {package}\nPin: {pin}\nPin-Priority: {priority}"),
        )
    };
    pin("*nvidia*", "version 535.183.01-*", "1001").sees(&[
        ("verdict", "ok"),
        ("facts/protected_by", "[\"pin\"]"),
        ("facts/protection", "full"),
    ]);
    pin("*nvidia*", "version 535.*", "1001").sees(&[("checks", "unconfigured warning"), ("facts/protection", "none")]);
    pin("*nvidia*", "release o=Ubuntu", "-1").sees(&[("verdict", "ok"), ("facts/protected_by", "[\"pin\"]")]);
    pin("*nvidia*", "release l=NVIDIA CUDA", "600").sees(&[("checks", "unconfigured warning")]);
    pin("nvidia-*", "version 535.183.01-*", "1001").sees(&[("checks", "protection-gap warning")]);
    compute()
        .blacklist(&[])
        .more("apt-preferences", "pins /etc/apt/preferences.d/nvidia", "")
        .ends("apt-preferences", "pins", "denied 1")
        .sees(&[
            ("verdict", "unverified"),
            ("unverified", "apt-preferences permission-denied"),
            ("facts/protection", "unknown"),
        ]);
}

#[test]
fn origins() {
    let cuda = "https://mirror.example/cuda/ubuntu2204/x86_64  Packages";
    let release = "release o=NVIDIA,l=NVIDIA CUDA,c=";
    compute().blacklist(&[]).from_source(cuda, release).sees(&[
        ("verdict", "ok"),
        ("checks", "nothing-eligible info"),
        ("facts/protection", "full"),
        ("facts/protected_by", "[\"origin-not-allowed\"]"),
        ("facts/auto_upgrade", "on"),
    ]);
    compute()
        .blacklist(&[])
        .from_source(cuda, release)
        .config("Unattended-Upgrade::Allowed-Origins:: \"NVIDIA:\";")
        .sees(&[("checks", "unconfigured warning")]);
    for pattern in ["origin=NVIDIA", "o=NV*", "label=NVIDIA CUDA", "origin=*"] {
        compute()
            .blacklist(&[])
            .from_source(cuda, release)
            .config(&format!("Unattended-Upgrade::Origins-Pattern:: \"{pattern}\";"))
            .sees(&[("checks", "unconfigured warning")]);
    }
    for pattern in ["origin=Nvidia", "origin=Debian,codename=${distro_codename}", "origin=NVIDIA,label=Other"] {
        compute()
            .blacklist(&[])
            .from_source(cuda, release)
            .config(&format!("Unattended-Upgrade::Origins-Pattern:: \"{pattern}\";"))
            .sees(&[("checks", "nothing-eligible info")]);
    }
    let sources = format!("Package files:\n 600 {cuda}\n     {release}\n     origin mirror.example");
    let by_site = "Unattended-Upgrade::Origins-Pattern:: \"site=mirror.example\";";
    compute()
        .blacklist(&[])
        .from_source(cuda, release)
        .section("apt-policy", "sources", &sources)
        .config(by_site)
        .sees(&[("checks", "unconfigured warning")]);
    // Allowed only through an expanded name.
    compute()
        .blacklist(&[])
        .drop_lines("apt-config", "Allowed-Origins:: ")
        .config("Unattended-Upgrade::Origins-Pattern:: \"origin=${distro_id},codename=${distro_codename}\";")
        .sees(&[("checks", "unconfigured warning")]);
}

#[test]
fn a_vendor_build_at_a_higher_priority_is_exposed_to_the_archive() {
    let cuda = "https://mirror.example/cuda/ubuntu2204/x86_64  Packages";
    let sources = format!(
        "Package files:\n 600 {cuda}\n     release o=NVIDIA,l=NVIDIA CUDA,c=\n     origin mirror.example\n 500 {ARCHIVE}\n     release o=Ubuntu,a=jammy-security,n=jammy,l=Ubuntu,c=restricted,b=amd64\n     origin mirror.example"
    );
    for installed_from in [format!("\n        600 {cuda}"), String::new()] {
        let table = format!(
            "libnvidia-compute-535-server:\n  Installed: 535.183.01-0ubuntu1\n  Candidate: 535.183.01-0ubuntu1\n  Version table:\n     535.216.01-0ubuntu0.22.04.1 500\n        500 {ARCHIVE}\n *** 535.183.01-0ubuntu1 600{installed_from}\n        100 /var/lib/dpkg/status"
        );
        let host = || {
            Case::healthy()
                .packages(&[("ii", "libnvidia-compute-535-server", "535.183.01-0ubuntu1", "")])
                .blacklist(&[])
                .section("apt-policy", "sources", &sources)
                .section("apt-policy", "packages", &table)
        };
        host().sees(&[("checks", "unconfigured warning"), ("facts/protection", "none")]);
        // A pin on the very package stands.
        host()
            .more(
                "apt-preferences",
                "pins /etc/apt/preferences.d/n",
                "Package: libnvidia-*\nPin: version 535.183.01-0ubuntu1\nPin-Priority: 1001",
            )
            .sees(&[("checks", "driver-update-due info"), ("facts/protected_by", "[\"pin\"]")]);
    }
}

#[test]
fn no_lists_is_no_protection() {
    compute().blacklist(&[]).section("apt-policy", "lists", "0 0").sees(&[
        ("verdict", "unverified"),
        ("checks", ""),
        ("unverified", "apt-policy no-apt-lists"),
        ("facts/protection", "unknown"),
        ("facts/uncovered", "[]"),
    ]);
    // The list alone protects, whatever the origins.
    compute().section("apt-policy", "lists", "0 0").sees(&[("verdict", "ok"), ("facts/protection", "full")]);
}

#[test]
fn whitelists() {
    let strict =
        "Unattended-Upgrade::Package-Whitelist:: \"openssl\";\nUnattended-Upgrade::Package-Whitelist-Strict \"true\";";
    compute().blacklist(&[]).config(strict).sees(&[
        ("verdict", "ok"),
        ("facts/protected_by", "[\"whitelist\"]"),
        ("facts/protection", "full"),
    ]);
    compute()
        .blacklist(&[])
        .config(&strict.replace("openssl", ".*nvidia.*"))
        .sees(&[("checks", "unconfigured warning")]);
}

#[test]
fn names_of_every_kind() {
    let debian = "535.183.01-1~deb12u1";
    Case::healthy()
        .packages(&[
            ("ii", "libnvidia-ml1", debian, ""),
            ("ii", "libcuda1", debian, ""),
            ("ii", "nvidia-driver", debian, ""),
            ("ii", "nvidia-persistenced", "535.171.04-1~deb12u1", ""),
            ("ii", "firmware-nvidia-gsp", debian, ""),
        ])
        .sees(&[
            ("verdict", "warning"),
            ("checks", "protection-gap warning"),
            ("facts/uncovered", "[\"libcuda1\",\"firmware-nvidia-gsp\"]"),
        ]);
    Case::healthy()
        .packages(&[
            ("ii", "cuda-drivers", "535.183.01-1", ""),
            ("ii", "libnvidia-compute-535", "535.183.01-0ubuntu1", ""),
            ("ii", "libxnvctrl0", "550.54.15-0ubuntu1", ""),
            ("ii", "nvidia-settings", "510.47.03-0ubuntu1", ""),
        ])
        .sees(&[("checks", "protection-gap warning"), ("facts/uncovered", "[\"cuda-drivers\"]")]);
    // Transitional names carry the next branch's version and are neither mixed nor the branch.
    Case::healthy()
        .packages(&[
            ("ii", "libnvidia-compute-535", V, ""),
            ("ii", "libnvidia-compute-530", V, ""),
            ("ii", "nvidia-driver-530", V, ""),
        ])
        .sees(&[("verdict", "ok"), ("checks", "")]);
    // Removed branches are not on disk.
    Case::healthy()
        .packages(&[
            ("ii", "libnvidia-compute-535-server", V, ""),
            ("rc", "libnvidia-compute-595", "595.71.05-0ubuntu1", ""),
            ("rc", "nvidia-linux-grid-535", "535.247.01", ""),
        ])
        .sees(&[("verdict", "ok"), ("checks", ""), ("facts/driver_packages/1", "(no such key)")]);
    // Look-alikes only: nothing of the driver is packaged.
    Case::healthy()
        .packages(&[
            ("ii", "nvidia-container-toolkit", "1.18.1-1", ""),
            ("ii", "nvidia-prime", "0.8.17", ""),
            ("ii", "linux-image-nvidia-hwe-24.04", "6.8.0.1015.16", ""),
        ])
        .blacklist(&[])
        .sees(&[("verdict", "ok"), ("checks", "unpackaged-driver info"), ("facts/protection", "not-needed")]);
}

#[test]
fn states_of_packages() {
    Case::healthy()
        .packages(&[("iF", "libnvidia-compute-535-server", V, ""), ("iU", "nvidia-utils-535-server", V, "")])
        .sees(&[
            ("verdict", "critical"),
            ("checks", "package-half-configured critical"),
            ("facts/driver_packages/0/state", "iF"),
        ]);
    Case::healthy()
        .packages(&[
            ("ii", "libnvidia-compute-535-server", V, ""),
            ("ii", "nvidia-utils-535-server", "535.171.04-0ubuntu0.22.04.1", ""),
        ])
        .sees(&[("checks", "mixed-driver-versions warning")]);
    // Never mixed: own versions, firmware, module packages, foreign twins.
    Case::healthy()
        .packages(&[
            ("ii", "libnvidia-compute-535-server", V, ""),
            ("ii", "libnvidia-compute-535-server:i386", "535.171.04-0ubuntu0.22.04.1", ""),
            ("ii", "nvidia-settings", "510.47.03-0ubuntu1", ""),
            ("ii", "nvidia-modprobe", "550.54.15-0ubuntu1", ""),
            ("ii", "nvidia-firmware-535-server-535.171.04", "535.171.04-0ubuntu0.22.04.1", ""),
            ("ii", "libnvidia-egl-wayland1", "1:1.1.13-1ubuntu0.1", ""),
        ])
        .sees(&[("verdict", "ok"), ("checks", "")]);
}

#[test]
fn automatic_reboot() {
    compute()
        .config("Unattended-Upgrade::Automatic-Reboot \"true\";")
        .sees(&[("verdict", "ok"), ("checks", "auto-reboot info")]);
    compute()
        .blacklist(&[])
        .config("Unattended-Upgrade::Automatic-Reboot \"true\";")
        .sees(&[("checks", "auto-reboot warning, unconfigured warning")]);
}

#[test]
fn an_upgrade_is_running() {
    compute()
        .section("updater", "processes", "unattended-upgr here /usr/bin/python3 /usr/bin/unattended-upgrade")
        .sees(&[("verdict", "unverified"), ("unverified", "updater upgrade-running")]);
    // The shutdown helper waits for ever and changes nothing.
    compute().section("updater", "processes", "unattended-upgr here /usr/bin/python3 /usr/share/unattended-upgrades/unattended-upgrade-shutdown --wait-for-signal").sees(&[("verdict", "ok")]);
    compute().section("updater", "processes", "apt-get elsewhere apt-get -y install x").sees(&[("verdict", "ok")]);
}

#[test]
fn capital_letters_kill_the_updater() {
    compute().blacklist(&["NVIDIA-"]).sees(&[("checks", "updater-broken warning"), ("facts/auto_upgrade", "broken")]);
    // Before 2.0 there were no pins made from patterns: it simply matches nothing.
    compute()
        .replace("packages", "2.9.1+nmu3", "1.1ubuntu1.18.04.14")
        .blacklist(&["NVIDIA-"])
        .sees(&[("checks", "blacklist-ineffective warning, unconfigured warning"), ("facts/auto_upgrade", "on")]);
}

#[test]
fn what_only_delays_does_not_protect() {
    for line in [
        "Unattended-Upgrade::Update-Days:: \"Sun\";",
        "Unattended-Upgrade::OnlyOnACPower \"true\";",
        "Unattended-Upgrade::Skip-Updates-On-Metered-Connections \"true\";",
        "APT::Get::Always-Include-Phased-Updates \"false\";",
    ] {
        compute().blacklist(&[]).config(line).sees(&[("checks", "unconfigured warning"), ("facts/protection", "none")]);
    }
}

#[test]
fn a_held_metapackage_only_ties() {
    Case::healthy().blacklist(&[]).hold("nvidia-driver-535-server").sees(&[
        ("verdict", "warning"),
        ("checks", "protection-gap warning"),
        ("facts/protection", "partial"),
        ("facts/protected_by", "[\"hold\"]"),
    ]);
    let host = Case::healthy().blacklist(&[]).hold("nvidia-driver-535-server").judged();
    let state = |name: &str| {
        let package = host.facts.driver_packages.iter().find(|package| package.name == name).unwrap();
        package.protection.as_ref().unwrap().state.clone()
    };
    assert_eq!(state("nvidia-driver-535-server"), "blocked");
    assert_eq!(state("libnvidia-compute-535-server"), "tied");
    assert_eq!(state("nvidia-utils-535-server"), "tied");
    assert_eq!(state("nvidia-dkms-535-server"), "tied");
}

#[test]
fn two_switches_at_once() {
    Case::healthy()
        .replace("apt-config", "Periodic::Unattended-Upgrade \"1\"", "Periodic::Unattended-Upgrade \"0\"")
        .sees(&[
            ("facts/protected_by", "[\"blacklist\",\"periodic-off\"]"),
            ("facts/protection", "full"),
            ("checks", ""),
        ]);
}

#[test]
fn detours_and_transitional_leftovers() {
    Case::healthy()
        .loaded("460.91.03")
        .no_library()
        .ends("library", "cache", "denied 1")
        .ends("library", "folders", "denied 1")
        .module_file("5.15.0-105-generic", "updates/dkms/nvidia.ko", "460.91.03")
        .packages(&[("ii", "libnvidia-compute-460", "1:470.57.02+really.460.91.03-0ubuntu1", "")])
        .sees(&[("verdict", "ok"), ("facts/library_version", "460.91.03"), ("facts/library_source", "package")]);
    let host = Case::healthy().packages(&[("ii", "libnvidia-compute-535", V, "")]);
    host.append(
        "packages",
        "dpkg",
        "ii \tnvidia-driver-525\tamd64\t530.41.03-0ubuntu0.22.04.2\tnvidia-graphics-drivers\tT\t\t",
    )
    .sees(&[("facts/library_version", "535.183.01"), ("mixed-driver-versions/x", "no finding mixed-driver-versions")]);
}
