//! Host names with an optional port, as Ansible tells them apart, and `[user@]host[:port]` as people type it.

use std::net::Ipv6Addr;

use super::target::{Location, Target};
use crate::yaml::Diagnostic;

/// A host (possibly with ranges) and the port behind it, when the text is one host; `None` when it is not.
///
/// `fd00::1` is an address and has no port; `[fd00::1]:22` and `gpu[1:3]:22` have one.
pub(super) fn split_port(text: &str) -> Option<(&str, Option<&str>)> {
    let (host, port) = match cut_port(text) {
        Some((host, port)) => (host, Some(port)),
        None => (text, None),
    };
    (is_hostname(host) || is_ipv6(host)).then_some((host, port))
}

fn cut_port(text: &str) -> Option<(&str, &str)> {
    let (host, port) = text.rsplit_once(':')?;
    if port.is_empty() || !port.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let inner = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    if let Some(inner) = inner.filter(|inner| is_ipv6(inner)) {
        return Some((inner, port));
    }
    let blank = blank_ranges(host, "x")?;
    (!blank.contains(':')).then_some((host, port))
}

/// An IPv6 address; each part may be a range in brackets.
pub(super) fn is_ipv6(text: &str) -> bool {
    text.contains(':') && blank_ranges(text, "1").is_some_and(|blank| blank.parse::<Ipv6Addr>().is_ok())
}

fn is_hostname(text: &str) -> bool {
    let Some(blank) = blank_ranges(text, "x") else { return false };
    let word = |c: char| c.is_alphanumeric() || c == '_';
    !blank.is_empty()
        && blank.split('.').all(|label| {
            label.starts_with(word) && label.chars().all(|c| word(c) || c == '-') && !label.ends_with(['-', '_'])
        })
}

/// The text with every `[...]` replaced; `None` when brackets do not pair up.
fn blank_ranges(text: &str, by: &str) -> Option<String> {
    let mut blank = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, inside)) = rest.split_once('[') {
        let (range, after) = inside.split_once(']')?;
        let ends: Vec<&str> = range.split(':').collect();
        let word = |end: &&str| !end.is_empty() && end.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if before.contains(']') || !(2..=3).contains(&ends.len()) || !ends.iter().all(word) {
            return None;
        }
        blank.push_str(before);
        blank.push_str(by);
        rest = after;
    }
    if rest.contains(']') {
        return None;
    }
    blank.push_str(rest);
    Some(blank)
}

/// Why a host cannot have this name, if so. Names are handed to the resolver and shown everywhere.
pub(super) fn fault_of_name(name: &str) -> Option<&'static str> {
    /// The longest name a resolver takes is 253; aliases get a little more.
    const LONGEST: usize = 255;
    if name.is_empty() {
        Some("a host needs a name")
    } else if name.len() > LONGEST {
        Some("a host name is longer than 255 bytes")
    } else if name.chars().any(|c| c.is_whitespace() || c.is_control()) {
        Some("a host name has no spaces or control characters")
    } else if name.starts_with('-') {
        Some("a host name does not begin with `-`")
    } else {
        None
    }
}

/// A port number, 1 to 65535.
pub(super) fn port(text: &str) -> Option<u16> {
    let digits = text.trim();
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|port| plain && *port > 0)
}

