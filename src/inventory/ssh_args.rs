//! `ansible_ssh_common_args` and its kin: the few forms that mean something here, by name; nothing is ignored in silence.

/// What the arguments ask for. Of two values for one thing the first wins, as in ssh.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct SshArgs {
    pub jump: Option<String>,
    pub config: Option<String>,
    pub port: Option<u16>,
    pub user: Option<String>,
    pub keys: Vec<String>,
    pub options: Vec<(String, String)>,
}

/// Settings handed on to the transport, as ssh_config spells them.
const HONOURED: [&str; 22] = [
    "CertificateFile",
    "Ciphers",
    "ConnectTimeout",
    "GlobalKnownHostsFile",
    "HashKnownHosts",
    "HostKeyAlgorithms",
    "HostKeyAlias",
    "HostName",
    "IdentitiesOnly",
    "IdentityAgent",
    "IdentityFile",
    "KexAlgorithms",
    "MACs",
    "Port",
    "ProxyCommand",
    "ProxyJump",
    "PubkeyAcceptedAlgorithms",
    "PubkeyAcceptedKeyTypes",
    "PubkeyAuthentication",
    "StrictHostKeyChecking",
    "User",
    "UserKnownHostsFile",
];

/// Settings that change nothing for one script without a terminal; accepted and dropped.
const HARMLESS: [&str; 22] = [
    "AddKeysToAgent",
    "BatchMode",
    "CheckHostIP",
    "Compression",
    "ConnectionAttempts",
    "ControlMaster",
    "ControlPath",
    "ControlPersist",
    "EscapeChar",
    "ForwardX11",
    "GSSAPIAuthentication",
    "IPQoS",
    "KbdInteractiveAuthentication",
    "LogLevel",
    "NumberOfPasswordPrompts",
    "PasswordAuthentication",
    "PreferredAuthentications",
    "ServerAliveCountMax",
    "ServerAliveInterval",
    "TCPKeepAlive",
    "UpdateHostKeys",
    "VisualHostKey",
];

/// Adds one string of arguments.
///
/// # Errors
/// What is wrong, naming the argument.
pub(super) fn add(into: &mut SshArgs, text: &str) -> Result<(), String> {
    let mut words = split(text)?.into_iter();
    while let Some(word) = words.next() {
        let mut flag = word.chars();
        let (dash, letter) = (flag.next(), flag.next());
        let attached = flag.as_str();
        if dash != Some('-') {
            return Err(format!("`{word}` is no ssh option"));
        }
        match letter {
            Some('C' | 'q' | 'T' | 'x' | 'a' | 'v') if attached.is_empty() => continue,
            Some('J' | 'F' | 'o' | 'p' | 'l' | 'i') => {}
            Some('A') => return Err("`-A` forwards the agent, which gpusweep never does".into()),
            _ => return Err(format!("the ssh argument `{word}` is not supported")),
        }
        let value = match attached {
            "" => words.next().ok_or_else(|| format!("`{word}` has no value behind it"))?,
            attached => attached.to_owned(),
        };
        match letter {
            Some('J') => _ = into.jump.get_or_insert(value),
            Some('F') => _ = into.config.get_or_insert(value),
            Some('p') => _ = into.port.get_or_insert(port(&value)?),
            Some('l') => _ = into.user.get_or_insert(value),
            Some('i') => into.keys.push(value),
            _ => option(into, &value)?,
        }
    }
    Ok(())
}

fn port(text: &str) -> Result<u16, String> {
    super::address::port(text).ok_or_else(|| format!("`{text}` is no port (1 to 65535)"))
}

