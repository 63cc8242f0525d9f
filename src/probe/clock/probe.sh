# The clock in epoch seconds and the zone's name, which decides how the logs' local times are read.
probe_clock() {
    fact date "$(date '+%s %z')"
    if [ -L /etc/localtime ]; then
        fact localtime-link "$(readlink -f /etc/localtime)"
    elif [ -e /etc/localtime ]; then
        fact localtime-file /etc/localtime
    else
        fact localtime-missing /etc/localtime
    fi
    [ ! -e /etc/timezone ] || first timezone /etc/timezone
}
