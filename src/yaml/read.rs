//! From text to [`Node`]s.
//!
//! `serde_yaml` tells where something stands only in an error. So a single value is never returned from its visitor: it is put
//! aside and an error is raised in its stead, which the parser stamps with the place; whoever asked for the value takes both.
//! The parser is past the value by then and goes on as if nothing had happened. Numbers and booleans arrive typed; what was
//! written is read from the text at that place.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::sync::Arc;

use serde::de::{self, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor};

use super::merge;
use super::node::{Entry, Kind, Node};
use super::{Diagnostic, Mark, Source};

/// Most values one file may hold, aliases expanded.
const MOST_VALUES: usize = 2_000_000;

/// Reads one YAML document. An empty file is a null node.
///
/// # Errors
/// Bad YAML, a duplicate key, a key that is no single value, a second document, nesting deeper than 128, or more than two million
/// values once aliases are expanded.
pub fn read(source: &Arc<Source>) -> Result<Node, Diagnostic> {
    let reader = Reader::new(source);
    let mut first = None;
    for document in serde_yaml::Deserializer::from_str(source.text()) {
        let node = reader.settle(Seed(&reader).deserialize(document)).map_err(|error| reader.explain(&error))?;
        if first.is_none() {
            first = Some(node);
            continue;
        }
        let told = source.error(node.at, "a second YAML document begins before this place");
        return Err(told.hint("one file holds one document: remove the `---` in the middle, or split the file"));
    }
    Ok(first.unwrap_or_default())
}

struct Reader<'s> {
    source: &'s Source,
    /// A single value on its way to whoever asked for it.
    aside: RefCell<Option<Node>>,
    /// What this room itself has to complain about.
    complaint: RefCell<Option<Diagnostic>>,
    values: Cell<usize>,
}

impl<'s> Reader<'s> {
    fn new(source: &'s Source) -> Self {
        Self { source, aside: RefCell::new(None), complaint: RefCell::new(None), values: Cell::new(0) }
    }

    /// A value put aside and its place, if there is one; else what the parser returned.
    fn settle<E: fmt::Display>(&self, result: Result<Node, E>) -> Result<Node, E> {
        let error = match result {
            Ok(node) => return Ok(node),
            Err(error) => error,
        };
        let Some(mut node) = self.aside.borrow_mut().take() else { return Err(error) };
        node.at = place_in(&error.to_string());
        if let Kind::Scalar { text, plain } = &mut node.kind {
            let written = written_at(self.source, node.at);
            *plain = written.plain && *plain;
            if !*plain || written.token.is_empty() {
                return Ok(node);
            }
            // Only what YAML types was changed on the way (`010`, `1.50`, `yes`); text came through whole.
            if typed(text, written.token) {
                written.token.clone_into(text);
            }
        }
        Ok(node)
    }

    fn put_aside<E: de::Error>(&self, kind: Kind) -> E {
        *self.aside.borrow_mut() = Some(Node { kind, ..Node::default() });
        E::custom("")
    }

    fn complain<E: de::Error>(&self, told: Diagnostic) -> E {
        let mut complaint = self.complaint.borrow_mut();
        let first = complaint.take().unwrap_or(told);
        *complaint = Some(first);
        E::custom("see the complaint")
    }

    fn count<E: de::Error>(&self, at: Mark) -> Result<(), E> {
        self.values.set(self.values.get() + 1);
        if self.values.get() <= MOST_VALUES {
            return Ok(());
        }
        let told =
            self.source.error(at, format!("the file holds more than {MOST_VALUES} values once aliases are expanded"));
        Err(self.complain(told.hint("split the file, or write fewer aliases (`*name`)")))
    }

    fn explain(&self, error: &serde_yaml::Error) -> Diagnostic {
        if let Some(told) = self.complaint.borrow_mut().take() {
            return told;
        }
        let text = error.to_string();
        let message = match text.split_once(" at line ") {
            Some((message, _)) => message,
            None => text.as_str(),
        };
        let at = error.location().map(|at| Mark { line: at.line(), column: at.column() }).unwrap_or_default();
        let line = self.source.line(at.line);
        let hint = if message.contains("repetition limit") {
            "aliases (`*name`) repeat far more than the file is long: write the values out"
        } else if message.contains("recursion limit") {
            "the file is nested deeper than 128 levels, or an alias contains itself"
        } else if line.trim_start_matches(' ').starts_with('\t') {
            "YAML is indented with spaces: replace the tab"
        } else if line.contains(": {{") {
            "a value that begins with `{{` needs quotes: \"{{ name }}\""
        } else {
            "check the indentation and the quotes of this line and of the one before it"
        };
        self.source.error(at, format!("not valid YAML: {message}")).hint(hint)
    }
}

