//! `gpusweep explain`: a check's documentation, found by id or by an error text as it was pasted.

use crate::check;
use crate::cli::{ExitCode, ExplainArgs};
use crate::command::failure::Failure;
use crate::command::print;
use crate::explain::{self, Found};
use crate::ui::Terminal;

/// Runs it.
pub fn run(args: &ExplainArgs, terminal: &Terminal) -> Result<ExitCode, Failure> {
    let what = args.what.join(" ");
    let style = terminal.style();
    if args.snippet {
        if !["unconfigured", "protection-gap"].contains(&what.as_str()) {
            return Err(Failure::usage(
                "error: `--snippet` goes with `unconfigured` or `protection-gap`\nhint: gpusweep explain unconfigured --snippet",
            ));
        }
        let file = crate::remedy::fleet_snippet();
        return print(&format!("# {}\n{}", file.path, file.text));
    }
    match explain::find(&what, check::ALL) {
        Found::Check(check) => print(&explain::page(check, &style)),
        Found::Symptom(checks) => print(&explain::symptom_page(&what, &checks, &style)),
        Found::Nothing(closest) => {
            let hint = match closest {
                Some(id) => format!("did you mean `{id}`?"),
                None => "`gpusweep checks` lists every id; an error text is found by its own words".to_owned(),
            };
            Err(Failure::usage(format!("error: no check is called `{what}` and none knows that text\nhint: {hint}")))
        }
    }
}
