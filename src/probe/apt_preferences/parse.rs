//! The frame's sections to evidence.

use super::{AptPreferences, Pin};
use crate::probe::{Section, Sections, conf_name};
use crate::reading::Reading;
use crate::transcript::State;

/// Reads the frame.
pub fn parse(sections: &Sections) -> Reading<AptPreferences> {
    let mut preferences = AptPreferences::default();
    let folder = sections.get("dir");
    if let Some(dir) = folder.filter(|dir| matches!(dir.state, State::Denied | State::Failed)) {
        preferences.denied.push(dir.argument.clone());
    }
    let inside = folder.map(|dir| format!("{}/", dir.argument.trim_end_matches('/')));
    for section in sections.all("pins") {
        let name = inside.as_ref().and_then(|folder| section.argument.strip_prefix(folder.as_str()));
        if name.is_some_and(|name| !conf_name::is_read(name, "pref")) {
            continue;
        }
        match section.state {
            State::Ok => preferences.pins.extend(pins(section)),
            State::Absent => {}
            // What was cut off may hold a pin as well.
            State::Truncated => {
                preferences.pins.extend(pins(section));
                preferences.denied.push(section.argument.clone());
            }
            State::Denied | State::Failed | State::TimedOut => preferences.denied.push(section.argument.clone()),
        }
    }
    Reading::Known(preferences)
}

/// Records of `Field: value` lines between empty lines, in which a line that begins with a blank goes on with the field
/// above and one that begins with `#` is not there. A record without all three fields pins nothing.
fn pins(section: &Section) -> Vec<Pin> {
    let mut pins = Vec::new();
    let mut fields: Vec<(String, String)> = Vec::new();
    let lines = section.lines.iter().map(String::as_str).filter(|line| !line.starts_with('#'));
    for line in lines.chain([""]) {
        if line.trim().is_empty() {
            pins.extend(pin(&fields, &section.argument));
            fields.clear();
        } else if line.starts_with([' ', '\t']) {
            if let Some((_, value)) = fields.last_mut() {
                value.push(' ');
                value.push_str(line.trim());
            }
        } else if let Some((key, value)) = line.split_once(':') {
            fields.push((key.trim().to_owned(), value.trim().to_owned()));
        }
    }
    pins
}

fn pin(fields: &[(String, String)], file: &str) -> Option<Pin> {
    let field = |name: &str| fields.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value);
    Some(Pin {
        packages: field("Package")?.split_ascii_whitespace().map(str::to_owned).collect(),
        pin: field("Pin")?.clone(),
        priority: priority(field("Pin-Priority")?)?,
        file: file.to_owned(),
    })
}

/// apt reads the number at the beginning and takes what does not begin with one for 0.
fn priority(text: &str) -> Option<i64> {
    let end = text.char_indices().find(|(at, c)| !(c.is_ascii_digit() || (*at == 0 && "+-".contains(*c))));
    let number = end.map_or(text, |(at, _)| text.get(..at).unwrap_or_default());
    Some(number.parse().unwrap_or(0)).filter(|priority| *priority != 0)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::probe::{samples, shells};

    #[test]
    fn samples_read_as_expected() {
        samples::check("apt_preferences", parse);
    }

    #[test]
    fn noise_does_no_harm() {
        samples::survive("apt_preferences", parse);
    }

    #[test]
    fn the_folder_comes_behind_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().display();
        let text = |version: &str| format!("Package: x\nPin: version {version}\nPin-Priority: 1\n");
        fs::create_dir(folder.path().join("d")).unwrap();
        for (name, version) in [("pins", "1"), ("d/b", "3"), ("d/a.pref", "2"), ("d/c.conf", "4")] {
            fs::write(folder.path().join(name), text(version)).unwrap();
        }
        for (host, frame) in shells::frames(&format!("apt_pins_in '{path}/pins' '{path}/d'")) {
            let pins = parse(&Sections::parse(&frame.body)).known().unwrap().clone().pins;
            let seen: Vec<&str> = pins.iter().map(|pin| pin.pin.as_str()).collect();
            assert_eq!(seen, ["version 1", "version 2", "version 3"], "{host}");
        }
        for (host, frame) in shells::frames(&format!("apt_pins_in '{path}/none' '{path}/nowhere'")) {
            let known = parse(&Sections::parse(&frame.body));
            assert_eq!(known, Reading::Known(AptPreferences::default()), "{host}");
        }
    }
}
