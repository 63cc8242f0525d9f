//! The frame's sections to evidence.

use super::{DpkgAction, DpkgEvent, DpkgLog};
use crate::probe::{Sections, log_files};
use crate::reading::Reading;

/// Reads the frame.
pub fn parse(sections: &Sections) -> Reading<DpkgLog> {
    log_files::read(sections).map(|log| {
        let mut events: Vec<DpkgEvent> = Vec::new();
        for file in &log.files {
            // A rotation that was interrupted leaves the same lines in two files.
            let known = events.len();
            for event in file.lines.iter().filter_map(|line| event(line)) {
                if !events.iter().take(known).any(|other| *other == event) {
                    events.push(event);
                }
            }
        }
        DpkgLog { events, reaches_back_to: log.reaches_back_to, unread_files: log.unread_files }
    })
}

/// `DATE TIME ACTION NAME:ARCH OLD NEW`, with `<none>` for no version.
fn event(line: &str) -> Option<DpkgEvent> {
    let at = log_files::stamp(line)?;
    let mut words = line.split_ascii_whitespace().skip(2);
    let action = match words.next()? {
        "install" => DpkgAction::Install,
        "upgrade" => DpkgAction::Upgrade,
        "remove" | "purge" => DpkgAction::Remove,
        _ => return None,
    };
    let package = words.next()?;
    let (name, arch) = package.split_once(':').unwrap_or((package, ""));
    let mut version = || words.next().filter(|version| !version.starts_with('<')).map(str::to_owned);
    let (old, new) = (version(), version());
    log_files::of_interest(name).then(|| DpkgEvent {
        at,
        action,
        name: name.to_owned(),
        arch: arch.to_owned(),
        old,
        new,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::{samples, shells};

    #[test]
    fn samples_read_as_expected() {
        samples::check("dpkg_log", parse);
    }

    #[test]
    fn noise_does_no_harm() {
        samples::survive("dpkg_log", parse);
    }

    #[test]
    fn every_shell_ships_the_same() {
        shells::check("dpkg_log", "dpkg_log_of", "/var/log/dpkg.log");
    }
}
