//! Which kernel is expected to boot: the newest with an image, unless the boot loader is told otherwise.

use std::collections::BTreeSet;

use crate::probe::kernels::{Kernel, Kernels};

/// The expected kernel, and what makes it a guess.
pub(super) struct Expected<'a> {
    pub kernel: &'a Kernel,
    pub doubt: Option<String>,
}

pub(super) fn expected(kernels: &Kernels) -> Option<Expected<'_>> {
    if kernels.no_local_images {
        return None;
    }
    let bootable: Vec<&Kernel> = kernels.installed.iter().filter(|kernel| kernel.image).collect();
    let newest = *bootable.last()?;
    let default = kernels.grub_default.as_deref().map(unquoted).unwrap_or("0");
    let saved = kernels.saved_entry.as_deref().map(unquoted).unwrap_or_default();
    let (entry, whose) = match default {
        "saved" => (saved, "GRUB's saved entry"),
        other => (other, "GRUB_DEFAULT"),
    };
    if !matches!(entry, "" | "0") {
        let (kernel, certainty) = match named(&bootable, entry) {
            Some(kernel) => (kernel, "names this kernel"),
            None => (newest, "chooses an entry that cannot be told from here"),
        };
        return Some(Expected { kernel, doubt: Some(format!("{whose} (`{entry}`) {certainty}")) });
    }
    if default == "saved" && kernels.saved_unread.is_some() && saved.is_empty() {
        let doubt = Some("GRUB boots a saved entry, and its environment could not be read".to_owned());
        return Some(Expected { kernel: newest, doubt });
    }
    let flavours: BTreeSet<&str> = bootable.iter().map(|kernel| flavour(&kernel.release)).collect();
    let doubt = (flavours.len() > 1).then(|| {
        let words: Vec<&str> = flavours.into_iter().collect();
        format!("kernels of several flavours are installed ({})", words.join(", "))
    });
    Some(Expected { kernel: newest, doubt })
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches(['"', '\'']).trim()
}

/// The bootable kernel that an entry's title or id names; the longest release wins (`...-112-generic` is part of none
/// longer, but `6.8.0-45-generic` is part of `6.8.0-45-generic-64k`).
fn named<'a>(bootable: &[&'a Kernel], entry: &str) -> Option<&'a Kernel> {
    bootable.iter().filter(|kernel| entry.contains(&kernel.release)).max_by_key(|kernel| kernel.release.len()).copied()
}

/// `generic` of `5.15.0-112-generic`, `amd64` of `6.1.0-25-amd64`; empty when there is none.
fn flavour(release: &str) -> &str {
    let digits_end = release.find(|c: char| c.is_ascii_alphabetic());
    match digits_end {
        Some(at) if release[..at].ends_with('-') => &release[at..],
        _ => {
            // `5.14.0-427.el9.x86_64` has none: what follows the last dash is a build number.
            let tail = release.rsplit_once('-').map_or("", |(_, tail)| tail);
            if tail.starts_with(|c: char| c.is_ascii_digit()) { "" } else { tail }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::{Reading, Reason, Unread};

    fn kernels(releases: &[&str], grub_default: Option<&str>, saved_entry: Option<&str>) -> Kernels {
        let kernel = |release: &&str| Kernel { release: (*release).to_owned(), image: true, module: Reading::Absent };
        Kernels {
            running: releases[0].to_owned(),
            installed: releases.iter().map(kernel).collect(),
            grub_default: grub_default.map(str::to_owned),
            saved_entry: saved_entry.map(str::to_owned),
            no_local_images: false,
            images_unread: None,
            saved_unread: None,
        }
    }

    #[test]
    fn which_kernel_and_how_certain() {
        let two = ["5.15.0-112-generic", "5.15.0-113-generic"];
        let title = "Advanced options for Ubuntu>Ubuntu, with Linux 5.15.0-112-generic";
        for (releases, default, saved, want, certain) in [
            (&two[..], None, None, two[1], true),
            (&two[..], Some("\"0\""), None, two[1], true),
            (&two[..], Some("saved"), None, two[1], true),
            (&two[..], Some("saved"), Some(title), two[0], false),
            (&two[..], Some(title), None, two[0], false),
            (&two[..], Some("1>2"), None, two[1], false),
            (&["5.15.0-112-generic", "5.15.0-113-lowlatency"][..], None, None, "5.15.0-113-lowlatency", false),
            (&["6.1.0-25-amd64", "6.1.0-26-amd64"][..], None, None, "6.1.0-26-amd64", true),
            (&["5.14.0-362.el9.x86_64", "5.14.0-427.el9.x86_64"][..], None, None, "5.14.0-427.el9.x86_64", true),
        ] {
            let kernels = kernels(releases, default, saved);
            let expected = expected(&kernels).unwrap();
            assert_eq!(
                (expected.kernel.release.as_str(), expected.doubt.is_none()),
                (want, certain),
                "{default:?} {saved:?}"
            );
        }
    }

    #[test]
    fn no_image_means_no_expectation() {
        let mut none = kernels(&["5.15.0-112-generic"], None, None);
        none.installed[0].image = false;
        assert!(expected(&none).is_none());
        none.installed[0].image = true;
        none.no_local_images = true;
        assert!(expected(&none).is_none());
    }

    #[test]
    fn a_saved_entry_that_could_not_be_read_makes_a_guess() {
        let mut kernels = kernels(&["5.15.0-112-generic"], Some("saved"), None);
        kernels.saved_unread = Some(Unread::new(Reason::PermissionDenied, "/boot/grub2/grubenv"));
        assert!(expected(&kernels).unwrap().doubt.is_some());
        kernels.grub_default = Some("0".to_owned());
        assert_eq!(expected(&kernels).unwrap().doubt, None);
    }
}
