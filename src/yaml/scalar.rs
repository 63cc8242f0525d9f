//! What YAML 1.1, the dialect of Ansible, makes of a value without quotes.

/// The type YAML 1.1 gives a plain value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoreType {
    /// Text.
    Text,
    /// `null`, `~` or nothing.
    Null,
    /// `yes`, `off`, `true` and the like.
    Bool,
    /// A number: `8`, `010` (octal), `0x1f`, `1_000`, `190:20:30` (base 60), `1.5`.
    Number,
    /// A date such as `2026-12-31`.
    Date,
}

/// The type of a plain value.
pub fn core_type(text: &str) -> CoreType {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => CoreType::Null,
        _ if is_bool(text) => CoreType::Bool,
        _ if is_int(text) || is_float(text) => CoreType::Number,
        _ if is_date(text) => CoreType::Date,
        _ => CoreType::Text,
    }
}

/// `yes/no`, `on/off`, `true/false`, `y/n`, `1/0` in any case, as Ansible reads them in a setting.
pub fn truth(text: &str) -> Option<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "yes" | "on" | "true" | "y" | "t" | "1" | "1.0" => Some(true),
        "no" | "off" | "false" | "n" | "f" | "0" | "0.0" => Some(false),
        _ => None,
    }
}

fn is_bool(text: &str) -> bool {
    ["yes", "no", "on", "off", "true", "false"].iter().any(|word| {
        let mut capital = word.to_string();
        if let Some(first) = capital.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        text == *word || text == capital || text == word.to_ascii_uppercase()
    })
}

fn is_int(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let all = |rest: &str, good: fn(char) -> bool| !rest.is_empty() && rest.chars().all(|c| c == '_' || good(c));
    if let Some(rest) = digits.strip_prefix("0b") {
        return all(rest, |c| matches!(c, '0' | '1'));
    }
    if let Some(rest) = digits.strip_prefix("0x") {
        return all(rest, |c| c.is_ascii_hexdigit());
    }
    if digits.len() > 1 && digits.starts_with('0') {
        return all(digits, |c| matches!(c, '0'..='7'));
    }
    if digits.contains(':') {
        return is_base_60(digits, false);
    }
    digits.starts_with(|c: char| c.is_ascii_digit()) && all(digits, |c| c.is_ascii_digit())
}

fn is_float(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    if unsigned.contains(':') {
        return is_base_60(unsigned, true);
    }
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    // An exponent needs its sign, a number with one a dot: `1e5` is text in YAML 1.1.
    let exponent_fits = exponent.is_none_or(|exponent| {
        exponent
            .strip_prefix(['+', '-'])
            .is_some_and(|digits| !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit()))
    });
    let Some((whole, part)) = mantissa.split_once('.') else { return false };
    let digits = |text: &str| text.chars().all(|c| c == '_' || c.is_ascii_digit());
    let starts = whole.starts_with(|c: char| c.is_ascii_digit())
        || (whole.is_empty() && part.starts_with(|c: char| c.is_ascii_digit()));
    exponent_fits && starts && digits(whole) && digits(part)
}

fn is_base_60(text: &str, dotted: bool) -> bool {
    let (text, fraction) = match text.split_once('.') {
        Some((text, fraction)) if dotted => (text, Some(fraction)),
        None if !dotted => (text, None),
        _ => return false,
    };
    let mut parts = text.split(':');
    let first = parts.next().unwrap_or_default();
    let leads = !first.is_empty()
        && first.chars().all(|c| c == '_' || c.is_ascii_digit())
        && first.starts_with(|c: char| if dotted { c.is_ascii_digit() } else { matches!(c, '1'..='9') });
    let rest: Vec<&str> = parts.collect();
    let sixtieth = |part: &&str| {
        (1..=2).contains(&part.len())
            && part.chars().all(|c| c.is_ascii_digit())
            && part.parse::<u8>().is_ok_and(|n| n < 60)
    };
    leads
        && !rest.is_empty()
        && rest.iter().all(sixtieth)
        && fraction.is_none_or(|part| part.chars().all(|c| c == '_' || c.is_ascii_digit()))
}

fn is_date(text: &str) -> bool {
    let day = text.get(..10).unwrap_or_default();
    let shape = day
        .bytes()
        .enumerate()
        .all(|(index, byte)| if matches!(index, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() });
    day.len() == 10
        && shape
        && text.get(10..).is_some_and(|rest| {
            rest.is_empty() || (rest.starts_with(['T', 't', ' ']) && rest.get(1..2).is_some_and(|c| c != "-"))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_those_of_yaml_1_1() {
        let number = [
            "0",
            "10",
            "010",
            "+12",
            "-3",
            "0x1F",
            "0b11",
            "1_000",
            "190:20:30",
            "1.5",
            "535.10",
            ".5",
            "1.",
            "-1.2e+3",
            "20:30.15",
            ".inf",
            ".NaN",
        ];
        let text = [
            "10.0.0.1", "08", "1e5", "gpu1", "y", "n", "1.2.3", "fd00::1", "0x", "-", "+", "1:99", "yES", "1.5e3",
            "a:1", "2026-1-2", ".", "--1",
        ];
        for value in number {
            assert_eq!(core_type(value), CoreType::Number, "{value}");
        }
        for value in text {
            assert_eq!(core_type(value), CoreType::Text, "{value}");
        }
        for value in ["yes", "Yes", "NO", "on", "Off", "true", "FALSE"] {
            assert_eq!(core_type(value), CoreType::Bool, "{value}");
        }
        for value in ["", "~", "null", "NULL"] {
            assert_eq!(core_type(value), CoreType::Null, "{value}");
        }
        for value in ["2026-12-31", "2026-12-31T10:00:00Z"] {
            assert_eq!(core_type(value), CoreType::Date, "{value}");
        }
    }

    #[test]
    fn settings_accept_more_words() {
        assert_eq!(truth("Yes"), Some(true));
        assert_eq!(truth("OFF"), Some(false));
        assert_eq!(truth("0"), Some(false));
        assert_eq!(truth("maybe"), None);
    }
}
