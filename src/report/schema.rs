//! The published JSON Schema of the report, generated from the model and held against the file in this folder.

use serde_json::Value;

use crate::report::model::Report;

/// The published file, as it stands in the repository.
pub const PUBLISHED: &str = include_str!("gpusweep.report-1.schema.json");

/// The schema as the model has it now.
pub fn generate() -> Value {
    let mut schema = schemars::schema_for!(Report).to_value();
    if let Value::Object(map) = &mut schema {
        map.insert("$id".to_owned(), "urn:gpusweep:report:1".into());
        map.insert("title".to_owned(), "gpusweep.report/1".into());
    }
    mark_times(&mut schema);
    schema
}

/// Times are strings to the model's schema; this says which strings.
fn mark_times(schema: &mut Value) {
    const TIMES: [&str; 4] = ["started", "finished", "booted_at", "at"];
    match schema {
        Value::Object(map) => {
            if let Some(Value::Object(properties)) = map.get_mut("properties") {
                for (name, property) in properties.iter_mut() {
                    if let (true, Value::Object(property)) = (TIMES.contains(&name.as_str()), property) {
                        property.insert("format".to_owned(), "date-time".into());
                    }
                }
            }
            map.values_mut().for_each(mark_times);
        }
        Value::Array(items) => items.iter_mut().for_each(mark_times),
        _ => {}
    }
}

/// The text of the published file.
pub fn text() -> String {
    format!("{:#}\n", generate())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{fixture, json};

    /// `GPUSWEEP_UPDATE=1 cargo test report::schema` writes the file anew.
    #[test]
    fn the_published_schema_does_not_drift() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/report/gpusweep.report-1.schema.json");
        if std::env::var_os("GPUSWEEP_UPDATE").is_some() {
            std::fs::write(path, text()).unwrap();
        }
        let published = std::fs::read_to_string(path).unwrap();
        assert!(published == text(), "{path} is stale: GPUSWEEP_UPDATE=1 cargo test report::schema");
    }

    #[test]
    fn documents_validate_and_wrong_ones_do_not() {
        let validator = jsonschema::validator_for(&generate()).unwrap();
        let mut document: Value = serde_json::from_str(&json::render(&fixture::fleet())).unwrap();
        let errors: Vec<String> = validator.iter_errors(&document).map(|error| error.to_string()).collect();
        assert_eq!(errors, Vec::<String>::new());
        document["hosts"][0]["verdict"] = "fine".into();
        assert!(!validator.is_valid(&document));
    }

    #[test]
    fn a_later_field_does_not_break_a_reader() {
        let validator = jsonschema::validator_for(&generate()).unwrap();
        let mut document: Value = serde_json::from_str(&json::render(&fixture::fleet())).unwrap();
        document["hosts"][0]["added_later"] = 1.into();
        assert!(validator.is_valid(&document));
    }
}
