//! apt's effective configuration, as `apt-config dump` prints it.

mod parse;
pub use parse::parse;

/// The entries that concern automatic upgrades.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AptConfig {
    /// `Key "value";` pairs in order; a list entry's key ends in `::`. Keys are case-insensitive.
    pub entries: Vec<(String, String)>,
    /// Configuration files apt said it could not read (`W: Unable to read ...`): their content is missing here.
    pub unreadable: Vec<String>,
    /// The error when apt refuses the configuration as a whole (exit 100): no updater runs at all.
    pub broken: Option<String>,
    /// Other `W:` and `N:` lines, such as a file ignored for its name.
    pub notices: Vec<String>,
}

impl AptConfig {
    /// The last value of a key, without regard to case.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.entries.iter().rev().find(|(k, _)| k.eq_ignore_ascii_case(key)).map(|(_, v)| v.as_str())
    }

    /// The values of a list, as `value_list` of python-apt gives them: of every direct child of the node, named or
    /// not, but neither the node's own value nor that of a child's child.
    pub fn list(&self, node: &str) -> Vec<&str> {
        let child = |key: &str| {
            let (head, tail) = (key.get(..node.len())?, key.get(node.len()..)?);
            let name = tail.strip_prefix("::")?;
            (head.eq_ignore_ascii_case(node) && !name.contains("::")).then_some(())
        };
        self.entries.iter().filter(|(key, _)| child(key).is_some()).map(|(_, value)| value.as_str()).collect()
    }
}
