//! The text of CHECKS.md.

use crate::check::Check;
use crate::explain::doc::lines;

/// Every check's documentation, sorted by id, behind a table of contents.
pub fn markdown(checks: &[Check]) -> String {
    let mut sorted: Vec<&Check> = checks.iter().collect();
    sorted.sort_by_key(|check| check.id);
    let mut out = String::from(
        "<!-- Generated from the checks' own source by `gpusweep checks --markdown`. Edit the source, not this file. -->\n\n\
         # Checks\n\n\
         | check | severity | finds |\n|---|---|---|\n",
    );
    for check in &sorted {
        let (id, severity) = (check.id, check.severity.word());
        out.push_str(&format!("| [`{id}`](#{id}) | {severity} | {} |\n", check.summary.replace('|', "\\|")));
    }
    for check in sorted {
        out.push_str(&format!("\n## {}\n\n*{}*: {}\n", check.id, check.severity.word(), check.summary));
        body(check.source, &mut out);
        list("Error texts that lead here", check.symptoms, &mut out);
        let needs: Vec<&str> = check.needs.iter().map(|probe| probe.name()).collect();
        list("Probes it cannot do without", &needs, &mut out);
    }
    out
}

/// The documentation with its own title left out and every other heading one deeper.
fn body(source: &str, out: &mut String) {
    let mut fenced = false;
    let mut blank = false;
    for line in lines(source) {
        fenced ^= line.starts_with("```");
        match line {
            title if !fenced && title.starts_with("# ") => {}
            "" => blank = true,
            heading if !fenced && heading.starts_with('#') => {
                out.push_str(&format!("\n#{heading}\n\n"));
                blank = false;
            }
            text => {
                // The blank line behind a heading is already there.
                if blank && !out.ends_with("\n\n") {
                    out.push('\n');
                }
                blank = false;
                out.push_str(text);
                out.push('\n');
            }
        }
    }
}

fn list(title: &str, items: &[&str], out: &mut String) {
    if items.is_empty() {
        return;
    }
    let items: Vec<String> = items.iter().map(|item| format!("`{item}`")).collect();
    out.push_str(&format!("\n### {title}\n\n{}\n", items.join(", ")));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::fixture::CHECKS;

    #[test]
    fn the_page_of_two_checks() {
        insta::assert_snapshot!("markdown", markdown(&[CHECKS[2], CHECKS[0]]));
    }
}
