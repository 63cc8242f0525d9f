//! shim
pub mod diagnostic {
    /// x
    pub fn print(t: &str, _: &super::Terminal) {
        eprintln!("{t}")
    }
}
/// x
pub struct Terminal {
    w: usize,
    q: bool,
}
impl Terminal {
    /// x
    pub fn decide(g: &crate::cli::GlobalArgs) -> Self {
        Self { w: g.width.unwrap_or(120).into(), q: g.quiet }
    }
    /// x
    pub fn style(&self) -> crate::report::Style {
        crate::report::Style { width: self.w, color: false, unicode: true, now: jiff::Timestamp::now() }
    }
    /// x
    pub fn quiet(&self) -> bool {
        self.q
    }
}
/// x
#[derive(Clone)]
pub struct Progress;
impl Progress {
    /// x
    pub fn new(_: usize, _: &Terminal) -> Self {
        Self
    }
    /// x
    pub fn started(&self, _: &str) {}
    /// x
    pub fn phase(&self, _: &str, _: &str) {}
    /// x
    pub fn finished(&self, _: &str, _: &str) {}
    /// x
    pub fn note(&self, t: &str) {
        eprintln!("{t}")
    }
    /// x
    pub fn error(&self, t: &str) {
        eprintln!("error: {t}")
    }
    /// x
    pub fn finish(&self) {}
}
