//! The frame's sections to evidence.

use super::AptConfig;
use crate::probe::Sections;
use crate::reading::{Reading, Reason};
use crate::transcript::State;

/// The most lines one value may have; apt decodes `%0a` in a value to a line end.
const VALUE_LINES: usize = 20;

/// Reads the frame.
pub fn parse(sections: &Sections) -> Reading<AptConfig> {
    let Some(dump) = sections.get("dump") else { return Reading::unread(Reason::Truncated, "no answer for `dump`") };
    let mut config = AptConfig::default();
    let mut error = None;
    for line in sections.all("messages").flat_map(|section| &section.lines) {
        if let Some(path) = unreadable(line) {
            config.unreadable.push(path.to_owned());
        } else if line.starts_with("W: ") || line.starts_with("N: ") {
            config.notices.push(line.clone());
        } else if line.starts_with("E: ") {
            error.get_or_insert_with(|| line.clone());
        }
    }
    match dump.state {
        State::Ok => {}
        State::Failed => {
            let exit = dump.exit.map_or_else(String::new, |exit| format!(" (exit {exit})"));
            config.broken = Some(error.unwrap_or_else(|| format!("`apt-config dump` failed{exit}")));
        }
        _ => return dump.reading().and_then(|_| Reading::Absent),
    }
    config.entries = match entries(&dump.lines) {
        Ok(entries) => entries,
        Err(_) if config.broken.is_some() => Vec::new(),
        Err(line) => {
            let start: String = line.chars().filter(|c| !c.is_control()).take(80).collect();
            return Reading::unread(
                Reason::Unparseable,
                format!("`apt-config dump` has a line that makes no sense: {start}"),
            );
        }
    };
    // apt has folders of its own even without a single file of configuration.
    if config.entries.is_empty() && config.broken.is_none() {
        return Reading::unread(Reason::Unparseable, "`apt-config dump` said nothing");
    }
    Reading::Known(config)
}

/// `W: Unable to read /etc/apt/apt.conf.d/50x - open (13: Permission denied)`. A path that is not there hides nothing.
fn unreadable(line: &str) -> Option<&str> {
    let (path, why) = line.strip_prefix("W: Unable to read ")?.rsplit_once(" - ")?;
    (!why.contains("(2: ")).then_some(path)
}

/// `Key "value";` lines. Quotes inside a value are not escaped: it goes on to the last `";`. A line that is no entry is
/// the error: skipped, it could be the one that switches something on.
fn entries(lines: &[String]) -> Result<Vec<(String, String)>, &str> {
    let mut entries: Vec<(String, String)> = Vec::new();
    let mut lines = lines.iter();
    while let Some(line) = lines.next() {
        if line.trim().is_empty() {
            continue;
        }
        let (key, rest) = line.split_once(" \"").ok_or(line.as_str())?;
        let mut value = rest.to_owned();
        for _ in 0..VALUE_LINES {
            if value.ends_with("\";") {
                break;
            }
            let Some(more) = lines.next() else { break };
            value.push('\n');
            value.push_str(more);
        }
        let value = value.strip_suffix("\";").ok_or(line.as_str())?;
        entries.push((key.to_owned(), value.to_owned()));
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::samples;

    #[test]
    fn samples_read_as_expected() {
        samples::check("apt_config", parse);
    }

    #[test]
    fn noise_does_no_harm() {
        samples::survive("apt_config", parse);
    }

    /// The patterns unattended-upgrades takes from a configuration, as apt 2.6 dumped it.
    #[test]
    fn patterns_as_the_updater_reads_them() {
        let cases: [(&str, &[&str]); 20] = [
            ("child-of-a-child", &["", "cuda-"]),
            ("cleared-later", &[]),
            ("comma-between", &["libnvidia-"]),
            ("commented-out", &[]),
            ("dashed-patterns", &["nvidia-.*", "libnvidia-.*", "cuda-.*", "xserver-xorg-video-nvidia-.*"]),
            ("dots-from-a-how-to", &["^(lib)?cuda-", "cuda-", "libcuda", "..."]),
            ("empty-entry", &[""]),
            ("glob-that-is-no-regex", &["linux-*", "*cuda*", "mlnx*"]),
            ("line-end-in-a-value", &["nvidia\nlibnvidia", "say hi now"]),
            ("lower-case-first", &["small", "nvidia-", "libnvidia-", "last"]),
            ("names-apt-ignores", &["libnvidia-"]),
            ("one-line-in-a-file-without-extension", &["nvidia-", "libnvidia-"]),
            ("one-semicolon-missing", &["libnvidia-", "cuda-"]),
            ("only-the-kernel", &["linux-"]),
            ("plural-namespace", &[]),
            ("redundant-names", &["nvidia-", "libnvidia-", "nvidia-modprobe", "nvidia-imex"]),
            ("two-semicolons-missing", &["libnvidia- cuda-"]),
            ("typo-that-matches-by-luck", &["cuda-*."]),
            ("usual-list", &["nvidia-", "libnvidia-", "xserver-xorg-video-nvidia"]),
            ("value-instead-of-a-list", &[]),
        ];
        for (name, patterns) in cases {
            let config = sample(name);
            assert_eq!(config.list("Unattended-Upgrade::Package-Blacklist"), patterns, "{name}");
            assert_eq!(config.broken, None, "{name}");
        }
    }

    #[test]
    fn switches_are_read_as_written() {
        assert_eq!(sample("full-width-digit").get("APT::Periodic::Update-Package-Lists"), Some("\u{ff10}"));
        assert_eq!(sample("full-width-digit").get("APT::Periodic::Unattended-Upgrade"), None);
        assert_eq!(sample("switched-off").get("apt::periodic::unattended-upgrade"), Some("0"));
        assert_eq!(sample("value-instead-of-a-list").get("Unattended-Upgrade::Package-Blacklist"), Some("nvidia-"));
    }

    #[test]
    fn a_configuration_apt_refuses_is_broken() {
        let config = sample("junk-at-the-end");
        assert_eq!(
            config.broken.as_deref(),
            Some("E: Syntax error /etc/apt/apt.conf.d/50gpu:5: Extra junk at end of file")
        );
        assert_eq!(config.entries, []);
    }

    #[test]
    fn a_file_that_is_closed_to_the_login_user_is_named() {
        let config = sample("unreadable-file");
        assert_eq!(config.unreadable, ["/etc/apt/apt.conf.d/60secret"]);
        assert_eq!(config.list("Unattended-Upgrade::Package-Blacklist"), ["nvidia-"]);
        let gone = Sections::parse(
            "+dump\n|Dir::Log \"var/log/apt\";\n-ok 0\n+messages\n|W: Unable to read /etc/apt/apt.conf.d/ - DirectoryExists (2: No such file or directory)\n-ok 0\n",
        );
        assert_eq!(parse(&gone).known().map(|config| config.unreadable.len()), Some(0));
    }

    fn sample(name: &str) -> AptConfig {
        let path = format!("{}/src/probe/apt_config/samples/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        let body = std::fs::read_to_string(path).unwrap();
        parse(&Sections::parse(&body)).known().unwrap().clone()
    }

    #[test]
    fn a_dump_that_says_nothing_or_makes_no_sense_is_unread() {
        for dump in ["", "|\n", "|garbage\n", "|A \"1\";\n|{\n", "|A \"1\";\n|B \"never closed\n"] {
            let reading = parse(&Sections::parse(&format!("+dump\n{dump}-ok 0\n+messages\n-ok 0\n")));
            assert_eq!(reading.why_unread().map(|why| why.reason), Some(Reason::Unparseable), "{dump}");
        }
    }
}
