//! What is written where: stdout holds the document alone, files appear whole, the JSON keeps its schema.

use serde_json::Value;

use crate::gpusweep;

fn schema() -> Value {
    serde_json::from_str(include_str!("../../src/report/gpusweep.report-1.schema.json")).unwrap()
}

#[test]
fn the_json_document_validates_and_repeats() {
    let first = gpusweep(&["demo", "--format", "json"]).json();
    let validator = jsonschema::validator_for(&schema()).unwrap();
    let errors: Vec<String> = validator.iter_errors(&first).map(|error| error.to_string()).collect();
    assert_eq!(errors, Vec::<String>::new());
    let second = gpusweep(&["demo", "--format", "json"]).json();
    let verdicts = |report: &Value| -> Vec<(Value, Value)> {
        let hosts = report["hosts"].as_array().unwrap().iter();
        hosts.map(|host| (host["host"].clone(), host["verdict"].clone())).collect()
    };
    assert_eq!(verdicts(&first), verdicts(&second));
    assert_eq!(first["summary"], second["summary"]);
}

#[test]
fn several_reports_at_once_and_none_of_them_on_stdout() {
    let folder = tempfile::tempdir().unwrap();
    let json = folder.path().join("report.json");
    let lines = folder.path().join("report.jsonl");
    let ran = gpusweep(&[
        "demo",
        "--report",
        &format!("json={}", json.display()),
        "--report",
        &format!("jsonl={}", lines.display()),
    ]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let report: Value = serde_json::from_str(&std::fs::read_to_string(json).unwrap()).unwrap();
    assert_eq!(report["schema"], "gpusweep.report/1");
    let kinds: Vec<String> = std::fs::read_to_string(lines)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["type"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(kinds.first().map(String::as_str), Some("sweep"));
    assert_eq!(kinds.iter().filter(|kind| *kind == "host").count(), 12);
    assert_eq!(&kinds[13..], ["fleet", "summary"]);
    assert!(!ran.out.contains("\"schema\""), "{}", ran.out);
}

#[test]
fn kept_transcripts_give_the_same_verdicts_again() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("kept");
    let swept = gpusweep(&["demo", "--format", "json", "--transcripts", kept.to_str().unwrap()]).json();
    let again = gpusweep(&["analyze", "--format", "json", kept.to_str().unwrap()]).json();
    for host in again["hosts"].as_array().unwrap() {
        let name = &host["host"];
        let before = swept["hosts"].as_array().unwrap().iter().find(|other| &other["host"] == name).unwrap();
        if before["unverified"][0]["what"] == "host" {
            continue;
        }
        assert_eq!((name, &host["verdict"]), (name, &before["verdict"]));
        assert_eq!(host["findings"], before["findings"], "{name}");
    }
}

#[test]
fn shards_merge_into_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole.json");
    let ran = gpusweep(&["demo", "-q", "-o", whole.to_str().unwrap(), "--format", "json"]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    let merged = gpusweep(&["merge", "--format", "json", whole.to_str().unwrap()]);
    assert_eq!(merged.code, 1, "{}", merged.err);
    let report: Value = serde_json::from_str(&std::fs::read_to_string(&whole).unwrap()).unwrap();
    assert_eq!(merged.json()["summary"], report["summary"]);
    assert_eq!(merged.json()["fleet"], report["fleet"]);
    let twice = gpusweep(&["merge", whole.to_str().unwrap(), whole.to_str().unwrap()]);
    assert_eq!(twice.code, 2);
    assert!(twice.err.contains("stands in more than one report"), "{}", twice.err);
}

#[test]
fn two_documents_for_one_place_are_refused_before_anything_runs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report");
    let path = path.to_str().unwrap();
    for (args, place) in [
        (vec!["demo", "-o", path, "--report", &format!("json={path}")], path),
        (vec!["demo", "--report", &format!("json={path}"), "--report", &format!("csv={path}")], path),
        (vec!["demo", "--format", "json", "--report", "csv=-"], "-"),
    ] {
        let ran = gpusweep(&args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""));
        assert_eq!(ran.err, format!("error: two documents would be written to `{place}`\n"));
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
