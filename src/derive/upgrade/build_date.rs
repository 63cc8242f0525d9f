//! The month in which the loaded module was built, as its version line tells.

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Year and month at the end of an `NVRM version:` line (`... Sun May 12 19:39:15 UTC 2024`).
pub(super) fn of(line: &str) -> Option<(i16, i8)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let year = words.iter().rev().find_map(|word| match word.parse::<i16>() {
        Ok(year) if word.len() == 4 && (2000..2100).contains(&year) => Some(year),
        _ => None,
    })?;
    let month = words.iter().rev().find_map(|word| MONTHS.iter().position(|month| month == word))?;
    Some((year, i8::try_from(month).ok()? + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_end_of_the_line() {
        let line = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 19:39:15 UTC 2024";
        assert_eq!(of(line), Some((2024, 5)));
        assert_eq!(of("535.183.01"), None);
        assert_eq!(of("2024"), None);
    }
}
