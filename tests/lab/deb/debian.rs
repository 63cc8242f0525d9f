//! Debian's own driver packages: names without a branch, alternatives, a module called nvidia-current.

use super::package::{Content, Package};

/// Debian's driver set at one version, for example `("535.183.01", "1~deb12u1")`.
pub fn driver(upstream: &str, revision: &str) -> Vec<Package> {
    let v = format!("{upstream}-{revision}");
    let folder = "usr/lib/x86_64-linux-gnu/nvidia/current";
    let new = |name: &str| Package::new(name, &v).source("nvidia-graphics-drivers");
    let exact = |name: &str| format!("{name} (= {v})");
    vec![
        new("nvidia-alternative").script(
            "postinst",
            "#!/bin/sh\nset -e\n[ \"$1\" = configure ] || [ \"$1\" = triggered ] || exit 0\n\
             cd /usr/lib/x86_64-linux-gnu\n\
             for library in libnvidia-ml.so.1 libcuda.so.1; do\n\
             \x20   [ -e nvidia/current/$library ] || continue\n\
             \x20   update-alternatives --install /usr/lib/x86_64-linux-gnu/$library nvidia--$library-x86_64-linux-gnu \\\n\
             \x20       /usr/lib/x86_64-linux-gnu/nvidia/current/$library 535 >/dev/null\n\
             done\nldconfig\n",
        )
        .script("triggers", "interest-noawait /usr/lib/x86_64-linux-gnu/nvidia/current\n"),
        new("libnvidia-ml1")
            .depends(exact("nvidia-alternative"))
            .field("Multi-Arch", "same")
            .library(folder, "libnvidia-ml", upstream),
        new("libcuda1")
            .depends(format!("{}, {}", exact("nvidia-alternative"), exact("libnvidia-ptxjitcompiler1")))
            .field("Multi-Arch", "same")
            .library(folder, "libcuda", upstream),
        new("libnvidia-ptxjitcompiler1").depends(exact("nvidia-alternative")),
        new("libnvidia-cfg1").depends(exact("nvidia-alternative")),
        new("nvidia-smi")
            .depends(exact("libnvidia-ml1"))
            .program("usr/bin/nvidia-smi", include_str!("nvidia-smi.sh").replace("@VERSION@", upstream)),
        new("nvidia-driver-bin").depends(exact("nvidia-alternative")),
        new("nvidia-driver-libs").depends(format!("{}, {}", exact("libcuda1"), exact("libnvidia-cfg1"))),
        new("nvidia-kernel-support").depends(format!("{}, {}", exact("nvidia-alternative"), exact("firmware-nvidia-gsp"))),
        new("firmware-nvidia-gsp").text(format!("lib/firmware/nvidia/{upstream}/gsp_ga10x.bin"), "gsp\n"),
        dkms(upstream, &v),
        new("nvidia-driver").depends(format!(
            "{}, {}, {}, {}",
            exact("nvidia-driver-libs"),
            exact("nvidia-driver-bin"),
            exact("nvidia-smi"),
            exact("nvidia-kernel-dkms")
        )),
        // Versions of their own.
        Package::new("nvidia-persistenced", "535.171.04-1~deb12u1")
            .source("nvidia-persistenced")
            .program("usr/bin/nvidia-persistenced", "#!/bin/sh\nexit 1\n"),
        Package::new("nvidia-modprobe", "535.161.07-1~deb12u1").source("nvidia-modprobe"),
    ]
}

fn dkms(upstream: &str, version: &str) -> Package {
    let folder = format!("usr/src/nvidia-current-{upstream}");
    let conf = format!(
        "PACKAGE_NAME=\"nvidia-current\"\nPACKAGE_VERSION=\"{upstream}\"\nAUTOINSTALL=\"yes\"\n\
         MAKE[0]=\"cp ready/nvidia.ko nvidia.ko\"\nCLEAN=\"true\"\n\
         BUILT_MODULE_NAME[0]=\"nvidia\"\nDEST_MODULE_NAME[0]=\"nvidia-current\"\nDEST_MODULE_LOCATION[0]=\"/updates/dkms\"\n"
    );
    Package::new("nvidia-kernel-dkms", version)
        .source("nvidia-graphics-drivers")
        .depends(format!("dkms, nvidia-kernel-support (= {version})"))
        .text(format!("{folder}/dkms.conf"), conf)
        .file(
            format!("{folder}/ready/nvidia.ko"),
            Content::Module {
                name: "nvidia".into(),
                version: upstream.into(),
                license: "NVIDIA".into(),
                kernel: "any".into(),
            },
        )
        .script(
            "postinst",
            format!(
                "#!/bin/sh\nset -e\n[ \"$1\" = configure ] || exit 0\n\
                 dkms add -m nvidia-current -v {upstream} >/dev/null 2>&1 || true\n\
                 for build in /lib/modules/*/build; do\n    [ -e \"$build/include\" ] || continue\n\
                 \x20   k=${{build%/build}}\n    k=${{k##*/}}\n\
                 \x20   dkms build -m nvidia-current -v {upstream} -k \"$k\" >/dev/null\n\
                 \x20   dkms install --force -m nvidia-current -v {upstream} -k \"$k\" >/dev/null\ndone\n"
            ),
        )
        .script(
            "prerm",
            format!("#!/bin/sh\nset -e\ndkms remove -m nvidia-current -v {upstream} --all >/dev/null 2>&1 || true\n"),
        )
}
