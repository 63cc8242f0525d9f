//! How output is dressed, decided once: width, colour, characters, progress.

use std::io::IsTerminal;

use crate::cli::{Color, GlobalArgs};
use crate::report::Style;

/// Columns when nothing says otherwise.
const DEFAULT_WIDTH: usize = 120;
/// Below this a line holds no word: nobody reads a letter a line.
const NARROWEST: usize = 20;
/// Above this a line is no line any more.
const WIDEST: usize = 1000;

/// The decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terminal {
    /// Columns of the report.
    pub width: usize,
    /// Columns of stderr, when it is a terminal.
    pub stderr_width: Option<usize>,
    /// The report may be coloured.
    pub color: bool,
    /// Diagnostics and progress may be coloured.
    pub stderr_color: bool,
    /// Characters outside ASCII may be written.
    pub unicode: bool,
    /// Progress is shown.
    pub progress: bool,
    /// Each host is named as it finishes, and tables show unread facts.
    pub verbose: bool,
    quiet: bool,
}

/// Looks up an environment variable.
pub type Lookup = Box<dyn Fn(&str) -> Option<String>>;

/// What the decision rests on beside the flags.
pub struct Surroundings {
    /// Stdout's columns, when it is a terminal.
    pub stdout: Option<usize>,
    /// Stderr's columns, when it is a terminal.
    pub stderr: Option<usize>,
    /// Looks up an environment variable; an empty one counts as unset.
    pub variable: Lookup,
}

impl Surroundings {
    /// This process's own.
    pub fn here() -> Self {
        let columns = |size: Option<(terminal_size::Width, terminal_size::Height)>| {
            size.map(|(width, _)| usize::from(width.0)).filter(|width| *width > 0).unwrap_or(DEFAULT_WIDTH)
        };
        let (out, err) = (std::io::stdout(), std::io::stderr());
        Self {
            stdout: out.is_terminal().then(|| columns(terminal_size::terminal_size_of(&out))),
            stderr: err.is_terminal().then(|| columns(terminal_size::terminal_size_of(&err))),
            variable: Box::new(|name| std::env::var(name).ok().filter(|value| !value.is_empty())),
        }
    }
}

impl Terminal {
    /// Decides from the flags and this process's surroundings.
    pub fn decide(flags: &GlobalArgs) -> Self {
        Self::from(flags, &Surroundings::here())
    }

    /// Decides from given surroundings.
    pub fn from(flags: &GlobalArgs, around: &Surroundings) -> Self {
        let variable = &around.variable;
        let columns = || variable("COLUMNS").and_then(|text| text.trim().parse().ok()).filter(|width| *width > 0);
        let width = flags.width.map(usize::from).filter(|width| *width > 0);
        Self {
            width: width.or_else(columns).or(around.stdout).unwrap_or(DEFAULT_WIDTH).clamp(NARROWEST, WIDEST),
            stderr_width: around.stderr,
            color: color(flags.color, around.stdout.is_some(), variable),
            stderr_color: color(flags.color, around.stderr.is_some(), variable),
            unicode: utf8_locale(variable),
            progress: !flags.no_progress && !flags.quiet,
            verbose: flags.verbose > 0,
            quiet: flags.quiet,
        }
    }

    /// The report's style, counting ages from the present moment.
    pub fn style(&self) -> Style {
        Style {
            width: self.width,
            color: self.color,
            unicode: self.unicode,
            unread: self.verbose,
            now: jiff::Timestamp::now(),
        }
    }

    /// The same for what goes to stderr.
    pub fn stderr_style(&self) -> Style {
        Style { width: self.stderr_width.unwrap_or(DEFAULT_WIDTH), color: self.stderr_color, ..self.style() }
    }

    /// Only errors are said.
    pub fn quiet(&self) -> bool {
        self.quiet
    }
}

