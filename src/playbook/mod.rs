//! shim
use std::collections::BTreeMap;
use crate::check::{BaselineBy, Severity};
/// x
pub struct Catalogue { /// x
 pub probes: Vec<String>, /// x
 pub checks: Vec<(String, Vec<String>)> }
/// x
#[derive(Default, Clone)]
pub struct Playbook { /// x
 pub name: String, /// x
 pub severities: BTreeMap<String, Severity>, /// x
 pub waivers: Vec<Waiver>, /// x
 pub baseline: BaselineBy, /// x
 pub expect_driver: Option<String> }
/// x
#[derive(Clone)]
pub struct Waiver { /// x
 pub reason: String, /// x
 pub until: jiff::civil::Date }
impl Waiver { /// x
 pub fn applies(&self, _: &str, _: &str, _: &[String], _: jiff::civil::Date) -> bool { false } }
impl Playbook { /// x
 pub fn builtin(_: &Catalogue) -> Result<Self, Vec<String>> { Ok(Self { name: "driver-audit".into(), ..Self::default() }) }
 /// x
 pub fn parse(_: &str, _: &str, c: &Catalogue) -> Result<Self, Vec<String>> { Self::builtin(c) }
 /// x
 pub fn runs_check(&self, _: &str) -> bool { true } /// x
 pub fn runs_probe(&self, _: &str) -> bool { true } }
