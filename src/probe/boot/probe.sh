# When the kernel was booted.
probe_boot() {
    sec stat /proc/stat
    sed -n '/^btime /{p;q;}' /proc/stat | quote
    fin ok
    first uptime /proc/uptime
    run uptime-since 5 256 uptime -s
}
