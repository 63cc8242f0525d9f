//! The demo's hosts: the incident's fleet, and every other way a host can look.

use jiff::Timestamp;

use crate::inventory::Target;
use crate::transport::sim::{Behaviour, Host};

/// Recordings, each with the controller's receive time in its first line.
const HEALTHY: &[u8] = include_bytes!("healthy.transcript");
const OTHER_FAMILY: &[u8] = include_bytes!("other-family.transcript");
const HALF_UPGRADED: &[u8] = include_bytes!("half-upgraded.transcript");
const PARTLY_COVERED: &[u8] = include_bytes!("partly-covered.transcript");
const NO_GPU: &[u8] = include_bytes!("no-gpu.transcript");

/// One row a host: name, groups, behaviour.
pub fn hosts() -> Vec<Host> {
    let answer = |bytes: &[u8]| Behaviour::Answer(bytes.to_vec());
    rows().into_iter().map(|(name, _, what)| Host::new(name, what(&answer))).collect()
}

type Make = fn(&dyn Fn(&[u8]) -> Behaviour) -> Behaviour;

fn rows() -> Vec<(&'static str, &'static str, Make)> {
    vec![
        ("gpu-01", "train", |answer| answer(HEALTHY)),
        ("gpu-02", "train", |answer| answer(HEALTHY)),
        ("gpu-03", "render", |answer| answer(OTHER_FAMILY)),
        ("gpu-04", "train", |answer| answer(HALF_UPGRADED)),
        ("gpu-05", "train", |answer| answer(PARTLY_COVERED)),
        ("gpu-06", "train", |_| Behaviour::Refused),
        ("gpu-07", "train", |_| Behaviour::StallExec),
        ("gpu-08", "train", |answer| answer(HEALTHY)),
        ("gpu-09", "train", |answer| answer(HEALTHY)),
        ("gpu-10", "train", |answer| answer(HEALTHY)),
        ("gpu-11", "train", |_| Behaviour::WrongHostKey),
        ("login-1", "login", |answer| answer(NO_GPU)),
    ]
}

/// The running servers as an inventory would name them.
pub fn dress(targets: Vec<Target>) -> Vec<Target> {
    targets
        .into_iter()
        .zip(rows())
        .map(|(target, (_, group, _))| Target { groups: vec![group.to_owned()], ..target })
        .collect()
}

/// When the recordings were made: what "ago" counts from.
///
/// # Errors
/// When the first recording does not begin with a receive time, which a test rules out.
pub fn recorded_at() -> Result<Timestamp, String> {
    crate::transcript::Transcript::parse(HEALTHY, None)
        .received
        .ok_or_else(|| "the recording does not say when it was made".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::Transcript;

    #[test]
    fn every_recording_is_complete_and_of_one_time() {
        for bytes in [HEALTHY, OTHER_FAMILY, HALF_UPGRADED, PARTLY_COVERED, NO_GPU] {
            let transcript = Transcript::parse(bytes, None);
            assert!(transcript.complete);
            assert_eq!(transcript.received, recorded_at().ok());
        }
    }
}
