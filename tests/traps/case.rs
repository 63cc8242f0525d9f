//! A recording that can be edited, section by section, and judged.

use gpusweep::check::{self, BaselineBy, HostContext, NowSource};
use gpusweep::probe::ProbeId;
use gpusweep::report::model;
use gpusweep::transcript::Transcript;
use gpusweep::verdict::{Contacted, Rules, judge_fleet, judge_host};
use serde_json::Value;

/// A node whose driver is cured and whose blacklist has the three usual patterns.
pub const HEALTHY: &str = include_str!("../../src/command/demo/healthy.transcript");
/// A node upgraded by the updater three days ago, up for longer.
pub const HALF_UPGRADED: &str = include_str!("../../src/command/demo/half-upgraded.transcript");
/// A node without a GPU.
pub const NO_GPU: &str = include_str!("../../src/command/demo/no-gpu.transcript");
/// The archive's line in apt's policy of these recordings.
pub const ARCHIVE: &str = "http://mirror.example/ubuntu jammy-security/restricted amd64 Packages";

#[derive(Debug, Clone)]
struct Section {
    head: String,
    lines: Vec<String>,
    end: String,
}

#[derive(Debug, Clone)]
struct Frame {
    probe: String,
    sections: Vec<Section>,
    end: String,
}

/// An edited recording.
#[derive(Debug, Clone)]
pub struct Case {
    name: String,
    received: Option<String>,
    frames: Vec<Frame>,
    done: bool,
    running: Option<String>,
    expect: Option<String>,
    baseline: Option<String>,
}

impl Case {
    /// A recording as it is.
    pub fn from(text: &str) -> Self {
        let transcript = Transcript::parse(text.as_bytes(), None);
        let frames = transcript.frames.iter().map(|frame| {
            let end = text
                .lines()
                .find_map(|line| line.split_once(&format!(" end {} ", frame.probe)).map(|(_, end)| end.to_owned()));
            Frame { probe: frame.probe.clone(), sections: sections(&frame.body), end: end.unwrap() }
        });
        Self {
            name: "gpu-1".to_owned(),
            received: transcript.received.map(|at| at.to_string()),
            frames: frames.collect(),
            done: true,
            running: None,
            expect: None,
            baseline: None,
        }
    }

    pub fn healthy() -> Self {
        Self::from(HEALTHY)
    }

    pub fn half_upgraded() -> Self {
        Self::from(HALF_UPGRADED)
    }

    pub fn named(mut self, name: &str) -> Self {
        self.name = name.to_owned();
        self
    }

    /// `gpusweep_expect_driver`.
    pub fn expecting(mut self, driver: &str) -> Self {
        self.expect = Some(driver.to_owned());
        self
    }

    /// `gpusweep_baseline_group`.
    pub fn in_group(mut self, key: &str) -> Self {
        self.baseline = Some(key.to_owned());
        self
    }

    /// The controller's clock; `None` makes it a transcript collected by hand.
    pub fn received(mut self, at: Option<&str>) -> Self {
        self.received = at.map(str::to_owned);
        self
    }

    /// The answer ends while a probe runs.
    pub fn cut_inside(mut self, probe: &str) -> Self {
        let at = self.frames.iter().position(|frame| frame.probe == probe).unwrap();
        self.frames.truncate(at);
        self.done = false;
        self.running = Some(probe.to_owned());
        self
    }

    /// No end line: the connection was lost.
    pub fn cut_after(mut self, probe: &str) -> Self {
        let at = self.frames.iter().position(|frame| frame.probe == probe).unwrap();
        self.frames.truncate(at + 1);
        self.done = false;
        self
    }

    fn frame(&mut self, probe: &str) -> &mut Frame {
        self.frames.iter_mut().find(|frame| frame.probe == probe).unwrap_or_else(|| panic!("no probe `{probe}`"))
    }

    /// The text of the section whose head is or begins with `head`; it is added when there is none.
    pub fn section(mut self, probe: &str, head: &str, text: &str) -> Self {
        let lines = text.lines().map(str::to_owned).collect();
        let frame = self.frame(probe);
        if !frame.end.starts_with("ok") {
            frame.end = "ok 0".to_owned();
        }
        match frame.sections.iter_mut().find(|section| is(section, head)) {
            Some(section) => {
                section.lines = lines;
                section.end = "ok 0".to_owned();
            }
            None => frame.sections.push(Section { head: head.to_owned(), lines, end: "ok 0".to_owned() }),
        }
        self
    }

    /// One more section, whatever is there already.
    pub fn more(mut self, probe: &str, head: &str, text: &str) -> Self {
        let lines = text.lines().map(str::to_owned).collect();
        self.frame(probe).sections.push(Section { head: head.to_owned(), lines, end: "ok 0".to_owned() });
        self
    }

