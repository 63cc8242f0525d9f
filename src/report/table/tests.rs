use jiff::Timestamp;
use proptest::prelude::*;

use super::render;
use crate::reading::Reason;
use crate::report::model::Report;
use crate::report::{Style, fixture, wrap};

fn style(width: usize) -> Style {
    Style { width, color: false, unicode: true, unread: false, now: fixture::now() }
}

#[test]
fn at_every_width() {
    for width in [60, 80, 120, 200] {
        insta::assert_snapshot!(format!("table-{width}"), render(&fixture::fleet(), &style(width)));
    }
}

#[test]
fn unread_facts_are_shown_on_demand() {
    let shown = render(&fixture::fleet(), &Style { unread: true, ..style(120) });
    assert!(shown.contains("  permission-denied, probe updater-log on gpu-05\n"), "{shown}");
    assert!(!render(&fixture::fleet(), &style(120)).contains("updater-log"));
}

#[test]
fn in_ascii() {
    let text = render(&fixture::fleet(), &Style { unicode: false, ..style(80) });
    assert!(text.is_ascii());
    insta::assert_snapshot!("table-80-ascii", text);
}

#[test]
fn in_colour() {
    let text = render(&fixture::fleet(), &Style { color: true, ..style(120) });
    insta::assert_snapshot!("table-120-colour", text.replace('\u{1b}', "␛"));
}

#[test]
fn colour_changes_nothing_but_colour() {
    let plain = render(&fixture::fleet(), &style(100));
    let painted = render(&fixture::fleet(), &Style { color: true, ..style(100) });
    assert_eq!(crate::report::clean::block(&painted).replace(" \n", "\n"), plain);
}

#[test]
fn hostile_text_is_harmless() {
    let text = render(&fixture::fleet(), &style(120));
    assert!(text.contains("/usr/lib/x86_64-linux-gnu: Permission denied"));
    assert!(!text.chars().any(|c| c != '\n' && c.is_control()));
}

fn fleet(ok: usize, lost: usize, half: usize, prefix: &str) -> Report {
    let mut report = fixture::fleet();
    report.hosts = (0..ok).map(|n| fixture::ok(&format!("{prefix}{n:03}"))).collect();
    report.hosts.extend((0..half).map(|n| fixture::half_upgraded(&format!("{prefix}b{n}"))));
    let lost = (0..lost).map(|n| {
        fixture::unreachable(
            &format!("{prefix}c{n}"),
            Reason::Refused,
            &format!("10.1.0.{n}:22 refused the connection"),
        )
    });
    report.hosts.extend(lost);
    report
}

#[test]
fn equal_hosts_fold_and_odd_names_stay_whole() {
    let text = render(&fleet(48, 0, 0, "gpu"), &style(80));
    assert!(text.contains("gpu[000-047]  ✓ ok"), "{text}");
    let text =
        render(&fleet(0, 0, 1, "an-extraordinarily-long-host-name-of-a-cluster-in-a-far-away-place"), &style(60));
    assert!(text.contains("an-extraordinarily-long-host-name-of-a-cluster-in-a-far-away-placeb0"), "{text}");
}

#[test]
fn an_empty_sweep_says_so() {
    let mut report = fixture::fleet();
    report.hosts.clear();
    report.fleet.findings.clear();
    report.summary = Default::default();
    let text = render(&report, &Style { now: Timestamp::UNIX_EPOCH, ..style(80) });
    assert_eq!(text, "0 hosts in 5.0 s: 0 findings, 0 info, 0 waived, 0 facts unread\n");
}

/// The first line that is wider than asked though it could have been broken: a shell word may not be.
fn too_wide(text: &str, width: usize) -> Option<&str> {
    let breakable = |line: &&str| wrap::shell_words(line.trim().trim_end_matches(" \\")).len() > 1;
    text.lines().filter(|line| wrap::width(line) > width).find(breakable)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]
    #[test]
    fn no_line_is_wider_than_asked(width in 40usize..220, ok in 0usize..60, lost in 0usize..30, half in 0usize..20, unicode: bool) {
        let text = render(&fleet(ok, lost, half, "g"), &Style { unicode, ..style(width) });
        prop_assert_eq!(too_wide(&text, width), None);
    }

    #[test]
    fn a_wide_fleet_is_never_cut(width in 40usize..220) {
        let text = render(&fixture::fleet(), &style(width));
        for host in &fixture::fleet().hosts {
            let number = host.host.trim_start_matches("gpu-");
            prop_assert!(text.contains(number));
        }
        prop_assert_eq!(too_wide(&text, width), None);
    }
}
