//! Boot, upgrade and now on one line, in proportion as far as the labels leave room.

use jiff::Timestamp;

use crate::report::model::Host;
use crate::report::style::{Style, Tone};
use crate::report::words::{date, span};
use crate::report::wrap;

/// Wide enough for a date and a gap.
const SLOT: usize = 18;
/// The longest line that is still read at one glance.
const LONGEST: usize = 84;

/// Three lines: names, the line itself, dates. Empty when nothing but now is known.
pub fn timeline(host: &Host, style: &Style) -> Vec<String> {
    let mut points: Vec<(Timestamp, &str)> = Vec::new();
    points.extend(host.facts.booted_at.map(|at| (at, "boot")));
    points.extend(host.facts.last_driver_upgrade.as_ref().map(|upgrade| (upgrade.at, "driver upgrade")));
    points.push((style.now, "now"));
    points.sort_by_key(|(at, _)| *at);
    // A clock that runs ahead would put now in the middle: the line would confuse, the dates below it tell.
    if points.len() < 2 || points.last().is_none_or(|(_, name)| *name != "now") {
        return Vec::new();
    }
    let places = places(&points, style.width.saturating_sub(2).min(LONGEST));
    let broken = matches!((&host.facts.loaded_version, &host.facts.library_version), (Some(a), Some(b)) if a != b);
    let mut names = String::from("  ");
    let mut dates = String::from("  ");
    let mut line = String::from("  ");
    let mut used = 2;
    let mut since_upgrade = false;
    for (i, ((at, name), place)) in points.iter().zip(&places).enumerate() {
        let pad = |text: &str| " ".repeat((place + 2).saturating_sub(wrap::width(text)));
        names = format!("{names}{}{name}", pad(&names));
        dates = format!("{dates}{}{}", pad(&dates), date(*at).trim_end_matches(" UTC"));
        if i > 0 {
            let length = (place + 2).saturating_sub(used);
            let before = points.get(i - 1).map_or(*at, |(before, _)| *before);
            let piece = segment(&span(*at, before), length);
            line.push_str(&style.paint(if broken && since_upgrade { Tone::Critical } else { Tone::Quiet }, &piece));
        }
        since_upgrade |= *name == "driver upgrade";
        line.push_str(&style.paint(Tone::Strong, "●"));
        used = place + 3;
    }
    vec![style.paint(Tone::Strong, &names), line, style.paint(Tone::Quiet, &format!("{dates} UTC"))]
}

/// Where each point stands: the first at the left, the last a date's width from the right, the middle in proportion.
fn places(points: &[(Timestamp, &str)], room: usize) -> Vec<usize> {
    let last = room.saturating_sub(SLOT + 3).max(SLOT);
    let (Some((first, _)), Some((end, _))) = (points.first(), points.last()) else { return Vec::new() };
    let whole = (end.as_second() - first.as_second()).max(1) as f64;
    let middle = |at: &Timestamp| {
        let share = (at.as_second() - first.as_second()) as f64 / whole;
        ((last as f64 * share) as usize).clamp(SLOT, last.saturating_sub(SLOT).max(SLOT))
    };
    let count = points.len();
    points
        .iter()
        .enumerate()
        .map(|(i, (at, _))| match i {
            0 => 0,
            i if i + 1 == count && count > 2 => last.max(2 * SLOT),
            i if i + 1 == count => last,
            _ => middle(at),
        })
        .collect()
}

/// A piece of the line with its length in the middle.
fn segment(text: &str, length: usize) -> String {
    let text = format!(" {text} ");
    let rest = length.saturating_sub(wrap::width(&text));
    format!("{}{text}{}", "─".repeat(rest / 2), "─".repeat(rest - rest / 2))
}
