//! The suggested apt configuration: a blacklist that covers what is installed.

use crate::derive::protection::pattern::{self, Python};

/// The incident's three patterns: what each of them covers stays covered whatever the branch.
const STANDARD: [&str; 3] = ["nvidia-", "libnvidia-", "xserver-xorg-video-nvidia"];
/// Families the three miss, each as one pattern that also covers the family's later names.
const FAMILIES: [&str; 3] =
    ["linux-(modules|objects|signatures)-nvidia-", "cuda-drivers", "lib(egl|gl|gles|glx)[0-9]*-nvidia"];
/// What brings in kernels.
const KERNELS: &str = "linux-(image|headers|modules)-";
/// A name without an extension is read, and it sorts behind the distribution's own `50unattended-upgrades`.
const NAME: &str = "51gpusweep-nvidia-no-auto-upgrade";
/// Behind every name that starts with a digit or an ordinary letter: for hosts where a later file clears the list.
const LATE_NAME: &str = "zz-gpusweep-nvidia-no-auto-upgrade";
const FOLDER: &str = "/etc/apt/apt.conf.d/";

/// A file of apt's configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfFile {
    /// Where it belongs.
    pub path: String,
    /// Its whole text.
    pub text: String,
}

/// What the suggestion must cover.
#[derive(Debug, Clone, Default)]
pub struct Wish<'a> {
    /// Installed driver packages, as the updater names them.
    pub packages: Vec<&'a str>,
    /// Kernel metapackages to freeze along, because their NVIDIA modules are prebuilt; empty when kernels may move.
    pub kernels: Vec<&'a str>,
    /// The latest configuration file that clears the list, if one does.
    pub cleared_in: Option<&'a str>,
}

/// The suggestion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snippet {
    /// The file.
    pub file: ConfFile,
    /// Its patterns.
    pub patterns: Vec<String>,
    /// Kernel packages are frozen along.
    pub freezes_kernel: bool,
}

/// The file that covers one host's installed packages: the three standard patterns, and exactly what they miss there.
pub fn snippet_for(wish: &Wish<'_>) -> Snippet {
    let mut patterns: Vec<String> = STANDARD.iter().map(|text| (*text).to_owned()).collect();
    for name in &wish.packages {
        if !covered(&patterns, name) {
            patterns.push(pattern_for(name));
        }
    }
    let mut kernel_patterns = Vec::new();
    if !wish.kernels.is_empty() {
        kernel_patterns.push(KERNELS.to_owned());
        for name in &wish.kernels {
            if !covered(&kernel_patterns, name) {
                kernel_patterns.push(pattern_for(name));
            }
        }
    }
    let name = match wish.cleared_in.and_then(|path| path.rsplit('/').next()) {
        Some(clearing) if clearing >= NAME => LATE_NAME,
        _ => NAME,
    };
    let file = ConfFile { path: format!("{FOLDER}{name}"), text: text(&patterns, &kernel_patterns) };
    let freezes_kernel = !kernel_patterns.is_empty();
    patterns.extend(kernel_patterns);
    Snippet { file, patterns, freezes_kernel }
}

/// The file for provisioning a whole fleet: every family of driver packages of Ubuntu, Debian and NVIDIA's repository.
pub fn fleet_snippet() -> ConfFile {
    let singles = ["libcuda1(:|$)", "libcudadebugger1(:|$)", "libnvcuvid1(:|$)", "libnvoptix1(:|$)", "libnvsdm"];
    let mut patterns: Vec<String> = STANDARD.iter().chain(&FAMILIES).map(|text| (*text).to_owned()).collect();
    patterns.extend(singles.iter().map(|text| (*text).to_owned()));
    patterns.push("firmware-nvidia-".to_owned());
    ConfFile { path: format!("{FOLDER}{NAME}"), text: text(&patterns, &[]) }
}

fn covered(patterns: &[String], name: &str) -> bool {
    patterns.iter().any(|text| {
        pattern::compile(text, Python::Since311).ok().and_then(|matcher| matcher.matches(name)) == Some(true)
    })
}

