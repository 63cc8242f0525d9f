//! The `%` tokens and `~` of ssh_config values.

use std::path::PathBuf;

use super::{Resolved, person};

/// Expands `%h %n %p %r %u %d %i %l %L %k %j %%`; any other token stays as it is.
pub(crate) fn expand(value: &str, resolved: &Resolved) -> String {
    let mut out = String::with_capacity(value.len());
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('%') => out.push('%'),
            Some('h') => out.push_str(&resolved.host_name),
            Some('n') => out.push_str(&resolved.original),
            Some('k') => out.push_str(resolved.host_key_alias.as_deref().unwrap_or(&resolved.host_name)),
            Some('p') => out.push_str(&resolved.port.to_string()),
            Some('r') => out.push_str(&resolved.user),
            Some('u') => out.push_str(&person::user().unwrap_or_default()),
            Some('d') => out.push_str(&person::home().unwrap_or_default().to_string_lossy()),
            Some('l') => out.push_str(&person::host_name()),
            Some('L') => out.push_str(person::host_name().split('.').next().unwrap_or_default()),
            Some(other) => out.extend(['%', other]),
            None => out.push('%'),
        }
    }
    out
}

/// A path with its tokens and a leading `~/` expanded.
pub(crate) fn path(value: &str, resolved: &Resolved) -> PathBuf {
    home_path(&expand(value, resolved))
}

/// A path with a leading `~/` expanded.
pub(crate) fn home_path(value: &str) -> PathBuf {
    match value.strip_prefix("~/") {
        Some(rest) => person::home().unwrap_or_default().join(rest),
        None => PathBuf::from(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_come_from_the_resolved_host() {
        let resolved = Resolved {
            host_name: "10.0.0.3".into(),
            original: "gpu-3".into(),
            port: 2222,
            user: "ann".into(),
            ..Resolved::default()
        };
        assert_eq!(expand("nc -x %n %h:%p 100%% %r %Z %", &resolved), "nc -x gpu-3 10.0.0.3:2222 100% ann %Z %");
        assert_eq!(expand("%k", &resolved), "10.0.0.3");
    }
}
