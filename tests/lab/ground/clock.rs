//! The lab's calendar. Disks are cached, so their dates hang on one anchor kept with the cache, never on "now".

use std::sync::LazyLock;
use std::time::{SystemTime, UNIX_EPOCH};

use jiff::Timestamp;

use super::machine::cache;

/// A day in seconds.
pub const DAY: i64 = 86_400;
/// After this long the cache's dates are too old to call "three days ago", and everything is made anew.
const STALE: i64 = 2 * DAY;

/// Seconds since the epoch, by this machine's clock.
pub fn now() -> i64 {
    i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).expect("clock after 1970").as_secs()).expect("fits")
}

/// The moment all dates of the lab are counted from: within the last two days, on a full hour.
pub fn anchor() -> i64 {
    static ANCHOR: LazyLock<i64> = LazyLock::new(|| {
        let file = cache().join("anchor");
        let kept = std::fs::read_to_string(&file).ok().and_then(|text| text.trim().parse::<i64>().ok());
        match kept {
            Some(kept) if (0..STALE).contains(&(now() - kept)) => kept,
            _ => {
                let fresh = now() / 3600 * 3600;
                std::fs::write(&file, fresh.to_string()).expect("cache is writable");
                drop(std::fs::remove_dir_all(cache().join("disk")));
                fresh
            }
        }
    });
    *ANCHOR
}

/// So many days before the anchor, as seconds since the epoch.
pub fn days_ago(days: i64) -> i64 {
    anchor() - days * DAY
}

/// A report's time for seconds since the epoch.
pub fn rfc3339(seconds: i64) -> String {
    Timestamp::from_second(seconds).expect("in range").to_string()
}