    /// Lines added to a section.
    pub fn append(mut self, probe: &str, head: &str, text: &str) -> Self {
        let section = self.frame(probe).sections.iter_mut().find(|section| is(section, head));
        section.unwrap_or_else(|| panic!("no section `{head}`")).lines.extend(text.lines().map(str::to_owned));
        self
    }

    /// How a section ended (`denied 1`); one that is not `ok` has no text.
    pub fn ends(mut self, probe: &str, head: &str, end: &str) -> Self {
        let section = self.frame(probe).sections.iter_mut().find(|section| is(section, head));
        section.unwrap_or_else(|| panic!("no section `{head}`")).end = end.to_owned();
        self
    }

    /// Takes every section of that head away.
    pub fn without(mut self, probe: &str, head: &str) -> Self {
        self.frame(probe).sections.retain(|section| !is(section, head));
        self
    }

    /// A whole probe's outcome: no sections, this end.
    pub fn probe_ends(mut self, probe: &str, end: &str) -> Self {
        let frame = self.frame(probe);
        frame.sections.clear();
        frame.end = end.to_owned();
        self
    }

    /// Replaces text in one probe's lines; it must be there.
    pub fn replace(mut self, probe: &str, from: &str, to: &str) -> Self {
        let mut found = false;
        for section in &mut self.frame(probe).sections {
            for line in &mut section.lines {
                found |= line.contains(from);
                *line = line.replace(from, to);
            }
        }
        assert!(found, "`{from}` is not in `{probe}`");
        self
    }

    /// Takes lines away that hold a text; there must be one.
    pub fn drop_lines(mut self, probe: &str, text: &str) -> Self {
        let mut found = false;
        for section in &mut self.frame(probe).sections {
            let before = section.lines.len();
            section.lines.retain(|line| !line.contains(text));
            found |= section.lines.len() != before;
        }
        assert!(found, "`{text}` is not in `{probe}`");
        self
    }

    /// The loaded module's version.
    pub fn loaded(self, version: &str) -> Self {
        let line = format!("NVRM version: NVIDIA UNIX x86_64 Kernel Module  {version}  Tue Mar 19 20:23:00 UTC 2024");
        self.section("module", "proc", &line).section("module", "sys ", version).without("module", "in-sys").more(
            "module",
            "in-sys",
            &format!("nvidia {version}"),
        )
    }

    /// No module is loaded.
    pub fn unloaded(self) -> Self {
        self.section("module", "proc", "")
            .ends("module", "proc", "absent 1")
            .section("module", "sys ", "")
            .ends("module", "sys ", "absent 1")
            .without("module", "in-sys")
            .without("module", "changed")
            .section("pci", "devices", "0000:17:00.0 0x030200 0x2330 -")
            .section("nvidia-smi", "query", NO_DRIVER)
            .ends("nvidia-smi", "query", "failed 9")
    }

    /// The library file's version.
    pub fn library(self, version: &str) -> Self {
        let folder = "/usr/lib/x86_64-linux-gnu";
        let row = format!("1796088560 {folder}/libnvidia-ml.so.1 -> {folder}/libnvidia-ml.so.{version}");
        self.section("library", "cache", &row).section("library", "folders", &row)
    }

    /// No library is on the host.
    pub fn no_library(self) -> Self {
        self.section("library", "cache", "").section("library", "folders", "")
    }

    /// The module file of a kernel.
    pub fn module_file(self, kernel: &str, path: &str, version: &str) -> Self {
        let text = format!("name: nvidia\nfilename:       /lib/modules/{kernel}/{path}\nversion:        {version}");
        self.section("kernels", &format!("module {kernel}"), &text)
    }

    /// One more kernel with an image and no module.
    pub fn newer_kernel(self, release: &str) -> Self {
        self.append("kernels", "images", release)
            .append("kernels", "folders", release)
            .more("kernels", &format!("module {release}"), "")
            .ends("kernels", &format!("module {release}"), "absent 1")
    }

    /// The installed packages beside apt, dkms and the updater: `STATE NAME VERSION [DEPENDS]`, with apt's policy for
    /// each from the archive.
    pub fn packages(self, rows: &[(&str, &str, &str, &str)]) -> Self {
        let mut dpkg =
            "ii \tapt\tamd64\t2.6.1\tapt\t-\t\t\nii \tunattended-upgrades\tall\t2.9.1+nmu3\tunattended-upgrades\t-\t\t"
                .to_owned();
        let mut policy = String::new();
        for (state, name, version, depends) in rows {
            let (bare, arch) = name.split_once(':').unwrap_or((name, "amd64"));
            let source = if name.contains("linux-") { "linux" } else { "nvidia-graphics-drivers" };
            dpkg += &format!("\n{state:<3}\t{bare}\t{arch}\t{version}\t{source}\t-\t\t{depends}");
            policy += &policy_row(name, version, ARCHIVE);
        }
        self.section("packages", "dpkg", &dpkg).section("apt-policy", "packages", &policy)
    }

