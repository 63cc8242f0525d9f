//! A transcript taken by hand on a host and judged here gives the verdict that the sweep gave.

use crate::fleet::lab;

#[test]
fn by_hand_and_by_sweep_agree() {
    let Some(lab) = lab() else { return };
    let script = lab.plain(&["probe-script"], "");
    assert_eq!(script.code, 0, "{}", script.err);
    for name in ["gpu-1", "gpu-3", "gpu-4", "manual", "web"] {
        let quoted = crate::ground::shell::word(&script.out);
        let by_hand =
            lab.running(name).inside(&format!("printf %s {quoted} | setpriv --reuid ops --regid ops --init-groups sh"));
        let file = lab.folder().join(format!("{name}.transcript"));
        std::fs::write(&file, by_hand).expect("writable");
        let judged = lab.plain(&["analyze", &file.display().to_string(), "--format", "json"], "");
        let hosts = judged.json["hosts"].as_array().unwrap_or_else(|| panic!("{name}: {}", judged.err));
        let swept = lab.report(name);
        let ids = |value: &serde_json::Value| -> Vec<String> {
            let list = value["findings"].as_array().cloned().unwrap_or_default();
            list.iter().filter_map(|finding| finding["check"].as_str().map(str::to_owned)).collect()
        };
        assert_eq!(hosts[0]["verdict"], swept.value["verdict"], "{name}");
        assert_eq!(ids(&hosts[0]), ids(swept.value), "{name}");
    }
}
