use proptest::prelude::*;

use super::{render, render_host};
use crate::reading::Reason;
use crate::report::{Style, fixture, wrap};

fn style(width: usize) -> Style {
    Style { width, color: false, unicode: true, unread: false, now: fixture::now() }
}

fn of(name: &str, style: &Style) -> String {
    let report = fixture::fleet();
    let host = report.hosts.iter().find(|host| host.host == name).unwrap();
    render_host(&report, host, style)
}

#[test]
fn a_half_upgraded_host() {
    for width in [60, 80, 120] {
        insta::assert_snapshot!(format!("half-upgraded-{width}"), of("gpu-04", &style(width)));
    }
    let text = of("gpu-04", &Style { color: true, ..style(80) });
    insta::assert_snapshot!("half-upgraded-80-colour", text.replace('\u{1b}', "␛"));
}

#[test]
fn every_other_kind_of_host() {
    insta::assert_snapshot!("ok", of("gpu-01", &style(80)));
    insta::assert_snapshot!("gap", of("gpu-05", &style(80)));
    insta::assert_snapshot!("unreachable", of("gpu-06", &style(80)));
    insta::assert_snapshot!("partly-read", of("gpu-09", &style(80)));
    insta::assert_snapshot!("not-applicable", of("login-1", &style(80)));
}

#[test]
fn ascii_is_ascii() {
    let text = render(&fixture::fleet(), &Style { unicode: false, ..style(80) });
    assert!(text.is_ascii());
    assert!(text.contains("  !=  535.230.02"));
}

#[test]
fn an_unreachable_host_claims_nothing() {
    let mut report = fixture::fleet();
    report.hosts = vec![fixture::unreachable("x", Reason::Dns, "no such host")];
    let text = render(&report, &style(80));
    assert!(text.contains("host: dns: no such host"));
    assert!(!text.contains("no NVIDIA module is loaded"), "{text}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(40) })]
    #[test]
    fn no_line_is_wider_than_asked(width in 60usize..220) {
        let text = render(&fixture::fleet(), &style(width));
        let breakable = |line: &&str| wrap::shell_words(line.trim().trim_end_matches(" \\")).len() > 1;
        prop_assert_eq!(text.lines().filter(|line| wrap::width(line) > width).find(breakable), None);
    }
}
