# The names of apt's configuration files, and the texts of those that speak of what we look for.
probe_apt_files() {
    have apt-config || return 3
    apt_paths
    apt_files_in "$apt_parts" "$apt_main"
}

apt_files_in() {
    reach_dir "$1"
    code=$?
    sec dir "$1"
    fin_code "$code"
    file_room=65536
    for file in "$1"/* "$1"/.[!.]* "$2"; do
        [ -f "$file" ] || continue
        if [ ! -r "$file" ]; then
            sec file "$file"
            fin denied 1
        elif grep -qiE 'nvidia|cuda|blacklist|whitelist|unattended|periodic' <"$file"; then
            size=$(($(wc -c <"$file") + 0))
            [ "$size" -le 16384 ] || size=16384
            file_room=$((file_room - size))
            if [ "$file_room" -ge 0 ]; then
                show file "$file" 16384
            else
                sec file "$file"
                fin truncated 0
            fi
        else
            sec name "$file"
            fin ok 0
        fi
    done
    return 0
}
