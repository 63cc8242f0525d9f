//! What is typed on the command line. Flags that are not built yet are absent, never ignored.

pub mod exit_code;
mod output;
pub mod reach;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub use exit_code::{ExitCode, FailOn};
pub use output::{Destination, OutputArgs};
pub use reach::{ConnectArgs, Seconds};

/// Read-only audit of NVIDIA drivers over a fleet: finds half-upgraded nodes, drift and unprotected drivers.
#[derive(Debug, Parser)]
#[command(name = "gpusweep", version, about, max_term_width = 100, disable_help_subcommand = true)]
#[command(after_help = "Start with `gpusweep demo`. gpusweep never changes a host and never reboots one.")]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Flags of every subcommand.
    #[command(flatten)]
    pub global: GlobalArgs,
}

/// Flags that every subcommand takes.
#[derive(Debug, Clone, Args)]
pub struct GlobalArgs {
    /// Colour in the output.
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
    /// Width of tables in columns [default: COLUMNS, the terminal, else 120].
    #[arg(long, global = true, value_name = "COLUMNS")]
    pub width: Option<u16>,
    /// No progress on stderr.
    #[arg(long, global = true)]
    pub no_progress: bool,
    /// Say more on stderr (each host as it finishes); also shows unread facts in tables.
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// Say nothing on stderr but errors.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
}

/// When to colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Audit every GPU host of an inventory and print the fleet table
    Sweep(SweepArgs),
    /// Audit one host, or this machine, without an inventory, and lay out the clues one by one
    Audit(AuditArgs),
    /// Judge transcripts collected by hand (`gpusweep probe-script | ssh HOST sh > FILE`)
    Analyze(AnalyzeArgs),
    /// Show what a sweep would contact, with resolved settings
    Hosts(HostsArgs),
    /// Say what a check looks at, why, and how to fix what it finds; also takes an error text
    Explain(ExplainArgs),
    /// List every check
    Checks(ChecksArgs),
    /// Merge several JSON reports into one, judging drift anew
    Merge(MergeArgs),
    /// Print the exact script that runs on hosts
    ProbeScript,
    /// Sweep a simulated fleet over real SSH on loopback; needs nothing
    Demo(DemoArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print the manual page
    Man,
}

/// `gpusweep sweep`.
#[derive(Debug, Args)]
pub struct SweepArgs {
    /// Hosts and groups to contact [default: all]
    #[arg(value_name = "PATTERN")]
    pub patterns: Vec<String>,
    /// Where the hosts come from.
    #[command(flatten)]
    pub select: SelectArgs,
    /// How they are reached.
    #[command(flatten)]
    pub connect: ConnectArgs,
    /// What is judged.
    #[command(flatten)]
    pub judge: JudgeArgs,
    /// Contact only part I of N equal parts; merge the reports with `gpusweep merge`
    #[arg(long, value_name = "I/N")]
    pub shard: Option<String>,
    /// List the hosts that would be contacted, and stop
    #[arg(long)]
    pub list_hosts: bool,
    /// What is printed.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Inventory and limits.
#[derive(Debug, Clone, Args)]
pub struct SelectArgs {
    /// Inventory file or folder (Ansible's YAML dialect); may be given several times
    #[arg(short, long, value_name = "PATH", required = true)]
    pub inventory: Vec<PathBuf>,
    /// Further limit the hosts: `group`, `gpu-*`, `a:b`, `a:&b`, `a:!b`, `~regex`, `group[0:3]`, `@file`
    #[arg(short, long, value_name = "PATTERN")]
    pub limit: Option<String>,
}

/// Playbook.
#[derive(Debug, Clone, Args)]
pub struct JudgeArgs {
    /// Playbook that says which probes and checks run and what is expected [default: the built-in driver-audit]
    #[arg(short, long, value_name = "FILE")]
    pub playbook: Option<PathBuf>,
}

/// `gpusweep audit`.
#[derive(Debug, Args)]
pub struct AuditArgs {
    /// `[user@]host[:port]`; may be given several times
    #[arg(value_name = "HOST", required_unless_present = "local")]
    pub hosts: Vec<String>,
    /// Audit this machine, without SSH
    #[arg(long, conflicts_with_all = ["hosts", "inventory"])]
    pub local: bool,
    /// Take the hosts, and how they are reached, from an inventory; HOST is then a pattern
    #[arg(short, long, value_name = "PATH")]
    pub inventory: Vec<PathBuf>,
    /// How they are reached.
    #[command(flatten)]
    pub connect: ConnectArgs,
    /// What is judged.
    #[command(flatten)]
    pub judge: JudgeArgs,
    /// What is printed.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `gpusweep analyze`.
#[derive(Debug, Args)]
pub struct AnalyzeArgs {
    /// Transcript files, or folders of them; `-` is stdin
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// What is judged.
    #[command(flatten)]
    pub judge: JudgeArgs,
    /// What is printed.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `gpusweep hosts`.
#[derive(Debug, Args)]
pub struct HostsArgs {
    /// Hosts and groups to show [default: all]
    #[arg(value_name = "PATTERN")]
    pub patterns: Vec<String>,
    /// Where the hosts come from.
    #[command(flatten)]
    pub select: SelectArgs,
    /// How they would be reached.
    #[command(flatten)]
    pub connect: ConnectArgs,
    /// Form of the list.
    #[arg(long, value_enum, default_value_t = HostsFormat::Table)]
    pub format: HostsFormat,
}

/// Forms of `gpusweep hosts`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum HostsFormat {
    /// A table.
    Table,
    /// JSON.
    Json,
    /// A name a line.
    Names,
}

/// `gpusweep explain`.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// A check's id, or an error text as it was pasted
    #[arg(value_name = "ID|TEXT", required = true, num_args = 1..)]
    pub what: Vec<String>,
    /// Print the apt configuration to provision a fleet with (`explain unconfigured --snippet`)
    #[arg(long)]
    pub snippet: bool,
}

/// `gpusweep checks`.
#[derive(Debug, Args)]
pub struct ChecksArgs {
    /// List the probes instead
    #[arg(long)]
    pub probes: bool,
    /// Print the whole catalogue as Markdown
    #[arg(long, conflicts_with = "probes")]
    pub markdown: bool,
}

/// `gpusweep merge`.
#[derive(Debug, Args)]
pub struct MergeArgs {
    /// JSON reports; `-` is stdin
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// What is judged.
    #[command(flatten)]
    pub judge: JudgeArgs,
    /// What is printed.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `gpusweep demo`.
#[derive(Debug, Args)]
pub struct DemoArgs {
    /// What is printed.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `gpusweep completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: clap_complete::Shell,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_flags_do_not_contradict_each_other() {
        super::Cli::command().debug_assert();
    }
}
