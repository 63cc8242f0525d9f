# The kernel log's lines about the NVIDIA module, newest 300.
probe_kernel_log() {
    run dmesg 0 48000 kernel_log_dmesg && return
    # Members of adm or systemd-journal may read the journal where the kernel's buffer is closed to them.
    if have journalctl && [ -d /var/log/journal ]; then
        run journal 0 48000 kernel_log_journal
    fi
    return 0
}

kernel_log_dmesg() {
    have dmesg || return 3
    { limited 10 dmesg 2>&1; printf 'rc %s\n' "$?"; } | kernel_log_filter
}

kernel_log_journal() {
    { limited 10 journalctl -q -k -b --no-pager -o short -n 20000 2>&1; printf 'rc %s\n' "$?"; } | kernel_log_filter
}

# Keeps the last 300 lines of interest; a failure's own words are kept as well.
kernel_log_filter() {
    awk '
        /^rc [0-9]+$/ { rc = substr($0, 4) + 0; next }
        /Operation not permitted|Permission denied|not seeing messages|insufficient permissions/ { closed = $0 }
        /NVRM|[nN]vidia|module is rejected|key is rejected|unsigned module|kernel_lockdown/ { kept[n++ % 300] = $0 }
        { lines++ }
        END {
            if (n == 0 && closed != "") { print closed; exit 4 }
            if (rc != 0) { exit rc }
            if (lines == 0) exit 4
            for (i = n > 300 ? n - 300 : 0; i < n; i++) print kept[i % 300]
        }'
}
