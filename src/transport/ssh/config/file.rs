//! ssh_config files as lines with their meaning. What is not surely understood is an [`Odd`], and left to `ssh` itself.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::super::known_hosts::name_matches_exactly as glob;
use super::super::{person, tokens};

/// Files that include files may go this deep, as in OpenSSH.
const DEPTH: usize = 16;

/// A line that only `ssh` itself can be asked about, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Odd(pub String);

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Line {
    Host(Vec<String>),
    Match(Vec<Criterion>),
    Include(Vec<Vec<Line>>),
    Set { key: String, value: String },
}

/// One condition of a Match line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Criterion {
    pub negated: bool,
    pub attribute: Attribute,
    pub patterns: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Attribute {
    All,
    Host,
    OriginalHost,
    User,
    LocalUser,
}

/// The files that `ssh` reads without `-F`: the user's own, then the system's.
pub(super) fn usual() -> Result<Vec<Vec<Line>>, Odd> {
    let own = person::home().map(|home| home.join(".ssh/config"));
    let files = own.into_iter().map(|path| (path, true)).chain([(PathBuf::from("/etc/ssh/ssh_config"), false)]);
    files.filter(|(path, _)| path.exists()).map(|(path, own)| read(&path, own, own, 0)).collect()
}

/// The file of a `-F`.
pub(super) fn named(path: &Path) -> Result<Vec<Vec<Line>>, Odd> {
    Ok(vec![read(path, true, false, 0)?])
}

/// Reads a file. `own` files take relative includes from `~/.ssh`, others from `/etc/ssh`; `guarded` ones must not be
/// writable by others.
fn read(path: &Path, own: bool, guarded: bool, depth: usize) -> Result<Vec<Line>, Odd> {
    let odd = |what: String| Odd(format!("{}: {what}", path.display()));
    if depth > DEPTH {
        return Err(odd("too many files include each other".into()));
    }
    let text = std::fs::read_to_string(path).map_err(|error| odd(error.to_string()))?;
    let meta = std::fs::metadata(path).map_err(|error| odd(error.to_string()))?;
    let mine = std::fs::metadata("/proc/self").is_ok_and(|process| process.uid() == meta.uid());
    if guarded && (meta.mode() & 0o022 != 0 || !(mine || meta.uid() == 0)) {
        return Err(odd("others may write to it".into()));
    }
    let mut lines = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let at = |what: String| Odd(format!("{}:{}: {what}", path.display(), number + 1));
        if let Some((key, rest)) = keyword(line).map_err(|what| at(what.to_owned()))? {
            lines.push(parse(&key, rest, own, guarded, depth).map_err(|Odd(what)| at(what))?);
        }
    }
    Ok(lines)
}

/// One `-o` pair as a line.
pub(super) fn option(key: &str, value: &str) -> Result<Line, Odd> {
    match parse(&key.to_ascii_lowercase(), value, true, false, DEPTH)? {
        set @ Line::Set { .. } => Ok(set),
        _ => Err(Odd(format!("option `{key}`"))),
    }
}

/// Splits a line into its keyword and the rest; `None` for blank lines and comments.
fn keyword(line: &str) -> Result<Option<(String, &str)>, &'static str> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    if line.contains(['\\', '\'']) || !line.is_ascii() {
        return Err("quoting that is not read here");
    }
    let end = line.find(|c: char| c.is_ascii_whitespace() || c == '=' || c == '"').unwrap_or(line.len());
    let (key, rest) = line.split_at(end);
    let rest = rest.trim_start();
    let rest = rest.strip_prefix('=').unwrap_or(rest).trim_start();
    Ok(Some((key.to_ascii_lowercase(), rest)))
}

fn parse(key: &str, rest: &str, own: bool, guarded: bool, depth: usize) -> Result<Line, Odd> {
    if key == "proxycommand" {
        return Ok(Line::Set { key: key.into(), value: rest.to_owned() });
    }
    let words = words(rest).ok_or_else(|| Odd("a quote without its end".into()))?;
    if words.is_empty() {
        return Err(Odd(format!("`{key}` without a value")));
    }
    match key {
        "host" => Ok(Line::Host(words)),
        "match" => criteria(&words).map(Line::Match),
        "include" => {
            let files = words.iter().map(|word| included(word, own)).collect::<Result<Vec<_>, _>>()?;
            let read = files.into_iter().flatten().map(|file| read(&file, own, guarded, depth + 1));
            Ok(Line::Include(read.collect::<Result<_, _>>()?))
        }
        _ => super::value::check(key, &words).map(|value| Line::Set { key: key.into(), value }),
    }
}

