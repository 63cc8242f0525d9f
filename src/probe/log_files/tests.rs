use super::*;

#[test]
fn stamps_of_all_three_logs() {
    let at = DateTime::new(2026, 11, 30, 23, 56, 7, 0).unwrap();
    for text in ["2026-11-30  23:56:07", "2026-11-30 23:56:07,123 INFO x", "2026-11-30 23:56:07 upgrade a 1 2"] {
        assert_eq!(stamp(text), Some(at), "{text}");
    }
    for text in ["", "2026-11-30", "2026-13-30 23:56:07", "2026-11-30 24:56:07", "x-11-30 23:56:07", "2026-11-30 23:56"]
    {
        assert_eq!(stamp(text), None, "{text}");
    }
}

#[test]
fn files_come_oldest_first_and_unread_ones_are_named() {
    let body = "+log /l/a.log\n|#first 2026-03-02 00:00:01\n|new\n-ok 0\n+log /l/a.log.1\n-denied 1\n\
        +log /l/a.log.2.gz\n|#first 2026-01-02 00:00:01\n|old\n-ok 0\n+log /l/a.log.3.gz\n|#cut\n-ok 0\n+log /l/a.log.4\n-absent 1\n";
    let sections = Sections::parse(body);
    let Reading::Known(log) = read(&sections) else { panic!() };
    assert_eq!(log.files.iter().map(|file| file.path).collect::<Vec<_>>(), ["/l/a.log.2.gz", "/l/a.log"]);
    assert_eq!(log.unread_files, ["/l/a.log.1", "/l/a.log.3.gz"]);
    assert_eq!(log.reaches_back_to, stamp("2026-01-02 00:00:01"));
}

#[test]
fn dated_and_counted_files_are_ordered_by_their_first_stamps() {
    let body = "+log /l/a.log\n|#first 2026-03-02 00:00:01\n-ok 0\n+log /l/a.log.1\n|#first 2026-01-02 00:00:01\n-ok 0\n\
        +log /l/a.log-20260301\n|#first 2026-02-02 00:00:01\n-ok 0\n";
    let sections = Sections::parse(body);
    let Reading::Known(log) = read(&sections) else { panic!() };
    let paths: Vec<_> = log.files.iter().map(|file| file.path).collect();
    assert_eq!(paths, ["/l/a.log.1", "/l/a.log-20260301", "/l/a.log"]);
}

#[test]
fn a_log_cut_at_its_old_end_reaches_back_to_the_first_kept_line() {
    let body =
        "+log /l/a.log\n|#dropped 7\n|#first 2026-01-01 00:00:01\n|2026-02-02 00:00:01 upgrade x 1 2\n-truncated 0\n";
    let sections = Sections::parse(body);
    let Reading::Known(log) = read(&sections) else { panic!() };
    assert_eq!(log.reaches_back_to, stamp("2026-02-02 00:00:01"));
}

#[test]
fn nothing_readable_is_unread_and_nothing_there_is_absent() {
    let read = |body: &str| match read(&Sections::parse(body)) {
        Reading::Known(_) => "known".to_owned(),
        Reading::Absent => "absent".to_owned(),
        Reading::Unread(unread) => format!("{} {}", unread.reason.word(), unread.detail),
    };
    assert_eq!(read(""), "absent");
    assert_eq!(read("+dir /var/log/x\n-denied 1\n"), "permission-denied /var/log/x (exit 1)");
    assert_eq!(read("+log /l/a.log\n-denied 1\n"), "permission-denied /l/a.log (exit 1)");
    assert_eq!(read("+log /l/a.log\n|#first 2026-01-01 00:00:00\n|half"), "truncated /l/a.log: half");
}
