//! A text that was meant to protect and does not.

use crate::Case;

fn open() -> Case {
    Case::healthy().blacklist(&[]).without("apt-files", "file /etc/apt/apt.conf.d/52nvidia-hold")
}

const FULL: &str =
    "Unattended-Upgrade::Package-Blacklist {\n  \"nvidia-\";\n  \"libnvidia-\";\n  \"xserver-xorg-video-nvidia\";\n};";
const INEFFECTIVE: &[(&str, &str)] = &[
    ("verdict", "warning"),
    ("checks", "blacklist-ineffective warning, unconfigured warning"),
    ("facts/protection", "none"),
];
const PLAIN: &[(&str, &str)] =
    &[("verdict", "warning"), ("checks", "unconfigured warning"), ("facts/protection", "none")];

#[test]
fn texts_that_do_not_work() {
    for (file, text, want) in [
        // Commented out.
        ("/etc/apt/apt.conf.d/52nvidia", FULL.replace("  \"", "//  \""), INEFFECTIVE),
        ("/etc/apt/apt.conf.d/52nvidia", format!("/*\n{FULL}\n*/"), INEFFECTIVE),
        // Wrong namespace.
        ("/etc/apt/apt.conf.d/52nvidia", FULL.replace("Upgrade::", "Upgrades::"), INEFFECTIVE),
        // Wrong quotes.
        ("/etc/apt/apt.conf.d/52nvidia", FULL.replace('"', "'"), INEFFECTIVE),
        // A value instead of a list.
        ("/etc/apt/apt.conf.d/52nvidia", "Unattended-Upgrade::Package-Blacklist \"nvidia-\";".to_owned(), INEFFECTIVE),
        // A pattern for something else.
        ("/etc/apt/apt.conf.d/52docker", "Unattended-Upgrade::Package-Blacklist { \"docker\"; };".to_owned(), PLAIN),
        // The stock file, every line a comment, none about the driver.
        (
            "/etc/apt/apt.conf.d/50unattended-upgrades",
            "Unattended-Upgrade::Package-Blacklist {\n//  \"linux-\";\n//  \"libc6$\";\n};".to_owned(),
            PLAIN,
        ),
    ] {
        open().section("apt-files", &format!("file {file}"), &text).sees(want);
    }
}

#[test]
fn names_that_apt_ignores() {
    for name in
        ["51.nvidia", "51nvidia.bak", "52no+nvidia.conf", "51nvidia.conf.disabled", "51nvidia~", "51nvidia.dpkg-old"]
    {
        open().more("apt-files", &format!("file /etc/apt/apt.conf.d/{name}"), FULL).sees(INEFFECTIVE);
    }
}

#[test]
fn cleared_later() {
    open()
        .more("apt-files", "file /etc/apt/apt.conf.d/52nvidia", FULL)
        .more("apt-files", "file /etc/apt/apt.conf.d/99clean", "#clear Unattended-Upgrade::Package-Blacklist;")
        .sees(INEFFECTIVE);
}

#[test]
fn lost_to_a_missing_semicolon() {
    // apt makes the first pattern the name of the second.
    let text = FULL.replace("\"nvidia-\";", "\"nvidia-\"");
    open()
        .more("apt-files", "file /etc/apt/apt.conf.d/52nvidia", &text)
        .config("Unattended-Upgrade::Package-Blacklist::nvidia- \"libnvidia-\";\nUnattended-Upgrade::Package-Blacklist:: \"xserver-xorg-video-nvidia\";")
        .sees(&[
            ("checks", "blacklist-ineffective warning, protection-gap warning"),
            ("facts/blacklist", "[\"libnvidia-\",\"xserver-xorg-video-nvidia\"]"),
            ("facts/protection", "partial"),
        ]);
}

#[test]
fn a_working_list_beside_a_broken_text_is_no_fault() {
    Case::healthy()
        .more("apt-files", "file /etc/apt/apt.conf.d/51nvidia.bak", FULL)
        .sees(&[("verdict", "ok"), ("checks", "")]);
    Case::healthy()
        .more("apt-files", "file /etc/apt/apt.conf.d/53x", "//Unattended-Upgrade::Package-Blacklist { \"nvidia-\"; };")
        .sees(&[("verdict", "ok"), ("checks", "")]);
    // A pattern for a package that is not installed is no fault.
    Case::healthy()
        .blacklist(&["nvidia-", "libnvidia-", "xserver-xorg-video-nvidia", "cuda-drivers", "libcuda1"])
        .sees(&[("verdict", "ok"), ("checks", "")]);
}
