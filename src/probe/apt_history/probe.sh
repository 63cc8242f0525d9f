# apt's journal: the transactions that touch driver or kernel packages, that failed, or that have no end.
# Of their lists only the packages that matter are shipped (of a failed one also the first twenty).
probe_apt_history() {
    apt_paths
    apt_history_of "$apt_history"
}

apt_history_of() {
    # shellcheck disable=SC2016
    log_sections "$1" '
        /^Start-Date: / { stanza(); open = 1; if (first == "") first = substr($0, 13) }
        open { line[++count] = $0 }
        /^Error: / { odd = 1 }
        /^End-Date: / { ended = 1 }
        END { stanza(); ship() }
        function stanza(  i, text, item) {
            if (open) {
                if (!ended) odd = 1
                for (i = 1; i <= count; i++) {
                    if (line[i] !~ /^(Install|Reinstall|Upgrade|Downgrade|Remove|Purge): /) {
                        if (line[i] != "") text = text "\n" substr(line[i], 1, 2000)
                        continue
                    }
                    item = listed(line[i])
                    if (item != "") text = text "\n" item
                }
                if (found || odd) put(substr(text, 2))
            }
            open = count = odd = ended = found = 0
        }
        function listed(text,  colon, items, many, i, out, item) {
            if (!odd && text !~ loosely) return ""
            colon = index(text, ": ")
            many = split(substr(text, colon + 2), items, /\), /)
            for (i = 1; i <= many; i++) {
                item = items[i] (i < many ? ")" : "")
                if (items[i] ~ names) found = 1
                else if (!odd || i > 20) continue
                out = out ", " item
            }
            return out == "" ? "" : substr(text, 1, colon + 1) substr(out, 3)
        }
        BEGIN { loosely = names; gsub(/\^/, "", loosely) }
    '
}
