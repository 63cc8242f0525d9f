//! The suggestion in words, for a finding's fix.

use crate::remedy::{Snippet, hold_command};

/// Where the file goes, its text, how to see that it works, and what it costs.
pub fn instructions(snippet: &Snippet, packages: &[&str]) -> String {
    let mut out = format!("Write {} (as root, mode 0644):\n\n", snippet.file.path);
    for line in snippet.file.text.lines() {
        out.push_str("    ");
        out.push_str(line);
        out.push('\n');
    }
    out.push_str(
        "\nSee that it took effect:\n    apt-config dump Unattended-Upgrade::Package-Blacklist\n\n\
         What it costs: the driver gets no automatic security updates; a person upgrades it and reboots in one go.\n",
    );
    if snippet.freezes_kernel {
        out.push_str(
            "Kernel packages are frozen along, because the NVIDIA modules are built for one kernel each: no automatic \
             kernel security updates either.\n",
        );
    }
    out.push_str(
        "A blacklist binds only unattended-upgrades. A hold also stops a person's `apt upgrade` and every other tool:\n    ",
    );
    out.push_str(&hold_command(packages));
    out.push('\n');
    out
}
