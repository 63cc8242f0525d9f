# The machine, the distribution and the login user.
probe_system() {
    fact uname "$(uname -snm)"
    fact id "$(id)"
    if [ -e /etc/os-release ]; then show os-release /etc/os-release 8192; else show os-release /usr/lib/os-release 8192; fi
    manager=other
    if have dpkg-query && [ -s /var/lib/dpkg/status ]; then
        manager=dpkg
        fact dpkg-arch "$(dpkg --print-architecture)"
    elif have rpm && { [ -d /var/lib/rpm ] || [ -d /usr/lib/sysimage/rpm ]; }; then
        manager=rpm
    fi
    fact package-manager "$manager"
    first proc-version /proc/version
    for path in /dev/dxg /proc/sys/fs/binfmt_misc/WSLInterop /.dockerenv /run/.containerenv /run/host/container-manager \
        /proc/vz /var/lib/dpkg/info/nvidia-l4t-core.list; do
        [ ! -e "$path" ] || fact exists "$path"
    done
    # OpenVZ hosts have /proc/bc beside /proc/vz, guests do not.
    [ ! -e /proc/bc ] || fact exists /proc/bc
    [ ! -e /run/systemd/container ] || first container /run/systemd/container
    # The first process namespace of a kernel has a fixed number: a machine installed from a container image can
    # carry /.dockerenv and is none.
    fact pid-namespace "$(readlink /proc/self/ns/pid)"
    ! have systemd-detect-virt || run detect-virt 5 256 systemd-detect-virt --container
    if [ -r /proc/1/environ ]; then
        sec pid1-container /proc/1/environ
        tr '\0' '\n' </proc/1/environ | grep '^container=' | quote
        fin ok
    fi
    [ ! -e /etc/nv_tegra_release ] || first tegra-release /etc/nv_tegra_release
    if [ -e /proc/device-tree/compatible ]; then
        sec device-tree /proc/device-tree/compatible
        tr '\0' '\n' </proc/device-tree/compatible | quote
        fin ok
    fi
}
