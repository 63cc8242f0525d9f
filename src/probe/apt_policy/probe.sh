# apt's sources, and the versions it knows of each installed package that matters.
probe_apt_policy() {
    have apt-cache || return 3
    apt_paths
    package_lists "$apt_lists"
    # apt rewrites its caches when it may: then it is told to have none. Who may not write uses them as they are.
    set -- apt-cache
    if [ ! -d "$apt_caches" ] || [ -w "$apt_caches" ]; then
        set -- apt-cache -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=
    fi
    # shellcheck disable=SC2016
    names=$(limited 20 dpkg-query -W -f='${db:Status-Abbrev} ${binary:Package}\n' | awk -v names="$log_names" '
        $1 ~ /^.[iUFHWt]/ && $2 ~ names { if ($2 ~ /^linux-/) later[++n] = $2; else if (++m <= 300) print $2 }
        END { for (i = 1; i <= n && i <= 200; i++) print later[i] }')
    # Without caches either question takes a second: both are asked at once, each line tagged with its question.
    {
        if [ -n "$names" ]; then
            # shellcheck disable=SC2086
            policy packages "$@" policy -- $names | awk '{ print 2 $0; fflush() }' &
        fi
        policy sources "$@" policy | awk '{ print 1 $0; fflush() }'
        wait
    } | awk '
        /^1/ { print substr($0, 2); next }
        { later[++n] = substr($0, 2) }
        END { for (i = 1; i <= n; i++) print later[i] }'
    return 0
}

# How many package lists apt has, and the newest one's time: FOLDER.
package_lists() {
    reach_dir "$1"
    code=$?
    sec lists "$1"
    [ "$code" -ne 0 ] || stat -L -c %Y "$1"/*_Packages* |
        awk '{ if ($1 > newest) newest = $1 } END { print "|" NR + 0, newest + 0 }'
    fin_code "$code"
}

# apt's own output as a section, and its complaints as another one when it fails: NAME COMMAND...
policy() {
    part=$1
    shift
    sec "$part"
    {
        limited 30 "$@"
        printf '\n%s rc %s\n' "$marker" "$?"
    } | body 300000 command && return 0
    sec messages
    limited 30 "$@" 2>&1 >/dev/null | tail -n 20 | quote
    fin ok 0
}
