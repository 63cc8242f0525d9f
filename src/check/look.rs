//! How checks look at evidence: through `need` and `hint`, so that which unread facts are load-bearing is code.

use std::cell::RefCell;

use crate::check::context::HostContext;
use crate::evidence::Evidence;
use crate::probe::ProbeId;
use crate::reading::{Reading, Unread};

/// A fact that could not be read, as the report lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadFact {
    /// `host` or a probe's name.
    pub what: &'static str,
    /// Why, and what was seen.
    pub why: Unread,
}

/// One host's evidence as seen by judgement; remembers what could not be read.
#[derive(Debug)]
pub struct Look<'a> {
    /// The evidence.
    pub evidence: &'a Evidence,
    /// The circumstances.
    pub context: &'a HostContext,
    needed: RefCell<Vec<UnreadFact>>,
    hinted: RefCell<Vec<UnreadFact>>,
}

impl<'a> Look<'a> {
    /// A fresh look.
    pub fn new(evidence: &'a Evidence, context: &'a HostContext) -> Self {
        Self { evidence, context, needed: RefCell::default(), hinted: RefCell::default() }
    }

    /// A load-bearing fact: unread makes the host `unverified`. The reading is handed back for matching.
    pub fn need<'r, T>(&self, probe: ProbeId, reading: &'r Reading<T>) -> &'r Reading<T> {
        if let Reading::Unread(why) = reading {
            self.miss(probe, why.clone());
        }
        reading
    }

    /// A helpful fact: unread is listed on demand and touches no verdict.
    pub fn hint<'r, T>(&self, probe: ProbeId, reading: &'r Reading<T>) -> &'r Reading<T> {
        if let Reading::Unread(why) = reading {
            self.lack(probe, why.clone());
        }
        reading
    }

    /// Says that a load-bearing fact is missing for a reason found while judging (`retention`, `ambiguous-time`, ...).
    pub fn miss(&self, probe: ProbeId, why: Unread) {
        push(&self.needed, probe, why);
    }

    /// Says that a helpful fact is missing.
    pub fn lack(&self, probe: ProbeId, why: Unread) {
        push(&self.hinted, probe, why);
    }

    /// The load-bearing misses, and the others, each probe and reason once; a probe in the first is not in the second.
    pub fn unread(self) -> (Vec<UnreadFact>, Vec<UnreadFact>) {
        let needed = self.needed.into_inner();
        let mut hinted = self.hinted.into_inner();
        hinted.retain(|fact| !needed.iter().any(|other| other.what == fact.what));
        (needed, hinted)
    }
}

fn push(list: &RefCell<Vec<UnreadFact>>, probe: ProbeId, why: Unread) {
    let mut list = list.borrow_mut();
    if !list.iter().any(|fact| fact.what == probe.name() && fact.why.reason == why.reason) {
        list.push(UnreadFact { what: probe.name(), why });
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::check::context::NowSource;
    use crate::reading::Reason;

    #[test]
    fn a_needed_miss_hides_the_same_probe_as_hint() {
        let evidence = Evidence::unread(&Unread::new(Reason::Deadline, "cut"));
        let context = HostContext {
            host: "gpu-1".into(),
            now: Timestamp::UNIX_EPOCH,
            now_source: NowSource::Controller,
            expect_driver: None,
            probes: ProbeId::ALL.to_vec(),
        };
        let look = Look::new(&evidence, &context);
        look.hint(ProbeId::Module, &evidence.module);
        look.hint(ProbeId::Dkms, &evidence.dkms);
        look.need(ProbeId::Module, &evidence.module);
        look.need(ProbeId::Module, &evidence.module);
        let fact = |what| UnreadFact { what, why: Unread::new(Reason::Deadline, "cut") };
        assert_eq!(look.unread(), (vec![fact("module")], vec![fact("dkms")]));
    }
}
