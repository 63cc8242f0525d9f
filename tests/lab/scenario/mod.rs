//! The scenarios: which hosts each brings, and what is expected of them.

mod history;
mod incident;
mod login;
mod oracle;
mod probes;
mod protection;
mod reach;
mod readonly;
mod transcript;
mod trap;

use crate::fleet::Part;

/// Every scenario's part of the lab.
pub fn all() -> Vec<Part> {
    vec![
        incident::part(),
        history::part(),
        login::part(),
        protection::part(),
        reach::part(),
        readonly::part(),
        trap::part(),
    ]
}
