# Kernels on disk and the NVIDIA module each would load.
probe_kernels() {
    running=$(uname -r)
    fact running "$running"
    sec images /boot
    reach_dir /boot
    code=$?
    [ "$code" -ne 0 ] || kernel_images | quote
    fin_code "$code"
    sec folders /lib/modules
    kernel_folders | quote
    fin ok
    { kernel_images; kernel_folders; } | { sort -u -V || sort -u; } | tail -n 8 | { cat; printf '%s\n' "$running"; } | awk '!seen[$0]++' |
        while IFS= read -r release; do kernel_module "$release"; done
    sec grub-default
    for path in /etc/default/grub /etc/default/grub.d/*.cfg; do
        [ ! -f "$path" ] || sed -n "s|^[[:space:]]*GRUB_DEFAULT=|GRUB_DEFAULT=|p" "$path"
    done | quote
    fin ok
    for path in /boot/grub/grubenv /boot/grub2/grubenv; do
        reach "$path"
        code=$?
        [ "$code" -ne 3 ] || continue
        sec grubenv "$path"
        [ "$code" -ne 0 ] || sed -n -e '/^saved_entry=/p' -e '/^next_entry=/p' "$path" | quote
        fin_code "$code"
    done
}

kernel_images() {
    for path in /boot/vmlinuz-* /boot/vmlinux-* /boot/kernel-*; do
        case $path in *'*' | *.old | *.bak | *.dpkg-* | *rescue*) continue ;; esac
        [ ! -e "$path" ] || printf '%s\n' "${path#/boot/*-}"
    done
}

kernel_folders() {
    for path in /lib/modules/* /run/booted-system/kernel-modules/lib/modules/*; do
        [ ! -d "$path" ] || printf '%s\n' "${path##*/}"
    done
}

# The module of one kernel. modules.dep tells whether there is one, and its name: modinfo reports "not found"
# and every other trouble alike.
kernel_module() {
    sec module "$1"
    base=
    [ -d "/lib/modules/$1" ] || base=/run/booted-system/kernel-modules
    if [ ! -d "$base/lib/modules/$1" ]; then
        fin absent 1
        return
    fi
    reach "$base/lib/modules/$1/modules.dep" || { fin_code $?; return; }
    found=$(sed -n 's|^\(\([^:]*/\)*\(nvidia[^/:]*\)\.ko[.a-z0-9]*\):.*|\3 \1|p' "$base/lib/modules/$1/modules.dep" | awk '
        $1 ~ /[-_](uvm|modeset|drm|peermem|fs|cspmu|wmi|wmi-ec-backlight|ffa.*|vgpu-vfio)$/ || $1 ~ /^nvidiafb/ { next }
        { rank = 3 }
        $1 == "nvidia-current" { rank = 2 }
        $1 == "nvidia" { rank = 1 }
        !best || rank < best { best = rank; row = $0 }
        END { print row }')
    name=${found%% *}
    file=${found#* }
    case $file in /*) ;; *) file=$base/lib/modules/$1/$file ;; esac
    # A table that was not rebuilt can name a file that is gone.
    if [ -z "$name" ] || [ ! -e "$file" ]; then
        fin absent 1
    elif ! have modinfo; then
        fin failed 127
    else
        say "name: $name"
        { limited 10 modinfo ${base:+-b "$base"} -k "$1" "$name"; printf 'rc: %s\n' "$?"; } |
            awk '/^(filename|version|srcversion):/ { print "|" $0 } /^rc: / { rc = $2 } END { print "-" (rc ? "failed" : "ok") " " rc + 0 }'
    fi
}