/// `... at line 3 column 5`, as the parser ends an error; the start of the file has no place there.
fn place_in(text: &str) -> Mark {
    let read = || {
        let (_, place) = text.rsplit_once(" at line ")?;
        let (line, column) = place.split_once(" column ")?;
        Some(Mark { line: line.parse().ok()?, column: column.parse().ok()? })
    };
    read().unwrap_or(Mark { line: 1, column: 1 })
}

struct Written<'s> {
    /// Not in quotes, no block of text, not forced to be text.
    plain: bool,
    /// The plain word that stands here, without spaces.
    token: &'s str,
}

fn written_at(source: &Source, at: Mark) -> Written<'_> {
    let mut rest = source.rest_of_line(at);
    let mut forced = false;
    while rest.starts_with(['&', '!']) {
        forced = forced || rest.starts_with("!!str");
        rest = rest.split_once([' ', '\t']).map_or("", |(_, rest)| rest).trim_start();
    }
    let end = rest.find(|c: char| c.is_whitespace() || matches!(c, ',' | ']' | '}')).unwrap_or(rest.len());
    let token = rest.get(..end).unwrap_or_default();
    // `key:` is a key and its colon; a colon inside stays (`190:20:30`).
    let token = token.strip_suffix(':').unwrap_or(token);
    Written { plain: !forced && !rest.starts_with(['"', '\'', '|', '>']), token }
}

/// Whether the word in the file is one the parser turns into something else, and this is what it became.
fn typed(became: &str, token: &str) -> bool {
    let number = |text: &str| serde_yaml::from_str::<serde_yaml::Value>(text).ok().filter(|value| !value.is_string());
    became != token && number(token).is_some_and(|value| number(became) == Some(value))
}

#[derive(Clone, Copy)]
struct Seed<'r, 's>(&'r Reader<'s>);

impl<'de> DeserializeSeed<'de> for Seed<'_, '_> {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Seed<'_, '_> {
    fn scalar<E: de::Error>(self, text: impl Into<String>, plain: bool) -> Result<Node, E> {
        Err(self.0.put_aside(Kind::Scalar { text: text.into(), plain }))
    }
}

impl<'de> Visitor<'de> for Seed<'_, '_> {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a YAML value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Node, E> {
        Err(self.0.put_aside(Kind::Null))
    }

    fn visit_none<E: de::Error>(self) -> Result<Node, E> {
        self.visit_unit()
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Node, E> {
        self.scalar(value.to_string(), true)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Node, E> {
        self.scalar(value.to_string(), true)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Node, E> {
        self.scalar(value.to_string(), true)
    }

    fn visit_i128<E: de::Error>(self, value: i128) -> Result<Node, E> {
        self.scalar(value.to_string(), true)
    }

    fn visit_u128<E: de::Error>(self, value: u128) -> Result<Node, E> {
        self.scalar(value.to_string(), true)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Node, E> {
        let text = serde_yaml::to_string(&value).unwrap_or_default();
        self.scalar(text.trim_end(), true)
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Node, E> {
        self.scalar(value, true)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
        let mut items: Vec<Node> = Vec::new();
        loop {
            let item = match access.next_element_seed(self) {
                Ok(Some(node)) => node,
                Ok(None) => break,
                Err(error) => self.0.settle(Err(error))?,
            };
            self.0.count(item.at)?;
            items.push(item);
        }
        let at = items.first().map(|item| item.at).unwrap_or_default();
        Ok(Node { at, tag: None, kind: Kind::Seq(items) })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
        let mut entries: Vec<Entry> = Vec::new();
        loop {
            let key = match access.next_key_seed(self) {
                Ok(Some(node)) => node,
                Ok(None) => break,
                Err(error) => self.0.settle(Err(error))?,
            };
            let mut value = self.0.settle(access.next_value_seed(self))?;
            let (text, plain) = match key.kind {
                Kind::Scalar { text, plain } => (text, plain),
                Kind::Null => (String::new(), true),
                Kind::Seq(_) | Kind::Map(_) => {
                    let told = self.0.source.error(key.at, "a key is a list or a mapping");
                    return Err(self
                        .0
                        .complain(told.hint("put quotes around a value or key that begins with `{` or `[`")));
                }
            };
            if value.at == Mark::default() {
                value.at = key.at;
            }
            self.0.count(key.at)?;
            entries.push(Entry { key: text, at: key.at, plain, value });
        }
        let at = entries.first().map(|entry| entry.at).unwrap_or_default();
        match merge::finish(self.0.source, entries) {
            Ok(entries) => Ok(Node { at, tag: None, kind: Kind::Map(entries) }),
            Err(told) => Err(self.0.complain(told)),
        }
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<Node, A::Error> {
        let (tag, variant): (String, _) = access.variant()?;
        let result = variant.newtype_variant_seed(self);
        if let Some(node) = self.0.aside.borrow_mut().as_mut() {
            node.tag = Some(tag);
            return result;
        }
        result.map(|node| Node { tag: Some(tag), ..node })
    }
}
