//! `jsonl`: the report as typed lines that can be written while the sweep runs.
//!
//! Each line is an object whose first key is `type`: one `sweep`, a `host` per host as it finishes, one `fleet`, one
//! `summary`. A `host` line is the report's host object with `type` added; the `summary` line carries what is known
//! only at the end (`finished`, `complete`). A stream without its `summary` line was cut.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::report::json;
use crate::report::model::{Fleet, Host, Report, Sweep, Tool};

/// The first line: what runs and over what. `finished` and `complete` are left to the last line.
pub fn sweep_line(schema: &str, tool: &Tool, sweep: &Sweep) -> String {
    let mut body = object(sweep);
    body.shift_remove("finished");
    body.shift_remove("complete");
    let mut line = Map::new();
    line.insert("schema".to_owned(), schema.into());
    line.insert("tool".to_owned(), Value::Object(object(tool)));
    line.insert("sweep".to_owned(), Value::Object(body));
    typed("sweep", line)
}

/// One host's line.
pub fn host_line(host: &Host) -> String {
    typed("host", object(host))
}

/// The line about the fleet.
pub fn fleet_line(fleet: &Fleet) -> String {
    typed("fleet", object(fleet))
}

/// The last line: the counts, and how the sweep ended.
pub fn summary_line(report: &Report) -> String {
    let mut line = object(&report.summary);
    line.insert("finished".to_owned(), report.sweep.finished.to_string().into());
    line.insert("complete".to_owned(), report.sweep.complete.into());
    typed("summary", line)
}

/// All lines of a finished report.
pub fn render(report: &Report) -> String {
    let mut text = sweep_line(&report.schema, &report.tool, &report.sweep);
    text.extend(report.hosts.iter().map(host_line));
    text.push_str(&fleet_line(&report.fleet));
    text.push_str(&summary_line(report));
    text
}

fn object<T: Serialize>(value: &T) -> Map<String, Value> {
    match serde_json::to_value(value) {
        Ok(Value::Object(map)) => map,
        // A struct serialises to an object; nothing else can come.
        _ => Map::new(),
    }
}

fn typed(word: &str, body: Map<String, Value>) -> String {
    let mut line = Map::new();
    line.insert("type".to_owned(), word.into());
    line.extend(body);
    json::compact(&line) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    #[test]
    fn lines_are_typed_and_in_order() {
        let text = render(&fixture::fleet());
        let types: Vec<String> = text
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap()["type"].as_str().unwrap().to_owned())
            .collect();
        let mut expected = vec!["sweep"];
        expected.extend(["host"; 10]);
        expected.extend(["fleet", "summary"]);
        assert_eq!(types, expected);
    }

    #[test]
    fn the_fixed_fleet() {
        insta::assert_snapshot!("jsonl", render(&fixture::fleet()));
    }

    #[test]
    fn a_host_line_reads_as_a_host() {
        let report = fixture::fleet();
        let line = host_line(&report.hosts[3]);
        assert!(line.starts_with("{\"type\":\"host\",\"host\":\"gpu-04\","));
        assert_eq!(serde_json::from_str::<Host>(&line).unwrap(), report.hosts[3]);
    }

    #[test]
    fn the_end_is_known_only_at_the_end() {
        let report = fixture::fleet();
        let first = sweep_line(&report.schema, &report.tool, &report.sweep);
        assert!(!first.contains("finished") && !first.contains("complete"));
        let last = summary_line(&report);
        assert!(last.starts_with("{\"type\":\"summary\",\"hosts\":10,"));
        assert!(last.ends_with("\"finished\":\"2026-12-01T06:00:00Z\",\"complete\":true}\n"));
    }
}
