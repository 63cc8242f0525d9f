# apt's effective configuration, as far as it concerns automatic upgrades, and what apt says while reading it.
# The two outputs are asked for one by one: joined, apt prints its remarks into the middle of a line.
probe_apt_config() {
    have apt-config || return 3
    sec dump
    # shellcheck disable=SC2016
    {
        limited 10 apt-config dump
        printf '\n%s rc %s\n' "$marker" "$?"
    } | awk -v m="$marker rc " '
        index($0, m) == 1 { print; next }
        # A value may hold line ends.
        more { print; more = ($0 !~ /";$/ && ++lines < 20); next }
        tolower($1) ~ /^apt::periodic|nattend|blacklist|whitelist|nvidia|cuda|^dir::log|^apt::default-release|^apt::get::(upgrade-by-source-package|assume-yes)/ {
            print
            more = ($0 !~ /";$/)
            lines = 0
        }' | body 196608 command
    sec messages
    {
        limited 10 apt-config dump 2>&1 >/dev/null
        printf '\n%s rc %s\n' "$marker" "$?"
    } | body 32768 command
    return 0
}
