//! placeholder
/// shim
pub fn render(report: &crate::report::model::Report, style: &crate::report::Style) -> String {
    crate::report::table::render(report, style)
}
