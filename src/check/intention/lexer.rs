//! The grammar of apt's configuration files, with line numbers, and with the comments that apt drops.
//!
//! Source of the rules: apt's `ReadConfigFile`.

/// Statements beyond which a file is not read further.
const MAX_STATEMENTS: usize = 2000;

/// One statement, or what stands in a comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// Where it begins, from 1.
    pub line: usize,
    /// The node it stands in: `Unattended-Upgrade::Package-Blacklist`.
    pub node: String,
    /// Its words, quotes removed where apt removes them.
    pub words: Vec<String>,
    /// What it is.
    pub kind: Kind,
}

/// Kinds of statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Ended by `;` or by the closing brace.
    Plain,
    /// `#clear`.
    Clear,
    /// A quoted string inside a comment.
    Commented,
}

/// Reads a file.
pub fn read(text: &str) -> Vec<Statement> {
    Reader {
        chars: text.chars().collect(),
        at: 0,
        line: 1,
        nodes: Vec::new(),
        words: Vec::new(),
        start: 1,
        out: Vec::new(),
    }
    .run()
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    line: usize,
    nodes: Vec<String>,
    words: Vec<String>,
    start: usize,
    out: Vec<Statement>,
}

impl Reader {
    fn run(mut self) -> Vec<Statement> {
        while let Some(c) = self.peek(0) {
            if self.out.len() >= MAX_STATEMENTS {
                break;
            }
            match c {
                '/' if self.peek(1) == Some('/') => self.comment(2),
                '/' if self.peek(1) == Some('*') => self.block_comment(),
                '#' => self.hash(),
                '{' => {
                    self.take();
                    let name = self.words.join(" ");
                    self.words.clear();
                    self.nodes.push(name);
                }
                '}' => {
                    self.take();
                    self.end();
                    self.nodes.pop();
                }
                ';' => {
                    self.take();
                    self.end();
                }
                c if c.is_whitespace() => {
                    self.take();
                }
                _ => self.word(),
            }
        }
        self.end();
        self.out
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn take(&mut self) -> Option<char> {
        let c = self.peek(0)?;
        self.at += 1;
        if c == '\n' {
            self.line += 1;
        }
        Some(c)
    }

    fn rest_of_line(&mut self) -> String {
        let mut out = String::new();
        while let Some(c) = self.peek(0).filter(|c| *c != '\n') {
            self.take();
            out.push(c);
        }
        out
    }

    fn node(&self) -> String {
        self.nodes.join("::")
    }

    fn push(&mut self, line: usize, words: Vec<String>, kind: Kind) {
        let node = self.node();
        self.out.push(Statement { line, node, words, kind });
    }

    fn end(&mut self) {
        if !self.words.is_empty() {
            let words = std::mem::take(&mut self.words);
            self.push(self.start, words, Kind::Plain);
        }
    }

    fn comment(&mut self, skip: usize) {
        let line = self.line;
        for _ in 0..skip {
            self.take();
        }
        let text = self.rest_of_line();
        self.quoted_in(&text, line);
    }

    fn block_comment(&mut self) {
        self.take();
        self.take();
        let (mut text, mut line) = (String::new(), self.line);
        while let Some(c) = self.peek(0) {
            if c == '*' && self.peek(1) == Some('/') {
                self.take();
                self.take();
                break;
            }
            self.take();
            if c == '\n' {
                self.quoted_in(&text, line);
                text.clear();
                line = self.line;
            } else {
                text.push(c);
            }
        }
        self.quoted_in(&text, line);
    }

    /// Quoted strings of a commented line, one statement each.
    fn quoted_in(&mut self, text: &str, line: usize) {
        for (index, piece) in text.split('"').enumerate() {
            if index % 2 == 1 {
                self.push(line, vec![piece.to_owned()], Kind::Commented);
            }
        }
    }

    fn hash(&mut self) {
        let line = self.line;
        self.take();
        let text = self.rest_of_line();
        if let Some(rest) = text.strip_prefix("clear") {
            self.push(line, vec![rest.trim().to_owned()], Kind::Clear);
        } else if !text.starts_with("include") {
            self.quoted_in(&text, line);
        }
    }

    fn word(&mut self) {
        if self.words.is_empty() {
            self.start = self.line;
        }
        let mut out = String::new();
        let mut quoted = false;
        while let Some(c) = self.peek(0) {
            match c {
                '"' => {
                    quoted = !quoted;
                    self.take();
                    if !quoted {
                        // A comma that follows the quote is part of the word.
                        if self.peek(0) == Some(',') {
                            self.take();
                            out.push(',');
                        }
                        break;
                    }
                }
                c if quoted => {
                    self.take();
                    out.push(c);
                }
                ';' | '{' | '}' => break,
                c if c.is_whitespace() => break,
                c => {
                    self.take();
                    out.push(c);
                }
            }
        }
        self.words.push(out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> Vec<(usize, String, Vec<String>)> {
        let keep = |s: Statement| (s.kind == Kind::Plain).then_some((s.line, s.node, s.words));
        read(text).into_iter().filter_map(keep).collect()
    }

    #[test]
    fn statements_with_their_lines() {
        let text = "Unattended-Upgrade::Package-Blacklist {\n  \"nvidia-\";\n  // \"libnvidia-\";\n  \"a\"\n  \"b\";\n};\nX::Y \"1\";\n";
        let node = "Unattended-Upgrade::Package-Blacklist".to_owned();
        assert_eq!(
            plain(text),
            [
                (2, node.clone(), vec!["nvidia-".to_owned()]),
                (4, node.clone(), vec!["a".into(), "b".into()]),
                (7, String::new(), vec!["X::Y".into(), "1".into()]),
            ]
        );
        let commented = read(text).into_iter().find(|s| s.kind == Kind::Commented).unwrap();
        assert_eq!((commented.line, commented.words), (3, vec!["libnvidia-".to_owned()]));
    }

    #[test]
    fn block_comments_clears_and_bytes_that_make_no_sense() {
        let text = "/* \"x\";\n \"nvidia-\"; */\n#clear A::B;\n# \"y\"\n";
        let kinds: Vec<(usize, Kind)> = read(text).iter().map(|s| (s.line, s.kind)).collect();
        assert_eq!(kinds, [(1, Kind::Commented), (2, Kind::Commented), (3, Kind::Clear), (4, Kind::Commented)]);
        for text in ["}}}}", "{{{{\"", "\"", "/*", "#clear", "\u{201c}nvidia\u{201d};", "\0\0;"] {
            let _ = read(text);
        }
    }
}
