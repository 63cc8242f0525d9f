# dpkg's journal: the lines that say which package it installs, replaces or removes.
probe_dpkg_log() {
    # Later files win; dpkg.cfg is read last.
    dpkg_log=$(cat /etc/dpkg/dpkg.cfg.d/* /etc/dpkg/dpkg.cfg |
        sed -n 's/^[[:space:]]*log[[:space:]=]\{1,\}\(\/[^[:space:]]*\).*/\1/p' | tail -n 1)
    dpkg_log_of "${dpkg_log:-/var/log/dpkg.log}"
}

dpkg_log_of() {
    # shellcheck disable=SC2016
    log_sections "$1" '
        first == "" && /^[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9] / { first = substr($0, 1, 19) }
        / (install|upgrade|remove|purge) / {
            if (($3 == "install" || $3 == "upgrade" || $3 == "remove" || $3 == "purge") && $4 ~ names)
                put(substr($0, 1, 1000))
        }
        END { ship() }
    '
}
