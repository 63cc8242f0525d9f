//! One line of a known_hosts file.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, Mac};
use russh::keys::PublicKey;
use russh::keys::ssh_key::public::KeyData;
use sha1::Sha1;

use super::Place;
use super::pattern::{Pattern, list_matches};

/// What stands before the names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Marker {
    CertAuthority,
    Revoked,
}

/// Whom a line is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Names {
    Plain(Vec<String>),
    Patterns(Vec<Pattern>),
    Hashed { salt: Vec<u8>, hash: Vec<u8> },
}

#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub marker: Option<Marker>,
    pub names: Names,
    pub key: KeyData,
    pub place: Place,
}

/// A line's entry; `None` for a blank line, a comment or one that cannot be read, which OpenSSH skips too.
pub(crate) fn parse(line: &str, place: Place) -> Option<Entry> {
    let mut words = line.split_ascii_whitespace().peekable();
    if words.peek()?.starts_with('#') {
        return None;
    }
    let marker = match words.next_if(|word| word.starts_with('@')) {
        None => None,
        Some("@cert-authority") => Some(Marker::CertAuthority),
        Some("@revoked") => Some(Marker::Revoked),
        Some(_) => return None,
    };
    let names = Names::parse(words.next()?)?;
    let (kind, data) = (words.next()?, words.next()?);
    let key = PublicKey::from_openssh(&format!("{kind} {data}")).ok()?;
    Some(Entry { marker, names, key: key.key_data().clone(), place })
}

impl Names {
    fn parse(text: &str) -> Option<Self> {
        if let Some(hashed) = text.strip_prefix("|1|") {
            let (salt, hash) = hashed.split_once('|')?;
            return Some(Self::Hashed { salt: STANDARD.decode(salt).ok()?, hash: STANDARD.decode(hash).ok()? });
        }
        if text.starts_with('|') {
            return None;
        }
        let list = Pattern::list(text);
        if list.iter().all(Pattern::is_plain) {
            return Some(Self::Plain(list.into_iter().map(|pattern| pattern.text).collect()));
        }
        Some(Self::Patterns(list))
    }

    /// Whether the line is about a lower-case name.
    pub fn match_name(&self, name: &str) -> bool {
        match self {
            Self::Plain(names) => names.iter().any(|own| own == name),
            Self::Patterns(list) => list_matches(list, name),
            Self::Hashed { salt, hash } => digest(salt, name).is_some_and(|own| own == *hash),
        }
    }
}

fn digest(salt: &[u8], name: &str) -> Option<Vec<u8>> {
    let mut mac = Hmac::<Sha1>::new_from_slice(salt).ok()?;
    mac.update(name.as_bytes());
    Some(mac.finalize().into_bytes().to_vec())
}

/// The line that records a key, with the name hashed if the configuration wants that.
pub(crate) fn line_for(name: &str, key: &KeyData, hashed: bool) -> Option<String> {
    let key = PublicKey::new(key.clone(), "").to_openssh().ok()?;
    let name = if hashed {
        let salt: [u8; 20] = rand::random();
        format!("|1|{}|{}", STANDARD.encode(salt), STANDARD.encode(digest(&salt, name)?))
    } else {
        name.to_owned()
    };
    Some(format!("{name} {}", key.trim_end()))
}
