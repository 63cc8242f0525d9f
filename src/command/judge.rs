//! One contact to one judged host: the only place where transcripts become records.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::check::{BaselineBy, Check, HostContext, NowSource, Severity};
use crate::inventory::Target;
use crate::playbook::Playbook;
use crate::probe::ProbeId;
use crate::reading::{Reason, Unread};
use crate::report::model::{self, Waived};
use crate::transcript::Transcript;
use crate::transport::Collected;
use crate::verdict::{Contacted, Rules, judge_host};

/// What all hosts of a run are judged by.
pub struct Judge {
    playbook: Playbook,
    checks: Vec<&'static Check>,
    severities: BTreeMap<String, Severity>,
    probes: Vec<ProbeId>,
    today: jiff::civil::Date,
}

impl Judge {
    /// Judgement by a playbook, with waivers as of `now`.
    pub fn new(playbook: Playbook, now: Timestamp) -> Self {
        let checks = crate::check::ALL.iter().filter(|check| playbook.checks.iter().any(|id| id == check.id)).collect();
        let probes =
            ProbeId::ALL.into_iter().filter(|probe| playbook.probes.iter().any(|name| name == probe.name())).collect();
        Self {
            checks,
            probes,
            severities: playbook.severities.clone(),
            today: jiff::tz::Offset::UTC.to_datetime(now).date(),
            playbook,
        }
    }

    /// The playbook.
    pub fn playbook(&self) -> &Playbook {
        &self.playbook
    }

    /// The probes that run on hosts.
    pub fn probes(&self) -> &[ProbeId] {
        &self.probes
    }

    /// Judges a fresh contact.
    pub fn contact(&self, target: &Target, collected: &Collected) -> model::Host {
        let transcript = Transcript::parse(&collected.bytes, Some(&collected.marker));
        let timing = model::Timing {
            connect_ms: collected.timing.connect.map(|d| u64::try_from(d.as_millis()).unwrap_or(u64::MAX)),
            total_ms: u64::try_from(collected.timing.total.as_millis()).unwrap_or(u64::MAX),
        };
        let contacted = Contacted {
            address: collected.address.clone(),
            groups: target.groups.clone(),
            transcript: &transcript,
            failure: collected.failure.clone(),
            become_failure: collected.become_failure.clone(),
            baseline_key: self.baseline_key(target),
            timing,
        };
        let context = self.context(target, collected.received, NowSource::Controller);
        judge_host(&contacted, &context, &self.rules(&self.waiver()))
    }

    /// Judges a transcript collected by hand or stored earlier.
    pub fn transcript(&self, target: &Target, bytes: &[u8]) -> model::Host {
        let transcript = Transcript::parse(bytes, None);
        let host_now = || {
            let unread = Unread::new(Reason::NotSupported, "");
            crate::evidence::Evidence::read(&transcript, &unread).host_now()
        };
        let (now, source) = match transcript.received {
            Some(received) => (received, NowSource::Controller),
            None => (host_now().unwrap_or(Timestamp::UNIX_EPOCH), NowSource::Host),
        };
        let contacted = Contacted {
            address: target.address.clone(),
            groups: target.groups.clone(),
            transcript: &transcript,
            failure: None,
            become_failure: None,
            baseline_key: self.baseline_key(target),
            timing: model::Timing::default(),
        };
        judge_host(&contacted, &self.context(target, now, source), &self.rules(&self.waiver()))
    }

    /// A host that was not contacted.
    pub fn untouched(&self, target: &Target, why: Unread) -> model::Host {
        self.contact(
            target,
            &Collected {
                bytes: Vec::new(),
                marker: String::new(),
                failure: Some(why),
                become_failure: None,
                received: Timestamp::UNIX_EPOCH,
                address: target.address.clone(),
                timing: crate::transport::Timing::default(),
            },
        )
    }

    /// Judges all hosts together.
    pub fn fleet(&self, hosts: &[model::Host]) -> Vec<model::FleetFinding> {
        crate::verdict::judge_fleet(hosts, &self.rules(&self.waiver()))
    }

    fn waiver(&self) -> impl Fn(&str, &str, &[String]) -> Option<Waived> + Send + Sync + '_ {
        |check, host, groups| {
            let waiver = self.playbook.waiver(check, host, groups, self.today)?;
            Some(Waived { reason: waiver.reason.clone(), until: waiver.until.to_string() })
        }
    }

    fn rules<'a>(&'a self, waive: &'a crate::verdict::Waive<'a>) -> Rules<'a> {
        Rules {
            checks: self.checks.clone(),
            severities: self.severities.clone(),
            baseline: self.playbook.baseline.clone(),
            waive,
        }
    }

    fn context(&self, target: &Target, now: Timestamp, now_source: NowSource) -> HostContext {
        HostContext {
            host: target.name.clone(),
            now,
            now_source,
            expect_driver: target.vars.expect_driver.clone().or_else(|| self.playbook.expect_driver.clone()),
            probes: self.probes.clone(),
        }
    }

    /// What the inventory says of the comparison set: the host's own group first, then the playbook's rule.
    fn baseline_key(&self, target: &Target) -> Option<String> {
        if let Some(group) = &target.vars.baseline_group {
            return Some(group.clone());
        }
        match &self.playbook.baseline {
            BaselineBy::Groups(groups) => groups.iter().find(|group| target.groups.contains(group)).cloned(),
            BaselineBy::Variable(name) => {
                target.vars.other.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone())
            }
            BaselineBy::Sweep | BaselineBy::GpuModel => None,
        }
    }
}

#[cfg(test)]
mod hostile;
