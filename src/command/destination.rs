//! A place a document is written to: opened before the sweep, so that a bad path is an error at once, and filled
//! atomically after it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An open destination.
#[derive(Debug)]
pub enum Destination {
    /// Standard output. A reader that has gone away is no error.
    Stdout,
    /// A file: written under a temporary name beside it and renamed when complete.
    File {
        /// The final name.
        path: PathBuf,
        /// The temporary one.
        temporary: PathBuf,
        /// The open temporary file.
        file: File,
    },
    /// A device, pipe or socket: written in place, never renamed over.
    Special {
        /// Its name.
        path: PathBuf,
        /// The open file.
        file: File,
    },
}

impl Destination {
    /// Opens a path for writing; `-` is standard output.
    ///
    /// # Errors
    /// The operating system's, with the path.
    pub fn open(path: &Path) -> Result<Self, String> {
        if path == Path::new("-") {
            return Ok(Self::Stdout);
        }
        let say = |error: io::Error| format!("cannot write `{}`: {error}", path.display());
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => return Err(format!("cannot write `{}`: it is a folder", path.display())),
            Ok(found) if !found.is_file() => {
                let file = OpenOptions::new().write(true).open(path).map_err(say)?;
                return Ok(Self::Special { path: path.to_owned(), file });
            }
            // A file that may not be written must not be replaced by way of its folder either.
            Ok(_) => drop(OpenOptions::new().append(true).open(path).map_err(say)?),
            Err(_) => {}
        }
        let path = followed(path).map_err(say)?;
        if path.file_name().is_none() {
            return Err(format!("`{}` names no file", path.display()));
        }
        // Never the name of an earlier run that was killed: in a container each run may have the same process id.
        let unique = format!(".gpusweep-{}-{:08x}", std::process::id(), rand::random::<u32>());
        let temporary = path.with_file_name(unique);
        let file = OpenOptions::new().write(true).create_new(true).open(&temporary).map_err(say)?;
        unfinished().push(temporary.clone());
        Ok(Self::File { path, temporary, file })
    }

    /// Whether both write to one place, so that one would overwrite or run into the other. A device may be shared.
    pub fn collides(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Stdout, Self::Stdout) => true,
            (Self::File { path: a, .. }, Self::File { path: b, .. }) => a == b,
            _ => false,
        }
    }

    /// Appends bytes; what is written to a file can be seen under its name only after [`Self::close`].
    ///
    /// # Errors
    /// The operating system's, with the path.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), String> {
        match self {
            Self::Stdout => {
                let mut out = io::stdout().lock();
                match out.write_all(bytes).and_then(|()| out.flush()) {
                    Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                        Err(format!("cannot write to standard output: {error}"))
                    }
                    _ => Ok(()),
                }
            }
            Self::File { path, file, .. } | Self::Special { path, file } => {
                file.write_all(bytes).map_err(|error| format!("cannot write `{}`: {error}", path.display()))
            }
        }
    }

    /// Makes a file appear under its name.
    ///
    /// # Errors
    /// The operating system's, with the path; the temporary file is then removed.
    pub fn close(mut self) -> Result<(), String> {
        if let Self::File { path, temporary, file } = &mut self {
            let done = file.sync_all().and_then(|()| fs::rename(&*temporary, &*path));
            if let Err(error) = done {
                let _ = fs::remove_file(&*temporary);
                return Err(format!("cannot write `{}`: {error}", path.display()));
            }
        }
        Ok(())
    }
}

impl Drop for Destination {
    fn drop(&mut self) {
        // After close() the temporary name is gone and this removes nothing.
        if let Self::File { temporary, .. } = self {
            let _ = fs::remove_file(&*temporary);
            unfinished().retain(|other| other != temporary);
        }
    }
}

/// Temporary files of this process, for the end that runs no destructors.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes what was begun, before the process ends at once.
pub fn abandon() {
    for temporary in unfinished().iter() {
        let _ = fs::remove_file(temporary);
    }
}

/// The file that a path stands for: links are followed, even one that points at nothing yet, so that renaming replaces
/// what a link points at and never the link.
fn followed(path: &Path) -> io::Result<PathBuf> {
    const MOST_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => {
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
                let name = path.file_name().unwrap_or_default();
                return Ok(fs::canonicalize(folder)?.join(name));
            }
        }
    }
    Err(io::Error::other("too many links"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_appears_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.json");
        let mut kept = Destination::open(&path).unwrap();
        kept.write(b"half").unwrap();
        assert!(!path.exists());
        kept.write(b" and half").unwrap();
        kept.close().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "half and half");
        let mut dropped = Destination::open(&path).unwrap();
        dropped.write(b"never").unwrap();
        drop(dropped);
        assert_eq!(fs::read_to_string(&path).unwrap(), "half and half");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn links_are_followed_and_two_names_of_one_file_collide() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::os::unix::fs::symlink("report.json", at("link")).unwrap();
        std::os::unix::fs::symlink("loop", at("loop")).unwrap();
        let mut through = Destination::open(&at("link")).unwrap();
        assert!(through.collides(&Destination::open(&at("report.json")).unwrap()));
        assert!(!through.collides(&Destination::open(&at("other.json")).unwrap()));
        through.write(b"x").unwrap();
        through.close().unwrap();
        assert_eq!(fs::read_to_string(at("report.json")).unwrap(), "x");
        assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink());
        assert!(Destination::open(&at("loop")).is_err());
        assert!(Destination::open(&at(&"n".repeat(255))).is_ok());
    }

    #[test]
    fn a_device_is_never_renamed_over_and_a_bad_path_is_named() {
        assert!(matches!(Destination::open(Path::new("/dev/null")), Ok(Destination::Special { .. })));
        let folder = tempfile::tempdir().unwrap();
        let bad = folder.path().join("no/such/report.json");
        let error = Destination::open(&bad).unwrap_err();
        assert_eq!(error, format!("cannot write `{}`: No such file or directory (os error 2)", bad.display()));
    }
}