/// Words apart, with `"…"` and a comment at the end.
fn words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() && !rest.starts_with('#') {
        let mut word = String::new();
        while let Some(c) = rest.chars().next().filter(|c| !c.is_ascii_whitespace()) {
            let after = rest.get(c.len_utf8()..)?;
            if c == '"' {
                let (quoted, behind) = after.split_once('"')?;
                word.push_str(quoted);
                rest = behind;
            } else {
                word.push(c);
                rest = after;
            }
        }
        words.push(word);
        rest = rest.trim_start();
    }
    Some(words)
}

fn criteria(words: &[String]) -> Result<Vec<Criterion>, Odd> {
    let mut words = words.iter();
    let mut out = Vec::new();
    while let Some(word) = words.next() {
        let (negated, name) = word.strip_prefix('!').map_or((false, word.as_str()), |name| (true, name));
        let attribute = match name.to_ascii_lowercase().as_str() {
            "all" => Attribute::All,
            "host" => Attribute::Host,
            "originalhost" => Attribute::OriginalHost,
            "user" => Attribute::User,
            "localuser" => Attribute::LocalUser,
            other => return Err(Odd(format!("`Match {other}`"))),
        };
        let patterns = match attribute {
            Attribute::All => String::new(),
            _ => words.next().cloned().ok_or_else(|| Odd(format!("`Match {name}` without a pattern")))?,
        };
        out.push(Criterion { negated, attribute, patterns });
    }
    let all = out.iter().any(|criterion| criterion.attribute == Attribute::All);
    if all && out.len() > 1 {
        return Err(Odd("`Match all` with other conditions".into()));
    }
    Ok(out)
}

/// The files that an Include's word names, sorted; wildcards in the last part alone.
fn included(word: &str, own: bool) -> Result<Vec<PathBuf>, Odd> {
    if word.contains(['[', '{', '%', '$']) || (word.starts_with('~') && !word.starts_with("~/")) {
        return Err(Odd(format!("`Include {word}`")));
    }
    let mut path = tokens::home_path(word);
    if path.is_relative() {
        let base = if own { person::home().unwrap_or_default().join(".ssh") } else { PathBuf::from("/etc/ssh") };
        path = base.join(path);
    }
    let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(|name| name.to_str())) else {
        return Err(Odd(format!("`Include {word}`")));
    };
    if folder.to_string_lossy().contains(['*', '?']) {
        return Err(Odd(format!("`Include {word}`")));
    }
    if !name.contains(['*', '?']) {
        return Ok(path.exists().then_some(path.clone()).into_iter().collect());
    }
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let matches = |file: &String| glob(name, file) && (!file.starts_with('.') || name.starts_with('.'));
    let mut names: Vec<String> =
        entries.filter_map(|entry| entry.file_name().into_string().ok()).filter(matches).collect();
    names.sort();
    Ok(names.into_iter().map(|file| folder.join(file)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_quotes_and_comments() {
        assert_eq!(keyword("  HostName=10.0.0.1  ").unwrap(), Some(("hostname".into(), "10.0.0.1")));
        assert_eq!(keyword("Port  =  22").unwrap(), Some(("port".into(), "22")));
        assert_eq!(keyword("  # no").unwrap(), None);
        assert!(keyword(r"User a\ b").is_err());
        assert_eq!(words("a \"b c\"d # e").unwrap(), ["a", "b cd"]);
        assert_eq!(words("\"a"), None);
    }

    #[test]
    fn what_only_ssh_knows_is_odd() {
        for line in ["Match exec \"true\"", "Match final", "Include /etc/*/x", "Ciphers +aes256-cbc", "Nonsense 1"] {
            let (key, rest) = keyword(line).unwrap().unwrap();
            assert!(parse(&key, rest, true, false, 0).is_err(), "{line}");
        }
    }
}
