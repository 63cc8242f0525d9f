# The NVIDIA module in memory. A self-built module's line names who built it where; that stays on the host.
probe_module() {
    sec proc /proc/driver/nvidia/version
    reach /proc/driver/nvidia/version
    code=$?
    if [ "$code" -eq 0 ]; then
        sed -n -e 's/([^()]*@[^()]*)/(builder)/' -e '/^NVRM version:/p' /proc/driver/nvidia/version | quote || code=4
    fi
    fin_code "$code"
    first sys /sys/module/nvidia/version
    if [ -d /sys/module ]; then
        for name in nvidia nouveau nvidia_uvm nvidia_modeset nvidia_drm nvidia_peermem; do
            [ -d "/sys/module/$name" ] || continue
            line_of "/sys/module/$name/version" || line=
            fact in-sys "$name $line"
        done
        sec sys-modules
        fin ok
    else
        sec sys-modules
        fin absent 1
    fi
    if [ -d /sys/module/nvidia ]; then
        fact changed "$(stat -c %Z /sys/module/nvidia)"
    fi
    sec modules /proc/modules
    reach /proc/modules
    code=$?
    [ "$code" -ne 0 ] || grep -E '^(nvidia|nouveau)' /proc/modules | cut -d ' ' -f 1-4 | quote
    fin_code "$code"
}
