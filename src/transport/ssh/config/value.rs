//! Values of ssh_config settings, checked and spelled as `ssh -G` spells them.

use super::file::Odd;

/// The value of a setting from its words, or why `ssh` must be asked.
pub(super) fn check(key: &str, words: &[String]) -> Result<String, Odd> {
    let odd = || Odd(format!("`{key} {}`", words.join(" ")));
    if matches!(key, "userknownhostsfile" | "globalknownhostsfile") {
        let plain = words.iter().all(|word| !word.contains(['$', ' ']));
        return if plain { Ok(words.join(" ")) } else { Err(odd()) };
    }
    if HARMLESS.contains(&key) {
        return Ok(words.join(" "));
    }
    let [value] = words else { return Err(odd()) };
    let spelled = match key {
        "identitiesonly" | "hashknownhosts" => match value.as_str() {
            "yes" | "true" => Some("yes"),
            "no" | "false" => Some("no"),
            _ => None,
        },
        "stricthostkeychecking" => match value.as_str() {
            "yes" | "true" => Some("true"),
            "no" | "off" | "false" => Some("false"),
            "ask" | "accept-new" => Some(value.as_str()),
            _ => None,
        },
        "port" => value.parse::<u16>().ok().filter(|port| *port > 0).map(|_| value.as_str()),
        "connecttimeout" => (value == "none" || value.parse::<u32>().is_ok()).then_some(value.as_str()),
        "kexalgorithms" | "ciphers" | "macs" | "hostkeyalgorithms" | "pubkeyacceptedalgorithms" => {
            let plain = !value.starts_with(['+', '-', '^']) && !value.contains(['*', '!', '?']);
            plain.then_some(value.as_str())
        }
        "identityfile" | "certificatefile" | "identityagent" => (!value.contains("${")).then_some(value.as_str()),
        "hostname" => {
            let tokens_known = value.replace("%h", "").replace("%%", "");
            (!tokens_known.contains('%')).then_some(value.as_str())
        }
        "user" | "proxyjump" | "hostkeyalias" => (!value.contains(['%', '$'])).then_some(value.as_str()),
        _ => None,
    };
    spelled.map(str::to_owned).ok_or_else(odd)
}

/// Settings that cannot matter here, whatever their value.
const HARMLESS: &[&str] = &[
    "addkeystoagent",
    "batchmode",
    "checkhostip",
    "compression",
    "connectionattempts",
    "controlmaster",
    "controlpath",
    "controlpersist",
    "escapechar",
    "exitonforwardfailure",
    "forwardagent",
    "forwardx11",
    "forwardx11trusted",
    "gssapiauthentication",
    "gssapidelegatecredentials",
    "ipqos",
    "kbdinteractiveauthentication",
    "loglevel",
    "numberofpasswordprompts",
    "passwordauthentication",
    "preferredauthentications",
    "requesttty",
    "sendenv",
    "serveralivecountmax",
    "serveraliveinterval",
    "setenv",
    "tcpkeepalive",
    "updatehostkeys",
    "visualhostkey",
];
