//! Kernels and the modules built for them.

use super::package::{Content, Package};

/// A kernel image, its modules folder, and (for dkms) its headers.
pub fn kernel(release: &str, headers: bool) -> Vec<Package> {
    // 5.15.0-106-generic is built from package version 5.15.0-106.116.
    let (base, rest) = release.split_once('-').expect("a kernel release has a dash");
    let (abi, _flavour) = rest.split_once('-').expect("and a flavour");
    let version = format!("{base}-{abi}.{}", abi.parse::<u32>().expect("a number") + 10);
    let hooks = |kind: &str| {
        format!(
            "#!/bin/sh\nset -e\n[ \"$1\" = configure ] || exit 0\ndepmod {release}\n\
             if [ -d /etc/kernel/{kind}.d ]; then run-parts --arg={release} /etc/kernel/{kind}.d; fi\n"
        )
    };
    let mut packages = vec![
        Package::new(format!("linux-image-{release}"), &version)
            .text(format!("boot/vmlinuz-{release}"), "kernel\n")
            .text(format!("boot/config-{release}"), "CONFIG_MODULES=y\n")
            .text(format!("boot/initrd.img-{release}"), "initrd\n")
            .text(format!("lib/modules/{release}/modules.order"), "kernel/drivers/net/dummy.ko\n")
            .text(format!("lib/modules/{release}/modules.builtin"), "kernel/fs/ext4/ext4.ko\n")
            .file(
                format!("lib/modules/{release}/kernel/drivers/net/dummy.ko"),
                Content::Module {
                    name: "dummy".into(),
                    version: "1".into(),
                    license: "GPL".into(),
                    kernel: release.into(),
                },
            )
            .script("postinst", hooks("postinst")),
    ];
    if headers {
        packages.push(
            Package::new(format!("linux-headers-{release}"), &version)
                .text(format!("usr/src/linux-headers-{release}/Makefile"), "all:\n")
                .text(format!("usr/src/linux-headers-{release}/.config"), "CONFIG_MODULES=y\n")
                .text(format!("usr/src/linux-headers-{release}/include/linux/version.h"), "\n")
                .file(
                    format!("lib/modules/{release}/build"),
                    Content::Link(format!("/usr/src/linux-headers-{release}")),
                )
                .script("postinst", hooks("header_postinst")),
        );
    }
    packages
}

/// The metapackages that pull a newer kernel in: `linux-generic` and what it depends on.
pub fn meta(release: &str, headers: bool) -> Vec<Package> {
    let (base, rest) = release.split_once('-').expect("a kernel release has a dash");
    let (abi, flavour) = rest.split_once('-').expect("and a flavour");
    let version = format!("{base}.{abi}.{abi}");
    let mut packages =
        vec![Package::new(format!("linux-image-{flavour}"), &version).depends(format!("linux-image-{release}"))];
    if headers {
        packages.push(
            Package::new(format!("linux-headers-{flavour}"), &version).depends(format!("linux-headers-{release}")),
        );
        packages.push(
            Package::new(format!("linux-{flavour}"), &version)
                .depends(format!("linux-image-{flavour} (= {version}), linux-headers-{flavour} (= {version})")),
        );
    }
    packages
}
