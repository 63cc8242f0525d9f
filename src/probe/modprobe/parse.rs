//! The frame's sections to evidence.

use super::Modprobe;
use crate::probe::Sections;
use crate::reading::Reading;

/// Reads the frame.
pub fn parse(sections: &Sections) -> Reading<Modprobe> {
    let mut modprobe = Modprobe::default();
    let lines = match sections.reading("conf") {
        Reading::Known(lines) => lines,
        Reading::Absent => &[],
        Reading::Unread(unread) => return Reading::Unread(unread),
    };
    for (file, line) in lines.iter().filter_map(|line| line.split_once('\t')) {
        if let Some(module) = blocked(line) {
            modprobe.note(module, file, line.trim());
        }
    }
    let cmdline =
        sections.get("cmdline").and_then(|section| section.lines.first()).map(String::as_str).unwrap_or_default();
    for word in cmdline.split_ascii_whitespace() {
        let Some((key, value)) = word.split_once('=') else { continue };
        match key {
            "module_blacklist" | "modprobe.blacklist" | "rd.driver.blacklist" => {
                value.split(',').for_each(|module| modprobe.note(module, "/proc/cmdline", word));
            }
            "nouveau.modeset" if value == "0" => modprobe.note("nouveau", "/proc/cmdline", word),
            _ => {}
        }
    }
    match sections.get("conf-denied") {
        // A line may hide in what could not be read; one that was found stands.
        Some(denied) if modprobe.nvidia_blocked.is_empty() => denied.reading().map(|_| modprobe),
        _ => Reading::Known(modprobe),
    }
}

impl Modprobe {
    fn note(&mut self, module: &str, file: &str, line: &str) {
        let entry = (file.to_owned(), line.to_owned());
        match module {
            "nvidia" | "nvidia-current" | "nvidia_current" => self.nvidia_blocked.push(entry),
            "nouveau" => self.nouveau_blocked.push(entry),
            _ => {}
        }
    }
}

/// The module a line keeps out: `blacklist M`, `alias M off`, `install M /bin/false`. An `install` line that calls
/// modprobe again is how distributions load a module of another file name.
fn blocked(line: &str) -> Option<&str> {
    let mut words = line.split_ascii_whitespace();
    let (command, module) = (words.next()?, words.next()?);
    let blocks = match command {
        "blacklist" => true,
        "alias" => words.next() == Some("off"),
        "install" => matches!(words.next()?.rsplit('/').next()?, "false" | "true" | ":"),
        _ => false,
    };
    blocks.then_some(module)
}

#[cfg(test)]
mod tests {
    use crate::probe::samples;

    #[test]
    fn samples_read_as_expected() {
        samples::check("modprobe", super::parse);
    }

    #[test]
    fn no_input_panics() {
        samples::survive("modprobe", super::parse);
    }
}