    /// Where apt says that a package comes from, instead of the archive.
    pub fn from_source(self, line: &str, release: &str) -> Self {
        self.replace("apt-policy", ARCHIVE, line).replace(
            "apt-policy",
            "release o=Ubuntu,a=jammy-security,n=jammy,l=Ubuntu,c=restricted,b=amd64",
            release,
        )
    }

    /// The updater's blacklist, in place of the recording's.
    pub fn blacklist(mut self, patterns: &[&str]) -> Self {
        for section in &mut self.frame("apt-config").sections {
            section.lines.retain(|line| !line.starts_with("Unattended-Upgrade::Package-Blacklist"));
        }
        for section in &mut self.frame("apt-files").sections {
            if section.head.contains("nvidia") {
                section.lines = vec!["Unattended-Upgrade::Package-Blacklist {".to_owned()];
                section.lines.extend(patterns.iter().map(|pattern| format!("  \"{pattern}\";")));
                section.lines.push("};".to_owned());
            }
        }
        let mut lines = "Unattended-Upgrade::Package-Blacklist \"\";".to_owned();
        for pattern in patterns {
            lines += &format!("\nUnattended-Upgrade::Package-Blacklist:: \"{pattern}\";");
        }
        self.append("apt-config", "dump", &lines)
    }

    /// One more line of `apt-config dump`.
    pub fn config(self, line: &str) -> Self {
        self.append("apt-config", "dump", line)
    }

    /// Puts a hold on packages whose name begins so.
    pub fn hold(mut self, prefix: &str) -> Self {
        for section in &mut self.frame("packages").sections {
            for line in &mut section.lines {
                if line.split('\t').nth(1).is_some_and(|name| name.starts_with(prefix)) {
                    line.replace_range(0..1, "h");
                }
            }
        }
        self
    }

    /// apt's history, as stanzas separated by blank lines; dpkg's log is taken away unless given.
    pub fn history(self, stanzas: &str) -> Self {
        let first =
            stanzas.lines().find_map(|line| line.strip_prefix("Start-Date: ")).unwrap_or("2026-01-01  00:00:00");
        let lines: Vec<&str> = stanzas.lines().map(str::trim_start).filter(|line| !line.is_empty()).collect();
        let text = format!("#first {first}\n{}", lines.join("\n"));
        self.section("apt-history", "log", &text).without("dpkg-log", "log").probe_ends("dpkg-log", "absent 3")
    }

    /// dpkg's log.
    pub fn dpkg_log(self, text: &str) -> Self {
        let lines: Vec<&str> = text.lines().map(str::trim_start).filter(|line| !line.is_empty()).collect();
        let first: String = lines.first().copied().unwrap_or_default().chars().take(19).collect();
        self.section("dpkg-log", "log /var/log/dpkg.log", &format!("#first {first}\n{}", lines.join("\n")))
    }

    /// Boot time and "now" of the host, as seconds; the controller's clock follows.
    pub fn times(self, btime: &str, now: &str, zone: &str, offset: &str) -> Self {
        let second = |text: &str| text.parse::<jiff::Timestamp>().unwrap().as_second();
        self.section("boot", "stat", &format!("btime {}", second(btime)))
            .without("boot", "uptime")
            .section("clock", "date", &format!("{} {offset}", second(now)))
            .section("clock", "localtime-link", &format!("/usr/share/zoneinfo/{zone}"))
            .section("clock", "timezone", zone)
            .received(Some(now))
    }

    fn text(&self) -> String {
        let marker = "%%00112233445566aa";
        let mut out = String::new();
        if let Some(received) = &self.received {
            out += &format!("gpusweep-received {received}\n");
        }
        out += &format!("gpusweep-transcript/1 {marker}\n");
        for frame in &self.frames {
            out += &format!("{marker} begin {}\n", frame.probe);
            for section in &frame.sections {
                out += &format!("+{}\n", section.head);
                for line in &section.lines {
                    out += &format!("|{line}\n");
                }
                out += &format!("-{}\n", section.end);
            }
            out += &format!("{marker} end {} {}\n", frame.probe, frame.end);
        }
        if let Some(probe) = &self.running {
            out += &format!("{marker} begin {probe}\n");
        }
        if self.done {
            out += &format!("{marker} done\n");
        }
        out
    }

