# The distribution's reboot flag and the packages that raised it.
probe_reboot_required() {
    flag=/run/reboot-required
    [ -e "$flag" ] || flag=/var/run/reboot-required
    reach "$flag" || return
    show packages "$flag.pkgs" 32768 || return 0
}
