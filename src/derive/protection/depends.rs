//! Debian dependency fields.

/// One alternative of a dependency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// The package's name, without an architecture qualifier.
    pub name: String,
    /// `=`, `>=`, `<=`, `>>`, `<<`; empty without a version.
    pub relation: &'static str,
    /// The version; empty without one.
    pub version: String,
}

/// Parses `a (= 1), b (>= 2) | c:any`: one inner list of alternatives per comma. What cannot be read is left out.
pub fn parse(field: &str) -> Vec<Vec<Wanted>> {
    field
        .split(',')
        .map(|group| group.split('|').filter_map(wanted).collect::<Vec<_>>())
        .filter(|group| !group.is_empty())
        .collect()
}

fn wanted(text: &str) -> Option<Wanted> {
    let text = text.trim();
    let (name, rest) = match text.split_once('(') {
        Some((name, rest)) => (name.trim(), rest.trim()),
        None => (text.split_whitespace().next()?, ""),
    };
    let name = name.split_once(':').map_or(name, |(name, _)| name);
    if !name.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-._".contains(&b)) || name.is_empty() {
        return None;
    }
    let rest = rest.split_once(')').map_or(rest, |(inside, _)| inside).trim();
    let relation = ["<<", "<=", ">=", ">>", "=", "<", ">"].into_iter().find(|relation| rest.starts_with(relation));
    let version = relation.and_then(|relation| rest.strip_prefix(relation)).unwrap_or("").trim().to_owned();
    // dpkg reads the obsolete single signs as "or equal".
    let relation = match relation {
        Some("<") => "<=",
        Some(">") => ">=",
        Some(other) => other,
        None => "",
    };
    Some(Wanted { name: name.to_owned(), relation, version })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternatives_versions_and_qualifiers() {
        let got = parse("libnvidia-gl-535 (= 535.1-0ubuntu1), nvidia-dkms-535 (<= 535.1-1) | nvidia-dkms:any, xorg");
        let w = |name: &str, relation, version: &str| Wanted { name: name.into(), relation, version: version.into() };
        assert_eq!(
            got,
            vec![
                vec![w("libnvidia-gl-535", "=", "535.1-0ubuntu1")],
                vec![w("nvidia-dkms-535", "<=", "535.1-1"), w("nvidia-dkms", "", "")],
                vec![w("xorg", "", "")],
            ]
        );
        assert_eq!(parse(""), Vec::<Vec<Wanted>>::new());
        assert_eq!(parse("(, |)"), Vec::<Vec<Wanted>>::new());
    }
}
