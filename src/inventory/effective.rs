//! The variables one host ends up with, and their text.

use std::borrow::Cow;
use std::collections::HashMap;

use super::graph::Var;
use crate::yaml::{Diagnostic, Kind, Spot};

/// A host's variables after precedence.
#[derive(Debug)]
pub(super) struct Effective<'g> {
    pub vars: HashMap<&'g str, &'g Var>,
    /// What Ansible itself defines: `inventory_hostname` and its kin.
    pub magic: [(&'static str, Cow<'g, str>); 3],
    /// Variable files that are encrypted as a whole, for a hint.
    pub encrypted: &'g [String],
}

/// A variable's text and where it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Value {
    pub name: String,
    pub text: String,
    pub spot: Spot,
}

/// How deep variables may name variables.
const DEEPEST: usize = 20;
/// How many variables one value may need in all.
const MOST_STEPS: usize = 1000;
/// The longest text a variable may become, in bytes.
const LONGEST: usize = 64 * 1024;

impl Effective<'_> {
    /// The text of one setting: of its spellings the last that has a value wins, as in Ansible.
    pub fn text(&self, names: &[&str]) -> Result<Option<Value>, Diagnostic> {
        let set = names.iter().rev().find_map(|name| {
            let var = self.vars.get(name)?;
            (!var.node.is_null()).then_some((*name, *var))
        });
        let Some((name, var)) = set else { return Ok(None) };
        let text = self.expand(name, var, 0, &mut 0)?;
        Ok(Some(Value { name: name.to_owned(), text, spot: var.spot.clone() }))
    }

    /// Every variable of a person's own that is one plain value: neither Ansible's nor gpusweep's, sorted by name.
    pub fn plain(&self) -> Vec<(String, String)> {
        let theirs =
            self.vars.iter().filter(|(name, _)| !name.starts_with("ansible_") && !name.starts_with("gpusweep_"));
        let mut plain: Vec<(String, String)> = theirs
            .filter(|(_, var)| var.node.text().is_some())
            .filter_map(|(name, var)| Some(((*name).to_owned(), self.expand(name, var, 0, &mut 0).ok()?)))
            .collect();
        plain.sort();
        plain
    }

    fn expand(&self, name: &str, var: &Var, depth: usize, steps: &mut usize) -> Result<String, Diagnostic> {
        let fault = |message: String| var.spot.error(message);
        let text = match &var.node.kind {
            Kind::Scalar { text, .. } => text,
            _ => return Err(fault(format!("`{name}` is {}, one plain value is needed", var.node.noun()))),
        };
        match var.node.tag.as_deref() {
            None => {}
            Some("unsafe") => return Ok(text.clone()),
            Some("vault" | "vault-encrypted") => {
                let told = fault(format!("`{name}` is encrypted with ansible-vault and its value is needed"));
                return Err(told.hint("gpusweep decrypts nothing: write this value in plain, secrets are not needed"));
            }
            Some(tag) => return Err(fault(format!("the tag `!{tag}` of `{name}` is not understood"))),
        }
        if text.contains("{%") || text.contains("{#") {
            let told = fault(format!("`{name}` is a Jinja template and its value is needed"));
            return Err(told.hint("only `{{ variable }}` is understood: write the value itself"));
        }
        let mut out = String::new();
        let mut rest = text.as_str();
        while let Some((before, inside)) = rest.split_once("{{") {
            out.push_str(before);
            let Some((expression, after)) = inside.split_once("}}") else {
                return Err(fault(format!("`{{{{` without `}}}}` in `{name}`")));
            };
            let wanted = expression.trim_matches(|c: char| c.is_whitespace() || c == '-');
            out.push_str(&self.lookup(name, wanted, var, depth, steps)?);
            if out.len() > LONGEST {
                return Err(fault(format!("`{name}` grows longer than {LONGEST} bytes")));
            }
            rest = after;
        }
        out.push_str(rest);
        Ok(out)
    }

    fn lookup(
        &self,
        name: &str,
        wanted: &str,
        var: &Var,
        depth: usize,
        steps: &mut usize,
    ) -> Result<String, Diagnostic> {
        let word = wanted.chars().all(|c| c.is_alphanumeric() || c == '_') && !wanted.is_empty();
        if !word {
            let told = var.spot.error(format!("`{name}` is a Jinja expression and its value is needed: `{wanted}`"));
            return Err(told.hint("only `{{ variable }}` is understood: write the value itself"));
        }
        *steps += 1;
        if *steps > MOST_STEPS {
            return Err(var.spot.error(format!("`{name}` names more than {MOST_STEPS} variables")));
        }
        if depth >= DEEPEST {
            return Err(var.spot.error(format!("`{name}` names itself through `{wanted}`")).hint("break the circle"));
        }
        if let Some((_, value)) = self.magic.iter().find(|(magic, _)| *magic == wanted) {
            return Ok(value.clone().into_owned());
        }
        if let Some((key, other)) = self.vars.get_key_value(wanted) {
            return self.expand(key, other, depth + 1, steps);
        }
        let told =
            var.spot.error(format!("`{name}` needs the variable `{wanted}`, which is not defined for this host"));
        Err(match self.encrypted {
            [] => told.hint(format!("define `{wanted}` in the inventory, in group_vars or in host_vars")),
            [first, ..] => {
                told.hint(format!("it may be in `{first}`, which is encrypted and not read: write the value in plain"))
            }
        })
    }
}
