# Lines that keep a module out: file, tab, line. A file of the same name in an earlier folder hides a later one.
probe_modprobe() {
    seen=' '
    set --
    denied=
    for folder in /etc/modprobe.d /run/modprobe.d /usr/local/lib/modprobe.d /usr/lib/modprobe.d /lib/modprobe.d; do
        for path in "$folder"/*.conf; do
            name=${path##*/}
            case $seen in *" $name "*) continue ;; esac
            [ -e "$path" ] || continue
            seen="$seen$name "
            reach "$path" && set -- "$@" "$path"
            [ "$?" -ne 4 ] || denied="$denied $path"
        done
    done
    sec conf
    [ $# -eq 0 ] || awk '
        $1 ~ /^(blacklist|install|alias)$/ && $2 ~ /^(nvidia|nvidia[-_]current|nouveau)$/ { print "|" FILENAME "\t" $0 }
        ' "$@"
    fin ok
    if [ -n "$denied" ]; then
        sec conf-denied
        say "$denied"
        fin denied 1
    fi
    first cmdline /proc/cmdline
}
