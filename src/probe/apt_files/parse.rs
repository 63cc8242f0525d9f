//! The frame's sections to evidence.

use super::{AptFiles, ConfFile};
use crate::probe::{Sections, conf_name};
use crate::reading::Reading;
use crate::transcript::State;

/// Reads the frame.
pub fn parse(sections: &Sections) -> Reading<AptFiles> {
    let folder = sections.get("dir");
    if let Some(why) = folder.map(|dir| dir.reading()).filter(|dir| dir.why_unread().is_some()) {
        return why.and_then(|_| Reading::Absent);
    }
    let inside = folder.map(|dir| format!("{}/", dir.argument.trim_end_matches('/')));
    let files = sections.0.iter().filter(|section| section.name == "file" || section.name == "name").map(|section| {
        let name = inside.as_ref().and_then(|folder| section.argument.strip_prefix(folder.as_str()));
        ConfFile {
            path: section.argument.clone(),
            // The main file is read whatever its name.
            name_is_read: name.is_none_or(|name| conf_name::is_read(name, "conf")),
            text: (section.name == "file" && matches!(section.state, State::Ok | State::Truncated))
                .then(|| section.text())
                .filter(|text| section.state == State::Ok || !text.is_empty()),
            denied: section.state == State::Denied,
        }
    });
    Reading::Known(AptFiles { files: files.collect() })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;
    use crate::probe::{samples, shells};

    #[test]
    fn samples_read_as_expected() {
        samples::check("apt_files", parse);
    }

    #[test]
    fn noise_does_no_harm() {
        samples::survive("apt_files", parse);
    }

    #[test]
    fn a_folder_as_the_host_lists_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let write = |name: &str, text: &str| fs::write(path.join(name), text).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        for (name, text) in [
            ("20auto", "APT::Periodic::Unattended-Upgrade \"1\";\n"),
            ("51.nvidia", "// NVIDIA\n"),
            ("70other.conf", "Acquire::Retries \"3\";\n"),
            ("80secret", "nvidia"),
            ("with blank", "cuda\r\n"),
            ("90big", &"// nvidia 6789\n".repeat(5000)),
        ] {
            write(name, text);
        }
        fs::create_dir(path.join("30folder")).unwrap();
        symlink("/nowhere", path.join("31dangling")).unwrap();
        symlink("20auto", path.join("32link")).unwrap();
        fs::set_permissions(path.join("80secret"), fs::Permissions::from_mode(0o600)).unwrap();
        let call = format!("mkfifo '{0}/33fifo'; apt_files_in '{0}' '{0}/none'; rm -f '{0}/33fifo'", path.display());
        fs::set_permissions(path, fs::Permissions::from_mode(0o777)).unwrap();
        for (host, frame) in shells::frames_as_nobody(&call) {
            let files = parse(&Sections::parse(&frame.body)).known().unwrap().clone().files;
            let seen: Vec<_> = files
                .iter()
                .map(|file| {
                    let name = file.path.rsplit('/').next().unwrap();
                    (name, file.name_is_read, file.text.as_deref().map(|text| text.len().min(1000)), file.denied)
                })
                .collect();
            assert_eq!(
                seen,
                [
                    ("20auto", true, Some(38), false),
                    ("32link", true, Some(38), false),
                    ("51.nvidia", false, Some(9), false),
                    ("70other.conf", true, None, false),
                    ("80secret", true, None, true),
                    ("90big", true, Some(1000), false),
                    ("with blank", false, Some(4), false),
                ],
                "{host}"
            );
            assert!(frame.body.len() < 20_000, "{host}");
        }
    }
}
