//! Files that are no YAML inventory, each told what to do instead.

use std::path::Path;

use super::files::{YAML, shown};
use crate::yaml::{Diagnostic, Source};

pub(super) fn is_vault(source: &Source) -> bool {
    source.text().starts_with("$ANSIBLE_VAULT;")
}

pub(super) fn refuse_vault(source: &Source) -> Result<(), Diagnostic> {
    if is_vault(source) {
        let told = Diagnostic::about(source.file(), "the inventory is encrypted with ansible-vault");
        return Err(told.hint("gpusweep decrypts nothing: keep hosts in plain and only secrets in the vault"));
    }
    Ok(())
}

/// A dynamic inventory is a program, and a sweep starts none.
pub(super) fn refuse_program(path: &Path, source: &Source) -> Result<(), Diagnostic> {
    let is_yaml = path.extension().is_some_and(|ending| YAML.contains(&ending.to_string_lossy().as_ref()));
    if source.text().starts_with("#!") || (!is_yaml && is_executable(path)) {
        let told = Diagnostic::about(shown(path), "the inventory is a program, and gpusweep does not run it");
        let hint = format!(
            "run `ansible-inventory -i {} --list --yaml > fleet.yaml` and use that, or `chmod -x` a plain file",
            shown(path)
        );
        return Err(told.hint(hint));
    }
    Ok(())
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(_: &Path) -> bool {
    false
}

/// The error for a file in Ansible's INI dialect, if it looks like one.
pub(super) fn as_ini(source: &Source) -> Option<Diagnostic> {
    let is_section = |line: &str| {
        let line = line.trim();
        let inside = line.strip_prefix('[').and_then(|line| line.split_once(']'));
        inside.is_some_and(|(name, after)| {
            !name.is_empty()
                && !name.contains([',', ' ', '"', '\''])
                && after.trim_start().chars().next().is_none_or(|c| c == '#')
        })
    };
    let meant = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with(['#', ';']);
    let is_host = |line: &str| !line.starts_with(' ') && line.split_whitespace().skip(1).any(|word| word.contains('='));
    let is_bare =
        |line: &str| !line.starts_with([' ', '-', '{', '"']) && !line.contains(": ") && !line.trim_end().ends_with(':');
    let mut lines = source.text().lines().filter(meant);
    let first = lines.next()?;
    let ini = is_section(first)
        || is_host(first)
        || (is_bare(first) && source.text().lines().any(|line| is_section(line) || is_host(line)));
    let bare_list = is_bare(first) && source.text().lines().filter(meant).all(is_bare);
    (ini || bare_list).then(|| {
        let told =
            Diagnostic::about(source.file(), "this looks like an INI inventory; gpusweep reads the YAML dialect");
        told.hint(format!("convert it with `ansible-inventory -i {} --list --yaml > fleet.yaml`", source.file()))
    })
}
