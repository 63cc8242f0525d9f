//! The command that runs the script, as the login user or through `sudo -n`, and what sudo says when it will not.

use crate::reading::{Reason, Unread};

use super::text::one_line_bytes;

/// The command line for `sudo -n`, safe in every login shell, or why the user name cannot be used.
pub(crate) fn command(become_user: Option<&str>) -> Result<String, Unread> {
    match become_user {
        None => Ok("/bin/sh -s".to_owned()),
        Some("root") => Ok("env LC_ALL=C sudo -n /bin/sh -s".to_owned()),
        Some(user) if plain(user) => Ok(format!("env LC_ALL=C sudo -n -u {user} /bin/sh -s")),
        Some(user) => Err(Unread::new(
            Reason::ConfigRefused,
            format!("`{}` is no user name that `sudo -u` can be given", super::one_line(user)),
        )),
    }
}

fn plain(user: &str) -> bool {
    !user.is_empty()
        && user.len() <= 64
        && !user.starts_with('-')
        && user.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '@'))
}

/// Why sudo refused, from what it said on stderr.
pub(crate) fn refusal(stderr: &[u8], stdout: &[u8]) -> Unread {
    let said = one_line_bytes(if stderr.trim_ascii().is_empty() { stdout } else { stderr });
    let wants_password =
        ["password is required", "terminal is required", "no tty present", "no askpass", "must have a tty"]
            .iter()
            .any(|words| said.contains(words));
    if wants_password {
        let detail = format!("`sudo -n` wants a password; allow this user NOPASSWD for /bin/sh ({said})");
        return Unread::new(Reason::SudoPassword, detail);
    }
    let said = if said.is_empty() { "it said nothing".to_owned() } else { said };
    Unread::new(Reason::SudoDenied, format!("`sudo -n` did not run the script: {said}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_never_carries_shell_characters() {
        assert_eq!(command(None).unwrap(), "/bin/sh -s");
        assert_eq!(command(Some("root")).unwrap(), "env LC_ALL=C sudo -n /bin/sh -s");
        assert_eq!(command(Some("svc.gpu-1")).unwrap(), "env LC_ALL=C sudo -n -u svc.gpu-1 /bin/sh -s");
        for bad in ["", "-i", "a b", "a;reboot", "$(id)", "a'b"] {
            assert_eq!(command(Some(bad)).unwrap_err().reason, Reason::ConfigRefused, "{bad}");
        }
    }

    #[test]
    fn a_wanted_password_and_a_refusal_are_told_apart() {
        assert_eq!(refusal(b"sudo: a password is required\n", b"").reason, Reason::SudoPassword);
        let lecture = b"sudo: a terminal is required to read the password; either use the -S option";
        assert_eq!(refusal(lecture, b"").reason, Reason::SudoPassword);
        let denied = refusal(b"Sorry, user ann is not allowed to execute '/bin/sh -s' as root on gpu-1.\n", b"");
        assert_eq!(denied.reason, Reason::SudoDenied);
        assert!(denied.detail.ends_with("as root on gpu-1."));
        assert_eq!(refusal(b"env: 'sudo': No such file or directory", b"").reason, Reason::SudoDenied);
    }
}
