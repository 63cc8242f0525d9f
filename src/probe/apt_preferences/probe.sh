# apt's preferences: /etc/apt/preferences first, then its folder, as apt reads them.
probe_apt_preferences() {
    have apt-config || return 3
    apt_paths
    apt_pins_in "$apt_pins" "$apt_pin_parts"
}

apt_pins_in() {
    reach "$1"
    [ $? -eq 3 ] || show pins "$1" 65536
    reach_dir "$2"
    code=$?
    sec dir "$2"
    fin_code "$code"
    for file in "$2"/*; do
        [ ! -f "$file" ] || show pins "$file" 32768
    done
    return 0
}
