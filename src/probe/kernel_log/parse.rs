//! The frame's sections to evidence.

use super::KernelLog;
use crate::probe::{Sections, driver_version};
use crate::reading::Reading;

/// One message of the module is at most this many lines.
const MESSAGE_LINES: usize = 6;

/// Reads the frame: the kernel's buffer, else the journal.
pub fn parse(sections: &Sections) -> Reading<KernelLog> {
    let buffer = sections.reading("dmesg");
    match (&buffer, sections.reading("journal")) {
        (Reading::Known(lines), _) => Reading::Known(read(lines)),
        (_, Reading::Known(lines)) => Reading::Known(read(lines)),
        _ => buffer.map(|_| KernelLog::default()),
    }
}

fn read(lines: &[String]) -> KernelLog {
    let lines: Vec<String> = lines.iter().flat_map(|line| line.split("#012")).map(plain).collect();
    let mut log = KernelLog::default();
    for (at, line) in lines.iter().enumerate() {
        if line.contains("API mismatch") {
            let message = lines.get(at..).unwrap_or_default().iter().take(MESSAGE_LINES);
            let message = message.map(String::as_str).collect::<Vec<_>>().join(" ");
            log.mismatch = versions(&message).or(log.mismatch);
        }
        if line.contains("loading NVIDIA UNIX")
            && let Some(version) = driver_version::first_in(line)
        {
            log.loading.push(version.to_owned());
        }
        if let Some((before, _)) = line.split_once(" driver release") {
            let version = before.rsplit(' ').next().filter(|word| driver_version::is_version(word));
            log.refused_by = version.map(str::to_owned).or(log.refused_by);
        }
        if signature_refused(line) {
            log.signature_refused = Some(line.trim().to_owned());
        }
    }
    log
}

/// A line without stamp, host and module prefix, with single blanks: what follows `NVRM:`, else `kernel:`, else `] `.
fn plain(line: &str) -> String {
    let text = match line.split_once("NVRM:") {
        Some((_, text)) => text,
        None => match line.split_once(" kernel: ") {
            Some((_, text)) => text,
            None if line.trim_start().starts_with('[') => line.split_once(']').map_or(line, |(_, text)| text),
            None => line,
        },
    };
    text.chars().filter(|c| !c.is_control()).collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Client and module in `the client has the version X, but this kernel module has the version Y.` and in the wording
/// since 575.51.02, which names the client first.
fn versions(message: &str) -> Option<(String, String)> {
    let (_, message) = message.split_once("API mismatch")?;
    let mut parts = message.split("has the version ").skip(1);
    let mut version = || {
        let word = parts.next()?.split(' ').next()?.trim_end_matches([',', '.']);
        driver_version::is_version(word).then(|| word.to_owned())
    };
    Some((version()?, version()?))
}

/// Secure Boot or lockdown kept a module out. The taint remark (`module verification failed`) does not.
fn signature_refused(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    [
        "module is rejected",
        "key is rejected",
        "crypto is rejected",
        "unsigned module loading is restricted",
        "key was rejected by service",
    ]
    .iter()
    .any(|words| line.contains(words))
}

#[cfg(test)]
mod tests {
    use crate::probe::samples;

    #[test]
    fn samples_read_as_expected() {
        samples::check("kernel_log", super::parse);
    }

    #[test]
    fn no_input_panics() {
        samples::survive("kernel_log", super::parse);
    }
}