/// A target from what was typed: `[user@]host[:port]`; an IPv6 address with a port stands in brackets.
///
/// # Errors
/// When that is not what it is.
pub fn ad_hoc(typed: &str) -> Result<Target, Diagnostic> {
    let fault = |message: String| {
        Diagnostic::about("", message).hint("write `[user@]host[:port]`, an IPv6 address with a port as `[fd00::1]:22`")
    };
    let (user, rest) = match typed.rsplit_once('@') {
        Some(("", _)) => return Err(fault(format!("no user before `@` in `{typed}`"))),
        Some((user, rest)) => (Some(user.to_owned()), rest),
        None => (None, typed),
    };
    let (host, port_text) = if let Some(inside) = rest.strip_prefix('[') {
        let Some((host, after)) = inside.split_once(']') else {
            return Err(fault(format!("`[` without `]` in `{typed}`")));
        };
        if !is_ipv6(host) {
            return Err(fault(format!("`{host}` in brackets is no IPv6 address")));
        }
        match (after.is_empty(), after.strip_prefix(':')) {
            (true, _) => (host, None),
            (false, Some(port)) => (host, Some(port)),
            (false, None) => return Err(fault(format!("`{after}` behind the brackets of `{typed}` is no port"))),
        }
    } else if is_ipv6(rest) {
        (rest, None)
    } else {
        match rest.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (rest, None),
        }
    };
    let number = match port_text {
        Some(text) => Some(port(text).ok_or_else(|| fault(format!("`{text}` in `{typed}` is no port (1 to 65535)")))?),
        None => None,
    };
    if user
        .as_deref()
        .is_some_and(|user| user.starts_with('-') || user.chars().any(|c| c.is_whitespace() || c.is_control()))
    {
        return Err(fault(format!("`{typed}` has no good user name")));
    }
    if let Some(message) = fault_of_name(host) {
        return Err(fault(format!("{message}: `{typed}`")));
    }
    if host.contains(['[', ']', '/', ',']) {
        return Err(fault(format!("`{host}` is no host name")));
    }
    Ok(Target {
        name: host.to_owned(),
        address: host.to_owned(),
        port: number,
        user,
        location: Location { file: "command line".into(), line: 0, column: 0 },
        ..Target::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_told_from_addresses_and_ranges() {
        let cases = [
            ("gpu1", Some(("gpu1", None))),
            ("gpu1:2222", Some(("gpu1", Some("2222")))),
            ("gpu[1:3]", Some(("gpu[1:3]", None))),
            ("gpu[1:3]:22", Some(("gpu[1:3]", Some("22")))),
            ("10.0.0.[1:9]", Some(("10.0.0.[1:9]", None))),
            ("fd00::1", Some(("fd00::1", None))),
            ("fd00::[1:4]", Some(("fd00::[1:4]", None))),
            ("[fd00::1]:22", Some(("fd00::1", Some("22")))),
            ("[fd00::1]", None),
            ("a:b", None),
            ("gpu*", None),
            ("gpu[1:3", None),
            ("größe-1", Some(("größe-1", None))),
            ("bad-", None),
        ];
        for (text, want) in cases {
            assert_eq!(split_port(text), want, "{text}");
        }
    }

    #[test]
    fn ad_hoc_targets() {
        let told = |typed: &str| {
            let target = ad_hoc(typed).unwrap();
            (target.user, target.address, target.port)
        };
        let user = |name: &str| Some(name.to_owned());
        assert_eq!(told("gpu-3"), (None, "gpu-3".into(), None));
        assert_eq!(told("root@gpu-3:2222"), (user("root"), "gpu-3".into(), Some(2222)));
        assert_eq!(told("fd00::3"), (None, "fd00::3".into(), None));
        assert_eq!(told("root@[fd00::3]:22"), (user("root"), "fd00::3".into(), Some(22)));
        assert_eq!(told("[fd00::3]"), (None, "fd00::3".into(), None));
        assert_eq!(told("a@b@gpu-3"), (user("a@b"), "gpu-3".into(), None));
        for bad in [
            "",
            "@gpu",
            "gpu:",
            "gpu:0",
            "gpu:70000",
            "gpu:+22",
            "gpu:x",
            "[fd00::1",
            "[gpu]:22",
            "[::1]x",
            "gpu 1",
            "-oX=y",
            "-l@gpu",
            "a/b",
            "gpu[1:2]",
        ] {
            assert!(ad_hoc(bad).is_err(), "{bad}");
        }
    }
}
