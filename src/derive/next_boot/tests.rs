use super::*;
use crate::check::Severity;
use crate::derive::fixture::{Fixture, NEW, OLD, RUNNING, kernel, library_file};
use crate::probe::dkms::{Dkms, DkmsRow};
use crate::probe::kernels::{Kernel, ModuleFile};
use crate::probe::library::Libraries;
use crate::reading::Reason;

const NEXT: &str = "5.15.0-113-generic";

fn next(fixture: &Fixture) -> NextBoot {
    fixture.derived().0.next_boot
}

fn severities(fixture: &Fixture) -> Vec<Severity> {
    fixture.check("reboot-loses-driver").into_iter().map(|finding| finding.severity).collect()
}

fn two(module: Option<&str>) -> Fixture {
    Fixture::healthy().kernels(vec![kernel(RUNNING, Some(OLD)), kernel(NEXT, module)])
}

fn grub(fixture: Fixture, default: &str, saved: Option<&str>) -> Fixture {
    fixture.with(|evidence| {
        if let Reading::Known(kernels) = &mut evidence.kernels {
            kernels.grub_default = Some(default.to_owned());
            kernels.saved_entry = saved.map(str::to_owned);
        }
    })
}

fn unread(release: &str) -> Kernel {
    let module = Reading::<ModuleFile>::unread(Reason::PermissionDenied, "modinfo");
    Kernel { release: release.to_owned(), image: true, module }
}

#[test]
fn a_newer_kernel_without_module_loses_the_driver() {
    let fixture = two(None);
    let next = next(&fixture);
    assert_eq!((next.kernel.as_deref(), next.certain, next.agrees), (Some(NEXT), true, Some(false)));
    assert_eq!((next.module_version, next.source), (Reading::Absent, ModuleSource::None));
    assert_eq!(next.sentence, format!("a reboot will lose the driver, because kernel {NEXT} has no NVIDIA module"));
    assert_eq!(severities(&fixture), [Severity::Critical]);
}

#[test]
fn a_newer_kernel_with_the_module_is_fine() {
    let fixture = two(Some(OLD));
    assert_eq!((next(&fixture).agrees, next(&fixture).source), (Some(true), ModuleSource::Dkms));
    assert_eq!(severities(&fixture), []);
}

#[test]
fn half_upgraded_hosts_learn_whether_a_reboot_cures() {
    let cured = next(&Fixture::half_upgraded());
    assert_eq!(
        cured.sentence,
        format!("a reboot will cure it: kernel {RUNNING} has module {NEW}, the library's version")
    );
    let stale = Fixture::half_upgraded().modules(OLD);
    assert_eq!(
        next(&stale).sentence,
        format!("a reboot will not cure it, because kernel {RUNNING} has module {OLD} and the library is {NEW}")
    );
    assert_eq!(stale.check("half-upgraded")[0].details["reboot_cures"], false);
    assert_eq!(severities(&stale), [Severity::Critical]);
    assert!(stale.check("half-upgraded")[0].fix.contains(&format!("sudo dkms autoinstall -k {RUNNING}")));
}

#[test]
fn an_old_image_survived_a_reboot_so_another_proves_nothing() {
    let mut fixture = Fixture::half_upgraded();
    if let Reading::Known(history) = &mut fixture.evidence.apt_history {
        history.stanzas[0].start = "2026-11-10T06:12:04".parse().unwrap();
        history.stanzas[0].end = "2026-11-10T06:13:04".parse().ok();
    }
    let finding = &fixture.check("driver-mismatch")[0];
    assert_eq!((&finding.details["cause"], &finding.details["reboot_cures"]), (&"survived-reboot".into(), &().into()));
    assert!(finding.message.contains("initramfs"), "{}", finding.message);
}

