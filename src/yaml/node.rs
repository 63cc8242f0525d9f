//! What a YAML file says, with places.

use super::Mark;

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Node {
    /// Where it stands. A mapping or list stands where its first key or item does.
    pub at: Mark,
    /// A local tag such as `vault` or `unsafe`, without the exclamation mark.
    pub tag: Option<String>,
    /// The value.
    pub kind: Kind,
}

/// The shapes of a value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Kind {
    /// Nothing, `~` or `null`.
    #[default]
    Null,
    /// Any other single value.
    Scalar {
        /// What was written, before any typing.
        text: String,
        /// Written without quotes, so that YAML gives it a type.
        plain: bool,
    },
    /// A list.
    Seq(Vec<Node>),
    /// A mapping, in the order of the file, without duplicate keys.
    Map(Vec<Entry>),
}

/// One line of a mapping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The key's text, before any typing.
    pub key: String,
    /// Where the key stands.
    pub at: Mark,
    /// The key was written without quotes.
    pub plain: bool,
    /// The value.
    pub value: Node,
}

impl Node {
    /// The value's text, when it is a single value.
    pub fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar { text, .. } => Some(text),
            _ => None,
        }
    }

    /// The mapping's lines, when it is one.
    pub fn entries(&self) -> Option<&[Entry]> {
        match &self.kind {
            Kind::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// The list's items, when it is one.
    pub fn items(&self) -> Option<&[Node]> {
        match &self.kind {
            Kind::Seq(items) => Some(items),
            _ => None,
        }
    }

    /// Nothing, `~` or `null`.
    pub fn is_null(&self) -> bool {
        self.kind == Kind::Null
    }

    /// The value in a word, for errors.
    pub fn noun(&self) -> &'static str {
        match self.kind {
            Kind::Null => "nothing",
            Kind::Scalar { .. } => "a single value",
            Kind::Seq(_) => "a list",
            Kind::Map(_) => "a mapping",
        }
    }
}