/// One `-o`: `Key=Value` or `Key Value`.
fn option(into: &mut SshArgs, text: &str) -> Result<(), String> {
    let (key, value) = text
        .split_once(|c: char| c == '=' || c.is_whitespace())
        .ok_or_else(|| format!("`-o {text}` is not `Key=Value`"))?;
    let value = value.trim_start_matches(|c: char| c == '=' || c.is_whitespace()).trim_end();
    let key = key.trim();
    let spelled = |names: &[&'static str]| names.iter().copied().find(|name| name.eq_ignore_ascii_case(key));
    if value.is_empty() {
        return Err(format!("`-o {text}` has no value"));
    }
    if let Some(name) = spelled(&HONOURED) {
        match name {
            "ProxyJump" => _ = into.jump.get_or_insert_with(|| value.to_owned()),
            "Port" => _ = into.port.get_or_insert(port(value)?),
            "User" => _ = into.user.get_or_insert_with(|| value.to_owned()),
            "IdentityFile" => into.keys.push(value.to_owned()),
            _ => into.options.push((name.to_owned(), value.to_owned())),
        }
        return Ok(());
    }
    if key.eq_ignore_ascii_case("ForwardAgent") && !value.eq_ignore_ascii_case("no") {
        return Err(format!("`-o {text}` forwards the agent, which gpusweep never does"));
    }
    if spelled(&HARMLESS).is_some() || key.eq_ignore_ascii_case("ForwardAgent") {
        return Ok(());
    }
    let known = crate::yaml::closest(key, HONOURED);
    let hint = known.map(|known| format!(", did you mean `{known}`?")).unwrap_or_default();
    Err(format!("the ssh option `{key}` is not supported{hint}"))
}

/// Words as a POSIX shell splits them: quotes and backslashes, nothing else.
fn split(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            c if c.is_whitespace() => words.extend(word.take()),
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next() {
                        None => return Err(format!("a quote is not closed in `{text}`")),
                        Some(end) if end == c => break,
                        Some('\\') if c == '"' => match chars.next() {
                            Some(next @ ('"' | '\\')) => word.push(next),
                            Some(next) => word.extend(['\\', next]),
                            None => return Err(format!("a quote is not closed in `{text}`")),
                        },
                        Some(inside) => word.push(inside),
                    }
                }
            }
            '\\' => match chars.next() {
                Some(next) => word.get_or_insert_default().push(next),
                None => return Err(format!("a backslash ends `{text}`")),
            },
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<SshArgs, String> {
        let mut args = SshArgs::default();
        add(&mut args, text).map(|()| args)
    }

    #[test]
    fn every_form_that_is_honoured() {
        let args = read(
            "-J jump@b1:2222,b2 -F ~/x.conf -p 22 -lroot -i k1 -ik2 -o ConnectTimeout=3 -oHostKeyAlias=a -o 'ProxyCommand=ssh -W %h:%p b' -o \"user admin\" -C -o ControlPersist=60s",
        );
        let own = |text: &str| text.to_owned();
        assert_eq!(
            args.unwrap(),
            SshArgs {
                jump: Some(own("jump@b1:2222,b2")),
                config: Some(own("~/x.conf")),
                port: Some(22),
                user: Some(own("root")),
                keys: vec![own("k1"), own("k2")],
                options: vec![
                    (own("ConnectTimeout"), own("3")),
                    (own("HostKeyAlias"), own("a")),
                    (own("ProxyCommand"), own("ssh -W %h:%p b")),
                ],
            }
        );
        assert_eq!(read("-o proxyjump=b1 -J b2").unwrap().jump.as_deref(), Some("b1"));
        assert_eq!(read("").unwrap(), SshArgs::default());
    }

    #[test]
    fn everything_else_is_named() {
        let cases = [
            ("-L 80:x:80", "the ssh argument `-L` is not supported"),
            ("-A", "`-A` forwards the agent, which gpusweep never does"),
            ("-o ForwardAgent=yes", "`-o ForwardAgent=yes` forwards the agent, which gpusweep never does"),
            ("-o ProxyJmp=b", "the ssh option `ProxyJmp` is not supported, did you mean `ProxyJump`?"),
            ("-o Tunnel=yes", "the ssh option `Tunnel` is not supported"),
            ("-o ProxyJump", "`-o ProxyJump` is not `Key=Value`"),
            ("-J", "`-J` has no value behind it"),
            ("bastion", "`bastion` is no ssh option"),
            ("-p 0", "`0` is no port (1 to 65535)"),
            ("-o 'x", "a quote is not closed in `-o 'x`"),
        ];
        for (text, want) in cases {
            assert_eq!(read(text).unwrap_err(), want, "{text}");
        }
    }
}
