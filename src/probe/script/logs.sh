
# Names that matter in a package log, as an extended regular expression for the start of a name or any of it.
log_names='nvidia|cuda|^libnv|^libxnvctrl|^(pve|proxmox)-(kernel|headers)|^linux-(image|headers|modules|objects|signatures|restricted|signed|generic|lowlatency|virtual|server|aws|azure|gcp|gke|oracle|oem|kvm|nvidia|hwe|ibm|raspi|realtime|intel)'

# A log and its rotated files, newest first, one a line: PATH. Rotated files end in a count or in a date; the
# newest 13 of either kind are listed.
log_files() {
    for file in "$1" "$1".[0-9]* "$1"-[0-9]*; do
        if [ -e "$file" ] || [ -L "$file" ]; then printf '%s\n' "$file"; fi
    done | awk -v base="$1" '
        {
            age = substr($0, length(base) + 1)
            sub(/\.(gz|xz|bz2|zst|lz4)$/, "", age)
            kind = 2
            if (age == "") kind = 0
            else if (age ~ /^\.[0-9]+$/ && length(age) < 5) kind = 1
            gsub(/[^0-9]/, "", age)
            print kind, (kind == 2 ? "-" : "") age + 0, $0
        }' | sort -k1,1n -k2,2n | awk '++seen[$1] <= 13 { sub(/^[^ ]* [^ ]* /, ""); print }'
}

# A log file as it was before it was compressed: PATH. A huge one is read from its end.
log_open() {
    case $1 in
        *.gz) gzip -dc <"$1" ;;
        *.xz) xz -dc <"$1" ;;
        *.bz2) bzip2 -dc <"$1" ;;
        *.zst) zstd -dcq <"$1" ;;
        *.lz4) lz4 -dcq <"$1" ;;
        *) tail -c 67108864 <"$1" ;;
    esac
}

# A package log as sections `log FILE`, newest file first: PATH PROGRAM. The awk PROGRAM calls put(text) for
# what is worth shipping and sets `first` to the first stamp. Each section begins with what was noted:
# `#dropped N` (the N oldest were over the limit), `#cut` (the file could not be read to its end), `#first STAMP`.
log_sections() {
    log_list=
    reach_dir "${1%/*}" || {
        code=$?
        sec dir "${1%/*}"
        fin_code "$code"
        # In a folder that may be searched but not listed the newest file can still be opened by its name.
        [ -r "$1" ] || return "$code"
        log_list=$1
    }
    [ -n "$log_list" ] || log_list=$(log_files "$1")
    [ -n "$log_list" ] || return 3
    log_room=600000
    log_newest=1
    printf '%s\n' "$log_list" | while IFS= read -r log_file; do
        sec log "$log_file"
        reach "$log_file" || {
            fin_code $?
            continue
        }
        log_text=$({ log_open "$log_file" || printf '\n#cut\n'; } | head -c 536870912 | tr -d '\000\r' |
            awk -v room="$log_room" -v newest="$log_newest" -v names="$log_names" '
                BEGIN { head = 1 }
                function put(text) {
                    kept[++last] = text
                    bytes += length(text) + 1
                    while (bytes > room || last - head > 4999) {
                        bytes -= length(kept[head]) + 1
                        delete kept[head++]
                        dropped++
                    }
                }
                function ship() {
                    if (dropped) print "#dropped " dropped
                    if (cut) print "#cut"
                    if (first != "") print "#first " first
                    for (; head <= last; head++) print kept[head]
                }
                $0 == "#cut" { cut = 1; next }
                '"$2")
        [ -z "$log_text" ] || {
            printf '%s\n' "$log_text" | quote
            log_newest=0
        }
        log_room=$((log_room - ${#log_text}))
        case $log_text in
            '#dropped '*)
                fin truncated 0
                break
                ;;
            *) fin ok 0 ;;
        esac
    done
    return 0
}
