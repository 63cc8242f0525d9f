//! The promise of the suggestion, as a test: applied to the host it was made for, no check has anything to say.

use proptest::prelude::*;

use crate::check::{ALL, Run};
use crate::derive::protection::sample::{Host, OLD};
use crate::derive::protection::{Ground, Level, Protected, kernel_upgrades};
use crate::remedy::{Wish, snippet_for};

const PROTECTION_CHECKS: [&str; 6] = [
    "blacklist-ineffective",
    "kernel-not-held-with-driver",
    "nothing-eligible",
    "protection-gap",
    "unconfigured",
    "updater-broken",
];

const NAMES: [&str; 24] = [
    "libnvidia-compute-535",
    "libnvidia-compute-535:i386",
    "libnvidia-gl-535",
    "libnvidia-common-535",
    "libnvidia-ml1",
    "libcuda1",
    "libcuda1:i386",
    "libnvcuvid1",
    "libnvoptix1",
    "libnvsdm-535",
    "libegl-nvidia0",
    "libgl1-nvidia-glvnd-glx",
    "firmware-nvidia-gsp",
    "nvidia-driver-535",
    "nvidia-dkms-535",
    "nvidia-kernel-common-535",
    "nvidia-fabricmanager-535",
    "xserver-xorg-video-nvidia-535",
    "cuda-drivers",
    "cuda-drivers-535",
    "linux-modules-nvidia-535-generic",
    "linux-modules-nvidia-535-5.15.0-112-generic",
    "linux-objects-nvidia-535-5.15.0-112-generic",
    "linux-signatures-nvidia-5.15.0-112-generic",
];

/// Findings of the protection checks.
fn findings(host: &Host) -> Vec<String> {
    let run = |check: &crate::check::Check| match check.run {
        Run::Host(run) => host.check(run),
        Run::Fleet(_) => Vec::new(),
    };
    ALL.iter()
        .filter(|check| PROTECTION_CHECKS.contains(&check.id))
        .flat_map(run)
        .map(|finding| format!("{}: {}", finding.check, finding.message))
        .collect()
}

/// Applies the suggestion made for a host to it.
fn applied(host: &Host) -> Host {
    let derived = host.derived();
    let kernels = host.check(crate::check::exposure::kernels_to_freeze);
    let packages: Vec<&str> = derived.protection.packages.iter().map(|package| package.name.as_str()).collect();
    let wish = Wish { packages, kernels: kernels.iter().map(String::as_str).collect(), cleared_in: None };
    let snippet = snippet_for(&wish);
    let mut host = host.clone();
    host.blacklist(&snippet.patterns.iter().map(String::as_str).collect::<Vec<_>>());
    host.file(&snippet.file.path, &snippet.file.text, true);
    host
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn applied_to_its_host_it_leaves_nothing_to_say(
        chosen in proptest::sample::subsequence(NAMES.to_vec(), 1..NAMES.len()),
        kernel in any::<bool>(),
        headers in any::<bool>(),
        partly in any::<bool>(),
    ) {
        let mut host = Host::ubuntu(&chosen);
        if kernel {
            host.add("linux-image-generic", "5.15.0.112.112", "linux-image-5.15.0-112-generic", "");
            host.add("linux-generic", "5.15.0.112.112", "linux-image-generic (= 5.15.0.112.112)", "");
        }
        if headers {
            host.add("linux-headers-generic", "5.15.0.112.112", "", "");
        }
        if partly {
            host.blacklist(&["nvidia-"]);
        }
        let fixed = applied(&host);
        prop_assert_eq!(fixed.judge().0.level, Some(Level::Full));
        prop_assert_eq!(fixed.judge().1, vec![]);
        prop_assert_eq!(findings(&fixed), Vec::<String>::new());
    }
}

#[test]
fn an_ordinary_compute_node() {
    let mut host =
        Host::ubuntu(&["libnvidia-compute-535", "nvidia-kernel-common-535", "linux-modules-nvidia-535-generic"]);
    host.relate("nvidia-kernel-common-535", "nvidia-firmware-535-535.183.01", "");
    host.add("nvidia-firmware-535-535.183.01", OLD, "", "");
    host.add("linux-image-generic", "5.15.0.112.112", "", "");
    assert_eq!(findings(&host).len(), 1);
    let fixed = applied(&host);
    assert_eq!(findings(&fixed), [] as [&str; 0]);
    assert!(kernel_upgrades(&fixed.evidence).exposed.is_empty());
    assert_eq!(fixed.in_state(Protected::Exposed), [] as [&str; 0]);
    assert!(!Ground::survey(&fixed.evidence).bypassed());
}
