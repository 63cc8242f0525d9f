//! apt's and the daily job's ideas of yes and no.

/// apt's `FindB`: the words it knows, else the default. An empty value is the default.
pub fn find_b(value: Option<&str>, default: bool) -> bool {
    match value.map(str::to_ascii_lowercase).as_deref() {
        Some("yes" | "true" | "with" | "on" | "enable") => true,
        Some("no" | "false" | "without" | "off" | "disable") => false,
        Some(number) => match number.trim().parse::<i64>() {
            Ok(0) => false,
            Ok(1) => true,
            _ => default,
        },
        None => default,
    }
}

/// `[ $AutoAptEnable -eq 0 ]` of apt.systemd.daily: the value is unquoted, and a word that is no number makes the test
/// fail, so the job goes on.
pub fn periodic_enable_is_zero(value: &str) -> bool {
    let mut words = value.split_ascii_whitespace();
    let (Some(word), None) = (words.next(), words.next()) else { return false };
    let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
    !digits.is_empty() && digits.bytes().all(|b| b == b'0')
}

/// What apt.systemd.daily makes of `APT::Periodic::Unattended-Upgrade`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interval {
    /// Exactly `0`: never.
    Never,
    /// `always`, or a number with or without a unit.
    Runs,
    /// Neither: the job runs whenever its time stamp is missing, and dies on the arithmetic otherwise.
    Garbage,
}

/// Reads the interval as `check_stamp` does: only the first word counts, only the string `0` means never.
pub fn interval(value: &str) -> Interval {
    let word = value.split_ascii_whitespace().next().unwrap_or("");
    match word {
        "0" => return Interval::Never,
        "always" | "" => return Interval::Runs,
        _ => {}
    }
    let number = word.strip_suffix(['s', 'm', 'h', 'd']).unwrap_or(word);
    let digits = number.strip_prefix(['+', '-']).unwrap_or(number);
    if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) { Interval::Runs } else { Interval::Garbage }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_string_zero_switches_the_interval_off() {
        assert_eq!(interval("0"), Interval::Never);
        assert_eq!(interval("0 days"), Interval::Never);
        for runs in ["1", "7", "always", "12h", "30m", "1d", "00", "0h", ""] {
            assert_eq!(interval(runs), Interval::Runs, "`{runs}`");
        }
        for garbage in ["\u{ff10}", "false", "no", "1w", "daily"] {
            assert_eq!(interval(garbage), Interval::Garbage, "`{garbage}`");
        }
    }

    #[test]
    fn enable_is_off_only_for_a_number_that_is_zero() {
        assert!(periodic_enable_is_zero("0") && periodic_enable_is_zero("00") && periodic_enable_is_zero(" 0 "));
        for on in ["1", "", "false", "\u{ff10}", "0 0", "0x0"] {
            assert!(!periodic_enable_is_zero(on), "`{on}`");
        }
    }

    #[test]
    fn booleans_as_apt_reads_them() {
        assert!(find_b(Some("True"), false) && find_b(Some("1"), false) && find_b(Some("x"), true));
        assert!(!find_b(Some("off"), true) && !find_b(Some(""), false) && !find_b(None, false));
    }
}
