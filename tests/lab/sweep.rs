//! What a run of the binary said, and short ways to hold it against what is expected.

use std::process::Command;

use serde_json::Value;

use crate::fleet::at;
use crate::ground::shell::feed;

/// A finished run.
pub struct Outcome {
    /// Its exit code.
    pub code: i32,
    /// Its standard output.
    pub out: String,
    /// Its standard error.
    pub err: String,
    /// Its standard output as JSON; `Null` when it is none.
    pub json: Value,
}

impl Outcome {
    /// Runs a command to its end.
    pub fn of(command: &mut Command, stdin: &str) -> Self {
        let done = feed(command, stdin);
        let json = serde_json::from_str(&done.out).unwrap_or(Value::Null);
        Self { code: done.code, out: done.out, err: done.err, json }
    }

    /// One host's part of a JSON report.
    ///
    /// # Panics
    /// When the report has no such host; what the run said is in the message.
    pub fn host(&self, name: &str) -> HostReport<'_> {
        let hosts = at(&self.json, "hosts").as_array().map_or(&[][..], Vec::as_slice);
        let value = hosts.iter().find(|host| host["host"] == name);
        let value = value.unwrap_or_else(|| panic!("no host {name} in the report (exit {}):\n{}", self.code, self.err));
        HostReport { name: name.to_owned(), value }
    }

    /// The fleet findings of one check.
    pub fn fleet(&self, check: &str) -> Vec<&Value> {
        let all = at(&self.json, "fleet.findings").as_array().map_or(&[][..], Vec::as_slice);
        all.iter().filter(|finding| finding["check"] == check).collect()
    }
}

/// One host in a JSON report.
pub struct HostReport<'a> {
    /// Its name.
    pub name: String,
    /// Its object.
    pub value: &'a Value,
}

impl HostReport<'_> {
    /// Its verdict.
    pub fn verdict(&self) -> &str {
        self.value["verdict"].as_str().unwrap_or("none")
    }

    /// The ids of its findings at `warning` or `critical`, sorted.
    pub fn alarms(&self) -> Vec<&str> {
        let mut ids: Vec<&str> = self
            .findings()
            .filter(|finding| finding["severity"] != "info")
            .filter_map(|finding| finding["check"].as_str())
            .collect();
        ids.sort_unstable();
        ids
    }

    /// Its findings.
    pub fn findings(&self) -> impl Iterator<Item = &Value> {
        self.value["findings"].as_array().into_iter().flatten()
    }

    /// The finding of this check.
    ///
    /// # Panics
    /// When there is none.
    pub fn finding(&self, check: &str) -> &Value {
        let found = self.findings().find(|finding| finding["check"] == check);
        found.unwrap_or_else(|| panic!("{}: no finding {check} in {:#}", self.name, self.value))
    }

    /// A fact, by its dotted path.
    pub fn fact(&self, path: &str) -> &Value {
        at(&self.value["facts"], path)
    }

    /// Asserts the verdict and the exact set of findings at `warning` or above.
    pub fn expect(&self, verdict: &str, alarms: &[&str]) {
        let mut wanted = alarms.to_vec();
        wanted.sort_unstable();
        assert_eq!((self.verdict(), self.alarms()), (verdict, wanted), "{}: {:#}", self.name, self.value);
    }

    /// Asserts that it is unverified because of the host itself, with exactly this reason.
    pub fn expect_unverified(&self, reason: &str) {
        let reasons: Vec<(&str, &str)> = self.value["unverified"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|entry| (entry["what"].as_str().unwrap_or(""), entry["reason"].as_str().unwrap_or("")))
            .collect();
        assert_eq!(
            (self.verdict(), reasons),
            ("unverified", vec![("host", reason)]),
            "{}: {:#}",
            self.name,
            self.value
        );
    }

    /// Asserts a detail of a finding.
    pub fn expect_detail(&self, check: &str, path: &str, wanted: impl Into<Value>) {
        let details = &self.finding(check)["details"];
        assert_eq!(at(details, path), &wanted.into(), "{}: details.{path} of {check} in {details:#}", self.name);
    }
}
