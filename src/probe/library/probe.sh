# The management library a new process would load, and the one of a GPU driver container. Links are followed,
# never globbed: files of a former installer lie beside the right one.
probe_library() {
    case $(uname -m) in
        x86_64) word=x86-64 triplet=x86_64-linux-gnu ;;
        aarch64) word=AArch64 triplet=aarch64-linux-gnu ;;
        ppc64le) word=64bit triplet=powerpc64le-linux-gnu ;;
        *) word=. triplet=none ;;
    esac
    # A 32-bit userland under a 64-bit kernel has its own native library.
    if have dpkg && [ -s /var/lib/dpkg/status ]; then
        case $(dpkg --print-architecture) in i386) word='(libc6)' triplet=i386-linux-gnu ;; esac
    fi
    sec cache
    if have ldconfig; then
        library_cache="$(limited 10 ldconfig -p)"
        code=$?
        printf '%s\n' "$library_cache" | grep -F 'libnvidia-ml.so.1 ' | grep -F "$word" | sed 's/.*=> //' | head -n 8 |
            while IFS= read -r path; do library_row "$path"; done
        fin_code "$code"
    else
        fin absent 127
    fi
    sec folders
    library_folders '' | while IFS= read -r folder; do library_row "$folder/libnvidia-ml.so.1"; done
    fin ok
    root=/run/nvidia/driver
    if [ -e "$root" ]; then
        sec container "$root"
        reach_dir "$root"
        code=$?
        [ "$code" -ne 0 ] || library_folders "$root" | while IFS= read -r folder; do
            library_row "$folder/libnvidia-ml.so.1" "$root"
        done
        fin_code "$code"
    fi
}

# Where the library is known to live, below a root.
library_folders() {
    for folder in "$1/usr/lib/$triplet" "$1/lib/$triplet" "$1/usr/lib/$triplet/nvidia/current" "$1/usr/lib64" \
        "$1/usr/lib64/nvidia" "$1/usr/lib/nvidia" "$1/usr/lib" "$1"/usr/lib/nvidia-[0-9]* "$1/usr/local/lib" \
        "$1/usr/local/nvidia/lib64" "$1/run/opengl-driver/lib" "$1/opt/nvidia/lib64" "$1/var/lib/nvidia/lib64" \
        "$1/home/kubernetes/bin/nvidia/lib64"; do
        [ ! -d "$folder" ] || printf '%s\n' "$folder"
    done
}

# One library: its link, the end of it and that file's change time; nothing when there is no such link.
library_row() {
    [ -e "$1" ] || [ -L "$1" ] || return 0
    if [ -z "${2:-}" ]; then
        target=$(readlink -f "$1")
    else
        # Absolute links inside a container's root start at that root.
        target=$1
        hops=0
        while [ -L "$target" ] && [ "$hops" -lt 8 ]; do
            link=$(readlink "$target")
            case $link in /*) target=$2$link ;; *) target=${target%/*}/$link ;; esac
            hops=$((hops + 1))
        done
    fi
    case $1$target in */compat/* | */stubs/*) return 0 ;; esac
    say "$(stat -c %Z "$target" || echo -) $1 -> $target"
}
