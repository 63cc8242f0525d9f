# DKMS's own table, read from its tree and printed as "dkms status" prints it. The command itself makes
# temporary files, also for status.
probe_dkms() {
    tree=
    for path in /etc/dkms/framework.conf /etc/dkms/framework.conf.d/*.conf; do
        [ ! -f "$path" ] || tree=$(sed -n 's/^[[:space:]]*dkms_tree=["'\'']*\([^"'\'']*\)["'\'']*.*/\1/p' "$path" | tail -n 1)
        [ -z "$tree" ] || break
    done
    tree=${tree:-/var/lib/dkms}
    if ! have dkms && [ ! -d "$tree" ]; then return 3; fi
    sec status "$tree"
    reach_dir "$tree"
    code=$?
    [ "$code" -ne 0 ] || dkms_rows | quote
    [ "$code" -ne 3 ] || code=0
    fin_code "$code"
}

dkms_rows() {
    for module in "$tree"/nvidia*; do
        for version in "$module"/*; do
            # kernel-K-A links beside the versions say which one is installed.
            if [ ! -d "$version" ] || [ -L "$version" ]; then continue; fi
            case ${version##*/} in original_module) continue ;; esac
            id=${module##*/}/${version##*/}
            if [ ! -d "$version/source" ]; then
                echo "$id: broken"
                continue
            fi
            rows=0
            for built in "$version"/*/*; do
                [ -d "$built/module" ] || continue
                rows=1
                arch=${built##*/}
                kernel=${built%/*}
                kernel=${kernel##*/}
                state=built
                if [ "$(readlink "$module/kernel-$kernel-$arch")" = "${version##*/}/$kernel/$arch" ]; then state=installed; fi
                [ ! -d "$module/original_module/$kernel/$arch" ] || state="$state (Original modules exist)"
                echo "$id, $kernel, $arch: $state"
            done
            [ "$rows" -eq 1 ] || echo "$id: added"
        done
    done
}
