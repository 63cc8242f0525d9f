//! Every way a command can fail before or beside its report, and the exit code of each.

use std::fmt::Display;

use crate::cli::ExitCode;

/// A command that could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Flags, inventory or playbook: nothing was contacted. One complete text per error, `hint:` lines included.
    #[error("{}", .0.join("\n"))]
    Usage(Vec<String>),
    /// gpusweep's own trouble: a file that cannot be written, a runtime that does not start.
    #[error("{0}")]
    Internal(String),
}

impl Failure {
    /// A usage error of one text.
    pub fn usage(text: impl Display) -> Self {
        Self::Usage(vec![text.to_string()])
    }

    /// An internal error, with what was being done.
    pub fn internal(doing: impl Display, error: impl Display) -> Self {
        Self::Internal(format!("{doing}: {error}"))
    }

    /// The exit code.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Usage(_) => ExitCode::Usage,
            Self::Internal(_) => ExitCode::Internal,
        }
    }
}