/// `--color` first, then NO_COLOR, CLICOLOR_FORCE, CLICOLOR, a dumb terminal, and last whether it is one.
fn color(wanted: Color, tty: bool, variable: &dyn Fn(&str) -> Option<String>) -> bool {
    let is = |name: &str, value: &str| variable(name).as_deref() == Some(value);
    match wanted {
        Color::Always => true,
        Color::Never => false,
        Color::Auto if variable("NO_COLOR").is_some() => false,
        Color::Auto if variable("CLICOLOR_FORCE").is_some() && !is("CLICOLOR_FORCE", "0") => true,
        Color::Auto => tty && !is("CLICOLOR", "0") && !is("TERM", "dumb"),
    }
}

/// The first of the three variables that is set decides, as in the C library.
fn utf8_locale(variable: &dyn Fn(&str) -> Option<String>) -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable).unwrap_or_default().to_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags() -> GlobalArgs {
        GlobalArgs { color: Color::Auto, width: None, no_progress: false, verbose: 0, quiet: false }
    }

    fn around(tty: bool, set: &'static [(&'static str, &'static str)]) -> Surroundings {
        let find = move |name: &str| set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        Surroundings {
            stdout: tty.then_some(97),
            stderr: tty.then_some(98),
            variable: Box::new(move |name| find(name).filter(|value| !value.is_empty())),
        }
    }

    fn colored(wanted: Color, tty: bool, set: &'static [(&'static str, &'static str)]) -> bool {
        Terminal::from(&GlobalArgs { color: wanted, ..flags() }, &around(tty, set)).color
    }

    #[test]
    fn width_comes_from_the_flag_then_columns_then_the_terminal() {
        let width = |flag, tty, set| Terminal::from(&GlobalArgs { width: flag, ..flags() }, &around(tty, set)).width;
        assert_eq!(width(Some(60), true, &[("COLUMNS", "80")]), 60);
        assert_eq!(width(None, true, &[("COLUMNS", "80")]), 80);
        assert_eq!(width(None, true, &[("COLUMNS", "wide")]), 97);
        assert_eq!(width(None, true, &[("COLUMNS", "0")]), 97);
        assert_eq!(width(None, false, &[]), 120);
        assert_eq!(width(Some(1), true, &[]), 20);
        assert_eq!(width(None, true, &[("COLUMNS", "99999999")]), 1000);
    }

    #[test]
    fn colour_follows_the_flag_then_the_environment_then_the_terminal() {
        assert!(colored(Color::Auto, true, &[]));
        assert!(!colored(Color::Auto, false, &[]));
        assert!(!colored(Color::Auto, true, &[("NO_COLOR", "1")]));
        assert!(colored(Color::Auto, true, &[("NO_COLOR", "")]));
        assert!(colored(Color::Auto, false, &[("CLICOLOR_FORCE", "1")]));
        assert!(!colored(Color::Auto, false, &[("CLICOLOR_FORCE", "0")]));
        assert!(!colored(Color::Auto, false, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
        assert!(!colored(Color::Auto, true, &[("TERM", "dumb")]));
        assert!(!colored(Color::Auto, true, &[("CLICOLOR", "0")]));
        assert!(colored(Color::Always, false, &[("NO_COLOR", "1")]));
        assert!(!colored(Color::Never, true, &[("CLICOLOR_FORCE", "1")]));
    }

    #[test]
    fn characters_follow_the_locale() {
        let unicode = |set| Terminal::from(&flags(), &around(true, set)).unicode;
        assert!(unicode(&[("LANG", "en_GB.UTF-8")]));
        assert!(unicode(&[("LC_ALL", "C.utf8"), ("LANG", "C")]));
        assert!(!unicode(&[("LC_ALL", "C"), ("LANG", "en_GB.UTF-8")]));
        assert!(!unicode(&[]));
    }

    #[test]
    fn quiet_and_no_progress_both_silence_the_bar() {
        assert!(Terminal::from(&flags(), &around(true, &[])).progress);
        assert!(!Terminal::from(&GlobalArgs { no_progress: true, ..flags() }, &around(true, &[])).progress);
        let quiet = Terminal::from(&GlobalArgs { quiet: true, ..flags() }, &around(true, &[]));
        assert!(quiet.quiet() && !quiet.progress);
    }
}