/// A family's pattern, else the exact name in any architecture.
fn pattern_for(name: &str) -> String {
    let family = FAMILIES.iter().find(|family| covered(&[(**family).to_owned()], name));
    if let Some(family) = family {
        return (*family).to_owned();
    }
    let bare = name.split(':').next().unwrap_or(name);
    let mut out = String::new();
    for c in bare.chars() {
        if matches!(c, '+' | '.') {
            out.push('\\');
        }
        out.push(c);
    }
    out.push_str("(:|$)");
    out
}

fn text(patterns: &[String], kernel_patterns: &[String]) -> String {
    let mut out = String::from(
        "// Keeps unattended-upgrades off the NVIDIA driver: its module stays in memory until a person reboots, and a\n\
         // library that moves ahead of it breaks every new GPU process. Price: no automatic security updates of it.\n\
         // Entries are Python regular expressions, matched at the start of the package's name.\n\
         Unattended-Upgrade::Package-Blacklist {\n",
    );
    let line = |text: &String| format!("    \"{text}\";\n");
    out.extend(patterns.iter().map(line));
    if !kernel_patterns.is_empty() {
        out.push_str(
            "    // The NVIDIA modules are built for one kernel each and are kept back above, so the kernel stays too.\n\
             \x20   // Price: no automatic kernel security updates.\n",
        );
        out.extend(kernel_patterns.iter().map(line));
    }
    out.push_str("};\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ordinary_host_gets_the_three_patterns() {
        let snippet = snippet_for(&Wish {
            packages: vec!["nvidia-driver-535", "libnvidia-compute-535", "libnvidia-compute-535:i386"],
            ..Wish::default()
        });
        assert_eq!(snippet.patterns, STANDARD);
        assert_eq!(snippet.file.path, "/etc/apt/apt.conf.d/51gpusweep-nvidia-no-auto-upgrade");
        assert!(snippet.file.text.ends_with(
            "Unattended-Upgrade::Package-Blacklist {\n    \"nvidia-\";\n    \"libnvidia-\";\n    \
             \"xserver-xorg-video-nvidia\";\n};\n"
        ));
    }

    #[test]
    fn what_the_three_miss_is_added_and_nothing_else() {
        let snippet = snippet_for(&Wish {
            packages: vec!["cuda-drivers-550", "libcuda1:i386", "libegl-nvidia0", "linux-modules-nvidia-535-generic"],
            kernels: vec!["linux-image-generic", "linux-generic"],
            cleared_in: Some("/etc/apt/apt.conf.d/99-local"),
        });
        assert_eq!(
            snippet.patterns.get(3..).unwrap(),
            [
                "cuda-drivers",
                "libcuda1(:|$)",
                "lib(egl|gl|gles|glx)[0-9]*-nvidia",
                "linux-(modules|objects|signatures)-nvidia-",
                "linux-(image|headers|modules)-",
                "linux-generic(:|$)",
            ]
        );
        assert_eq!(snippet.file.path, "/etc/apt/apt.conf.d/zz-gpusweep-nvidia-no-auto-upgrade");
        for other in ["libcuda12", "cuda-toolkit-12-4", "linux-firmware"] {
            assert!(!covered(&snippet.patterns, other), "{other}");
        }
    }

    #[test]
    fn the_fleet_file_covers_every_family() {
        let text = fleet_snippet().text;
        let patterns: Vec<String> = text
            .lines()
            .filter_map(|line| line.trim().strip_prefix('"')?.strip_suffix("\";"))
            .map(str::to_owned)
            .collect();
        for name in [
            "nvidia-driver-580-open",
            "libnvidia-ml1",
            "linux-modules-nvidia-580-generic",
            "cuda-drivers-fabricmanager-550",
            "libcuda1",
            "libgl1-nvidia-glvnd-glx",
            "libgles2-nvidia",
            "firmware-nvidia-gsp",
        ] {
            assert!(covered(&patterns, name), "{name}");
        }
        assert!(!covered(&patterns, "linux-generic"));
    }
}
