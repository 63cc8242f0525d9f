//! A place a document is written to: opened before the sweep, so that a bad path is an error at once, and filled
//! atomically after it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

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
        // A link is followed, so that renaming replaces what it points at.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let name = path.file_name().ok_or_else(|| format!("`{}` names no file", path.display()))?;
        let temporary = path.with_file_name(format!(".{}.{}", name.to_string_lossy(), std::process::id()));
        let file = OpenOptions::new().write(true).create_new(true).open(&temporary).map_err(say)?;
        Ok(Self::File { path, temporary, file })
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
            let _ = fs::remove_file(temporary);
        }
    }
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
    fn a_device_is_never_renamed_over_and_a_bad_path_is_named() {
        assert!(matches!(Destination::open(Path::new("/dev/null")), Ok(Destination::Special { .. })));
        let folder = tempfile::tempdir().unwrap();
        let bad = folder.path().join("no/such/report.json");
        let error = Destination::open(&bad).unwrap_err();
        assert_eq!(error, format!("cannot write `{}`: No such file or directory (os error 2)", bad.display()));
    }
}