    /// The judged host.
    pub fn judged(&self) -> model::Host {
        let text = self.text();
        let transcript = Transcript::parse(text.as_bytes(), None);
        let (now, now_source) = match transcript.received {
            Some(received) => (received, NowSource::Controller),
            None => ("2026-12-01T02:22:00Z".parse().unwrap(), NowSource::Host),
        };
        let contacted = Contacted {
            address: self.name.clone(),
            groups: Vec::new(),
            transcript: &transcript,
            failure: None,
            become_failure: None,
            baseline_key: self.baseline.clone(),
            timing: model::Timing::default(),
        };
        let context = HostContext {
            host: self.name.clone(),
            now,
            now_source,
            expect_driver: self.expect.clone(),
            probes: ProbeId::ALL.to_vec(),
        };
        judge_host(&contacted, &context, &rules(&|_, _, _| None))
    }

    /// Judges and compares: `verdict`, `checks`, `unverified`, `unread`, `facts/KEY...`, or `CHECK/KEY...` of a
    /// finding's details. A text is compared as it is, anything else as JSON.
    #[track_caller]
    pub fn sees(&self, want: &[(&str, &str)]) {
        let host = self.judged();
        let value = serde_json::to_value(&host).unwrap();
        let mut wrong = Vec::new();
        for (key, want) in want {
            let found = look_up(&value, key);
            if found != *want {
                wrong.push(format!("{key}: {found}\n   instead of {want}"));
            }
        }
        let said: Vec<String> = host.findings.iter().map(|f| format!("{}: {}", f.check, f.message)).collect();
        let unverified = serde_json::to_string(&value["unverified"]).unwrap();
        assert!(wrong.is_empty(), "{}\nfindings:\n{}\nunverified: {unverified}", wrong.join("\n"), said.join("\n"));
    }
}

/// The fleet's findings over several hosts, as `CHECK SEVERITY host,host`.
pub fn fleet(cases: &[Case]) -> Vec<String> {
    let hosts: Vec<model::Host> = cases.iter().map(Case::judged).collect();
    let findings = judge_fleet(&hosts, &rules(&|_, _, _| None));
    let severity = |finding: &model::FleetFinding| serde_json::to_value(finding.severity).unwrap();
    findings
        .iter()
        .map(|finding| format!("{} {} {}", finding.check, severity(finding).as_str().unwrap(), finding.hosts.join(",")))
        .collect()
}

const NO_DRIVER: &str = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the \
                         latest NVIDIA driver is installed and running.\n";

fn rules<'a>(waive: &'a gpusweep::verdict::Waive<'a>) -> Rules<'a> {
    Rules {
        checks: check::ALL.iter().collect(),
        severities: std::collections::BTreeMap::new(),
        baseline: BaselineBy::Sweep,
        waive,
    }
}

fn sections(body: &str) -> Vec<Section> {
    let parsed = gpusweep::probe::Sections::parse(body);
    let ends: Vec<&str> = body.lines().filter_map(|line| line.strip_prefix('-')).collect();
    assert_eq!(parsed.0.len(), ends.len());
    parsed
        .0
        .into_iter()
        .zip(ends)
        .map(|(section, end)| Section {
            head: format!("{} {}", section.name, section.argument).trim_end().to_owned(),
            lines: section.lines,
            end: end.to_owned(),
        })
        .collect()
}

fn is(section: &Section, head: &str) -> bool {
    section.head == head.trim_end() || section.head.starts_with(&format!("{} ", head.trim_end()))
}

fn look_up(host: &Value, key: &str) -> String {
    let list = |name: &str, one: &dyn Fn(&Value) -> String| {
        host[name].as_array().unwrap().iter().map(one).collect::<Vec<_>>().join(", ")
    };
    let text = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    match key {
        "verdict" => text(host, "verdict"),
        "why" => text(host, "not_applicable_because"),
        "checks" => list("findings", &|f| format!("{} {}", text(f, "check"), text(f, "severity"))),
        "unverified" | "unread" => list(key, &|f| format!("{} {}", text(f, "what"), text(f, "reason"))),
        _ => {
            let (head, rest) = key.split_once('/').unwrap();
            let empty = Vec::new();
            let findings = host["findings"].as_array().unwrap_or(&empty);
            let node = match head {
                "facts" => host["facts"].clone(),
                check => match findings.iter().find(|f| f["check"] == check) {
                    Some(finding) => finding["details"].clone(),
                    None => return format!("no finding {check}"),
                },
            };
            if rest == "message" {
                let finding = findings.iter().find(|f| f["check"] == head).unwrap();
                return text(finding, "message");
            }
            match node.pointer(&format!("/{rest}")) {
                Some(Value::String(text)) => text.clone(),
                Some(value) => value.to_string(),
                None => "(no such key)".to_owned(),
            }
        }
    }
}

fn policy_row(name: &str, version: &str, source: &str) -> String {
    format!(
        "{name}:\n  Installed: {version}\n  Candidate: {version}\n  Version table:\n *** {version} 500\n        500 {source}\n        \
         100 /var/lib/dpkg/status\n"
    )
}
