//! What the reader makes of YAML, good, odd and hostile.

use super::node::{Kind, Node};
use super::{Diagnostic, Source, read};

fn node(text: &str) -> Node {
    read(&Source::new("f", text.as_bytes()).unwrap()).unwrap()
}

fn told(text: &str) -> Diagnostic {
    read(&Source::new("f", text.as_bytes()).unwrap()).unwrap_err()
}

fn flat(node: &Node) -> String {
    let at = format!("@{}:{}", node.at.line, node.at.column);
    let tag = node.tag.as_ref().map(|tag| format!("!{tag} ")).unwrap_or_default();
    match &node.kind {
        Kind::Null => format!("{tag}null{at}"),
        Kind::Scalar { text, plain } => format!("{tag}{}{text:?}{at}", if *plain { "" } else { "q" }),
        Kind::Seq(items) => format!("{tag}[{}]{at}", items.iter().map(flat).collect::<Vec<_>>().join(" ")),
        Kind::Map(entries) => {
            let entries = entries.iter().map(|e| format!("{}@{}:{}={}", e.key, e.at.line, e.at.column, flat(&e.value)));
            format!("{tag}{{{}}}", entries.collect::<Vec<_>>().join(" "))
        }
    }
}

#[test]
fn values_keep_their_text_and_place() {
    let text = "a: 535.10\nb:\n  - 010\n  - yes\n  - \"yes\"\n  - ~\n  - 0x1F # hex\n  - it's a 1.50 b\n  - {c: 1_000, 1e10: 1e3}\n  - 190:20:30\n";
    assert_eq!(
        flat(&node(text)),
        "{a@1:1=\"535.10\"@1:4 b@2:1=[\"010\"@3:5 \"yes\"@4:5 q\"yes\"@5:5 null@6:5 \"0x1F\"@7:5 \"it's a 1.50 b\"@8:5 \
         {c@9:6=\"1_000\"@9:9 1e10@9:16=\"1e3\"@9:22} \"190:20:30\"@10:5]@3:5}"
    );
}

#[test]
fn keys_that_look_like_numbers_stay_text() {
    assert_eq!(
        flat(&node("010: {}\n1.50:\n\"2\": x\ntrue: y\n")),
        "{010@1:1={} 1.50@2:1=null@2:6 2@3:1=q\"x\"@3:6 true@4:1=\"y\"@4:7}".replace("q\"x", "\"x")
    );
}

#[test]
fn unicode_columns_count_characters_and_windows_files_read_alike() {
    assert_eq!(flat(&node("\u{feff}größe: \"ü\"\r\nb: 1\r\n")), "{größe@1:1=q\"ü\"@1:8 b@2:1=\"1\"@2:4}");
}

#[test]
fn tags_anchors_and_aliases() {
    let text = "a: !vault |\n  $ANSIBLE_VAULT;1.1\nb: &x 1.50\nc: *x\nd: !!str 010\ne: !unsafe \"{{ x }}\"\n";
    assert_eq!(
        flat(&node(text)),
        "{a@1:1=!vault q\"$ANSIBLE_VAULT;1.1\\n\"@1:4 b@3:1=\"1.50\"@3:4 c@4:1=\"1.50\"@3:4 d@5:1=q\"010\"@5:4 e@6:1=!unsafe q\"{{ x }}\"@6:4}"
    );
}

#[test]
fn merges_as_pyyaml_does() {
    let text = "base: &b {x: 1, y: 2}\nmore: &m {y: 3, z: 4}\nc:\n  <<: [*b, *m]\n  x: 9\n";
    let node = node(text);
    let merged: Vec<_> = node.entries().unwrap()[2]
        .value
        .entries()
        .unwrap()
        .iter()
        .map(|e| (e.key.as_str(), e.value.text().unwrap()))
        .collect();
    assert_eq!(merged, [("y", "2"), ("z", "4"), ("x", "9")]);
    assert_eq!(told("a:\n  <<: 5\n").message, "`<<` merges a mapping or a list of mappings");
}

#[test]
fn duplicate_keys_have_both_places() {
    let told = told("all:\n  hosts:\n    gpu-1:\n    gpu-2:\n    gpu-1:\n");
    assert_eq!((told.line, told.column, told.message.as_str()), (5, 5, "the key `gpu-1` stands here twice"));
    assert_eq!(told.hint.as_deref(), Some("it is first on line 3: keep one of them"));
}

#[test]
fn bad_yaml_has_a_place_and_a_hint() {
    let told = told("a:\n\tb: 1\n");
    assert_eq!((told.line, told.column), (2, 1));
    assert_eq!(told.hint.as_deref(), Some("YAML is indented with spaces: replace the tab"));
    let told = self::told("a: {{ x }}\n");
    assert_eq!((told.line, told.message.as_str()), (1, "a key is a list or a mapping"));
}

#[test]
fn empty_files_and_second_documents() {
    assert_eq!(node("").kind, Kind::Null);
    assert_eq!(node("# only a comment\n").kind, Kind::Null);
    assert_eq!(node("---\na: 1\n...\n").entries().unwrap().len(), 1);
    let told = told("a: 1\n---\nb: 2\n");
    assert_eq!((told.line, told.column), (3, 1));
}

#[test]
fn laughter_depth_and_self_reference_are_bounded() {
    let mut text = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for level in 1..12 {
        let items = vec![format!("*a{}", level - 1); 9].join(", ");
        text.push_str(&format!("a{level}: &a{level} [{items}]\n"));
    }
    assert!(told(&text).message.contains("limit") || told(&text).message.contains("aliases"));
    assert!(told(&"[".repeat(5_000)).message.starts_with("not valid YAML"));
    assert!(told(&format!("{}{}", "[".repeat(200), "]".repeat(200))).message.contains("recursion limit"));
    assert!(told("a: &a [*a]\n").message.contains("limit"));
}

proptest::proptest! {
    #[test]
    fn never_panics_on_yaml_like_text(text in "[ab:\\[\\]{},&*!|>'\"#\\-\\n\\t <0-9é]{0,60}") {
        let _ = read(&Source::new("f", text.as_bytes()).unwrap()).map_err(|told| told.to_string());
    }

    #[test]
    fn never_panics_on_bytes(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..80)) {
        if let Ok(source) = Source::new("f", &bytes) {
            let _ = read(&source).map_err(|told| told.to_string());
        }
    }
}
