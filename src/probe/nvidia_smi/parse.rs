//! The frame's sections to evidence. nvidia-smi writes its errors to standard output.

use super::{NvidiaSmi, SmiState};
use crate::probe::{Section, Sections, driver_version};
use crate::reading::{Reading, Reason};
use crate::transcript::State;

/// Reads the frame.
pub fn parse(sections: &Sections) -> Reading<NvidiaSmi> {
    if let Some(section) = sections.get("query") {
        return witness(section);
    }
    let silent = |state, section: &Section| NvidiaSmi {
        state,
        exit: None,
        driver_version: None,
        gpus: 0,
        models: Vec::new(),
        line: first_line(section),
    };
    if let Some(section) = sections.get("stuck") {
        return Reading::Known(silent(SmiState::Hung, section));
    }
    match sections.get("not-started") {
        Some(section) => Reading::Known(silent(SmiState::NotStarted, section)),
        None => Reading::unread(Reason::Truncated, "no answer"),
    }
}

fn witness(section: &Section) -> Reading<NvidiaSmi> {
    let exit = section.exit;
    let state = match section.state {
        // Its closing line never came: the controller or the host gave up on it.
        State::Truncated if exit.is_none() => return Reading::Unread(section.unread(Reason::Truncated)),
        State::TimedOut => SmiState::Hung,
        State::Absent => SmiState::NotInstalled,
        State::Denied => SmiState::NoPermission,
        _ => state(&section.text(), exit.unwrap_or(0)),
    };
    let mut smi =
        NvidiaSmi { state, exit, driver_version: None, gpus: 0, models: Vec::new(), line: first_line(section) };
    if smi.state == SmiState::Ok {
        gpus(&mut smi, section);
    }
    Reading::Known(smi)
}

fn first_line(section: &Section) -> String {
    let line = section.lines.iter().map(|line| line.trim()).find(|line| !line.is_empty()).unwrap_or_default();
    line.chars().filter(|c| !c.is_control()).take(300).collect()
}

/// The text decides where it is plain; else the exit status.
fn state(text: &str, exit: i32) -> SmiState {
    let text = text.to_ascii_lowercase();
    let has = |words: &str| text.contains(words);
    if has("driver/library version mismatch") {
        return SmiState::Mismatch(nvml(&text));
    }
    if has("mismatch in versions between nvidia-smi and nvml") {
        return SmiState::MixedUserspace;
    }
    if has("couldn't communicate with the nvidia driver") {
        return SmiState::NoDriver;
    }
    if has("couldn't find libnvidia-ml") {
        return SmiState::NoLibrary;
    }
    if has("no devices were found") {
        return SmiState::NoDevices;
    }
    if exit != 0 && (has("gpu is lost") || has("fallen off the bus")) {
        return SmiState::GpuLost;
    }
    if exit != 0 && has("insufficient permissions") {
        return SmiState::NoPermission;
    }
    match exit {
        0 => SmiState::Ok,
        4 => SmiState::NoPermission,
        6 => SmiState::NoDevices,
        9 => SmiState::NoDriver,
        12 => SmiState::NoLibrary,
        15 => SmiState::GpuLost,
        18 => SmiState::Mismatch(None),
        126 | 127 => SmiState::NotInstalled,
        124 | 137 => SmiState::Hung,
        _ => SmiState::Other,
    }
}

/// `nvml library version: 535.161`: at most two groups, so never compared for equality with the module's.
fn nvml(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("nvml library version:")?;
    let word = rest.split_whitespace().next()?;
    driver_version::is_version(word).then(|| word.to_owned())
}

/// One csv line per GPU: the version, then the name, which may hold commas. The lines of `--version` count as well,
/// where the newest wording has no version in its `DRIVER` line.
fn gpus(smi: &mut NvidiaSmi, section: &Section) {
    let mut versions: Vec<&str> = Vec::new();
    for line in &section.lines {
        if let Some((key, value)) = line.split_once(" : ").filter(|(key, _)| !key.contains(',')) {
            let key = key.trim().to_ascii_uppercase();
            if matches!(key.as_str(), "DRIVER VERSION" | "KMD VERSION") && driver_version::is_version(value.trim()) {
                versions.push(value.trim());
            }
            continue;
        }
        let mut fields = line.split(", ");
        let Some(version) = fields.by_ref().map(str::trim).find(|field| driver_version::is_version(field)) else {
            continue;
        };
        smi.gpus += 1;
        versions.push(version);
        let name = fields.collect::<Vec<_>>().join(", ");
        let name: String = name.trim().chars().filter(|c| !c.is_control()).take(100).collect();
        if !name.is_empty() && !smi.models.contains(&name) && smi.models.len() < 32 {
            smi.models.push(name);
        }
    }
    if let Some(first) = versions.first()
        && versions.iter().all(|version| version == first)
    {
        smi.driver_version = Some((*first).to_owned());
    }
}

#[cfg(test)]
mod tests {
    use crate::probe::samples;

    #[test]
    fn samples_read_as_expected() {
        samples::check("nvidia_smi", super::parse);
    }

    #[test]
    fn no_input_panics() {
        samples::survive("nvidia_smi", super::parse);
    }
}
