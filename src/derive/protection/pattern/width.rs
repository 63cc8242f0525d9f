//! How many characters a piece of a pattern can match: Python wants look-behind to be of one width.

/// A range of widths; no upper end means unbounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Width {
    low: u64,
    high: Option<u64>,
}

impl Width {
    /// Matches a position.
    pub const ZERO: Self = Self::exactly(0);

    /// Always this wide.
    pub const fn exactly(width: u64) -> Self {
        Self { low: width, high: Some(width) }
    }

    /// Only one width is possible.
    pub fn is_fixed(self) -> bool {
        self.high == Some(self.low)
    }

    /// One after the other.
    pub fn then(self, next: Self) -> Self {
        let high = self.high.zip(next.high).map(|(a, b)| a.saturating_add(b));
        Self { low: self.low.saturating_add(next.low), high }
    }

    /// One or the other.
    pub fn or(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.zip(other.high).map(|(a, b)| a.max(b)) }
    }

    /// Repeated.
    pub fn times(self, low: u32, high: Option<u32>) -> Self {
        let high = self.high.zip(high).map(|(width, times)| width.saturating_mul(u64::from(times)));
        Self { low: self.low.saturating_mul(u64::from(low)), high }
    }
}
