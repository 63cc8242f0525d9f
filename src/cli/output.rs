//! Where the report goes and what makes the run fail.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};

use crate::cli::exit_code::FailOn;
use crate::report::Format;

/// Output flags, shared by every subcommand that makes a report.
#[derive(Debug, Clone, Args)]
pub struct OutputArgs {
    /// Format on stdout
    #[arg(long, value_enum, default_value_t = Format::Table, value_name = "FORMAT")]
    pub format: Format,
    /// Write the document to a file instead of stdout
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// Write a further report, such as `json=out.json`; may be given several times
    #[arg(long, value_name = "FORMAT=PATH")]
    pub report: Vec<Destination>,
    /// Keep each host's transcript in this folder (mode 0600), for `gpusweep analyze`
    #[arg(long, value_name = "DIR")]
    pub transcripts: Option<PathBuf>,
    /// From which severity a finding makes the run fail
    #[arg(long, value_enum, default_value_t = FailOn::Warning, value_name = "SEVERITY")]
    pub fail_on: FailOn,
    /// Do not fail because something could not be verified
    #[arg(long)]
    pub allow_unverified: bool,
    /// Keep no history of this run
    #[arg(long)]
    pub no_store: bool,
}

/// One `--report FORMAT=PATH`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Destination {
    /// The format.
    pub format: Format,
    /// The file.
    pub path: PathBuf,
}

impl FromStr for Destination {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((format, path)) = text.split_once('=') else {
            return Err("write it as FORMAT=PATH, such as `json=report.json`".to_owned());
        };
        if path.is_empty() {
            return Err(format!("`{format}=` names no file"));
        }
        let format = Format::from_str(format, false)
            .map_err(|_| format!("`{format}` is no report format; known: {}", Format::names()))?;
        Ok(Self { format, path: PathBuf::from(path) })
    }
}