#[test]
fn a_guess_is_a_warning_only_if_some_newer_kernel_has_the_module() {
    // Rule 15.
    let saved = "gnulinux-5.15.0-113-generic-advanced-0a1b";
    let third = "5.15.0-114-generic";
    let with_way_out =
        Fixture::healthy().kernels(vec![kernel(RUNNING, Some(OLD)), kernel(NEXT, None), kernel(third, Some(OLD))]);
    assert_eq!(severities(&grub(with_way_out, "saved", Some(saved))), [Severity::Warning]);
    assert_eq!(severities(&grub(two(None), "saved", Some(saved))), [Severity::Critical]);
    // The saved entry keeps the kernel that has the module.
    let kept = grub(two(None), "saved", Some("gnulinux-5.15.0-112-generic-advanced-0a1b"));
    assert_eq!((next(&kept).kernel.as_deref(), next(&kept).certain), (Some(RUNNING), false));
    assert_eq!(severities(&kept), []);
}

#[test]
fn another_flavour_without_module_loses_the_driver() {
    let fixture = Fixture::healthy().kernels(vec![kernel(RUNNING, Some(OLD)), kernel("5.15.0-113-lowlatency", None)]);
    assert!(!next(&fixture).certain);
    assert!(next(&fixture).doubt.unwrap().contains("generic, lowlatency"));
    assert_eq!(severities(&fixture), [Severity::Critical]);
}

#[test]
fn no_local_kernel_is_no_finding() {
    let fixture = two(None).with(|evidence| {
        if let Reading::Known(kernels) = &mut evidence.kernels {
            kernels.no_local_images = true;
        }
    });
    let next = next(&fixture);
    assert_eq!((next.kernel, next.agrees, next.source), (None, None, ModuleSource::Unknown));
    assert_eq!(next.sentence, "");
    assert_eq!(severities(&fixture), []);
    let broken = Fixture::half_upgraded().with(|evidence| {
        if let Reading::Known(kernels) = &mut evidence.kernels {
            kernels.no_local_images = true;
        }
    });
    let finding = &broken.check("half-upgraded")[0];
    assert_eq!(finding.details["reboot_cures"], serde_json::Value::Null);
    let end =
        format!("no kernel image is to be seen in /boot; the module file of the running kernel {RUNNING} has {NEW}");
    assert!(finding.message.ends_with(&end), "{}", finding.message);
}

#[test]
fn dkms_answers_when_modinfo_does_not() {
    let row = |status: &str, remarks: &[&str]| DkmsRow {
        module: "nvidia".into(),
        version: OLD.into(),
        kernel: Some(NEXT.into()),
        status: status.into(),
        remarks: remarks.iter().map(|remark| (*remark).to_owned()).collect(),
    };
    for (row, want) in [
        (row("installed", &[]), Some(true)),
        (row("built", &[]), None),
        (row("added", &[]), None),
        (row("installed", &["WARNING! Missing some built modules!"]), None),
    ] {
        let status = row.status.clone();
        let fixture = Fixture::healthy().kernels(vec![kernel(RUNNING, Some(OLD)), unread(NEXT)]).with(|evidence| {
            evidence.dkms = Reading::Known(Dkms { rows: vec![row], errors: vec![] });
        });
        assert_eq!(next(&fixture).agrees, want, "{status}");
        assert_eq!(severities(&fixture), [], "{status}");
    }
}

#[test]
fn prebuilt_modules_are_told_by_their_path() {
    let mut prebuilt = kernel(NEXT, Some(OLD));
    if let Reading::Known(file) = &mut prebuilt.module {
        file.path = format!("/lib/modules/{NEXT}/kernel/nvidia-535/nvidia.ko.zst");
    }
    assert_eq!(next(&Fixture::healthy().kernels(vec![prebuilt])).source, ModuleSource::Prebuilt);
}

#[test]
fn containers_and_driver_containers_are_not_judged() {
    // Rules 10 and 11.
    let guest = two(None).with(|evidence| {
        if let Reading::Known(system) = &mut evidence.system {
            system.platform = Platform::Container("docker".into());
        }
    });
    assert_eq!(next(&guest).kernel, None);
    assert_eq!(severities(&guest), []);
    let operator = two(None).with(|evidence| {
        evidence.packages = Reading::Known(crate::probe::packages::Packages::default());
        evidence.library =
            Reading::Known(Libraries { host: Reading::Absent, container: Reading::Known(library_file(OLD)) });
    });
    assert_eq!((next(&operator).kernel.as_deref(), next(&operator).agrees), (Some(NEXT), None));
    assert_eq!(severities(&operator), []);
}
