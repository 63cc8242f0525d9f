//! How hosts are reached.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{Args, ValueEnum};

/// Connection flags, named as fingers know them.
#[derive(Debug, Clone, Args)]
pub struct ConnectArgs {
    /// How many hosts at a time
    #[arg(short, long, default_value_t = 256, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub forks: u16,
    /// Login user [default: the inventory's, ssh_config's, else yours]
    #[arg(short, long, value_name = "USER")]
    pub user: Option<String>,
    /// Read as root, through `sudo -n` on the host
    #[arg(short = 'b', long = "become")]
    pub become_root: bool,
    /// Seconds for one connection attempt [default: ssh_config's ConnectTimeout, else 5]
    #[arg(short = 'T', long, value_name = "SECONDS")]
    pub timeout: Option<Seconds>,
    /// ssh_config to use instead of yours, or `none`
    #[arg(short = 'F', long, value_name = "FILE|none")]
    pub ssh_config: Option<String>,
    /// Private key; implies that no other identity is offered. May be given several times
    #[arg(long, value_name = "FILE")]
    pub key: Vec<PathBuf>,
    /// Bastion(s) in front of every host: `[user@]host[:port][,...]`
    #[arg(short = 'J', long, value_name = "HOST")]
    pub jump: Option<String>,
    /// known_hosts file to use instead of ssh_config's; may be given several times
    #[arg(long, value_name = "FILE")]
    pub known_hosts: Vec<PathBuf>,
    /// What to do with a host whose key is not recorded [default: ssh_config's, else strict]
    #[arg(long, value_enum, value_name = "POLICY")]
    pub host_keys: Option<HostKeys>,
    /// The hard deadline for one host: every hop, phase and probe, in seconds
    #[arg(long, default_value = "60", value_name = "SECONDS")]
    pub host_timeout: Seconds,
    /// The deadline for the whole sweep, in seconds; hosts not done by then are unverified
    #[arg(long, value_name = "SECONDS")]
    pub sweep_timeout: Option<Seconds>,
    /// How often to try again after trouble with the connection (never after refused authentication)
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=10))]
    pub retries: u8,
}

/// What happens with unknown host keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum HostKeys {
    /// Refuse.
    Strict,
    /// Record the key in known_hosts and go on; a changed key is still refused.
    AcceptNew,
}

/// A duration typed as seconds (`30`, `2.5`) or with a unit (`90s`, `5m`, `1h`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seconds(pub Duration);

impl FromStr for Seconds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (number, unit) = match text.find(|c: char| c.is_ascii_alphabetic()) {
            Some(at) => text.split_at(at),
            None => (text, "s"),
        };
        let scale = match unit {
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            _ => return Err(format!("`{unit}` is no unit of time; use `s`, `m` or `h`")),
        };
        let seconds = number.parse::<f64>().ok().map(|n| n * scale).filter(|n| *n > 0.0 && *n <= 86_400.0);
        match seconds {
            Some(seconds) => Ok(Self(Duration::from_secs_f64(seconds))),
            None => Err("give a number of seconds above 0 and at most a day, such as `30` or `2m`".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_take_seconds_and_units() {
        let parse = |text: &str| text.parse::<Seconds>().map(|m| m.0.as_millis());
        assert_eq!(parse("30"), Ok(30_000));
        assert_eq!(parse("0.5"), Ok(500));
        assert_eq!(parse("2m"), Ok(120_000));
        assert!(parse("0").is_err() && parse("5d").is_err() && parse("-1").is_err() && parse("NaN").is_err());
    }
}
