# Automatic upgraders: apt's own, those of rpm hosts, and whatever cron or a timer starts; and whether packages
# are being changed right now.
probe_updater() {
    for path in /usr/bin/unattended-upgrade /usr/bin/unattended-upgrades; do
        [ ! -e "$path" ] || fact program "$path"
    done
    set -- apt-daily-upgrade.timer apt-daily-upgrade.service unattended-upgrades.service
    for unit in dnf-automatic.timer dnf-automatic-install.timer dnf5-automatic.timer yum-cron.service; do
        ! unit_file "$unit" || set -- "$@" "$unit"
    done
    if [ -d /run/systemd/system ] || unit_file apt-daily-upgrade.timer || [ $# -gt 3 ]; then units "$@"; fi
    if [ -x /etc/cron.daily/apt-compat ]; then
        for program in cron crond anacron; do ! have "$program" || fact cron-daily "$program"; done
    fi
    updater_schedulers
    updater_running
    updater_lock
    for path in /var/lib/apt/periodic/unattended-upgrades-stamp /var/lib/apt/periodic/upgrade-stamp; do
        [ ! -e "$path" ] || fact stamp "$(stat -c %Y "$path") $path"
    done
    show kept-back /var/lib/unattended-upgrades/kept-back 16384
    return 0
}

# Lines of cron files and of services with an enabled timer that upgrade packages by themselves.
updater_schedulers() {
    set --
    denied=
    for path in /etc/crontab /etc/anacrontab /etc/cron.d/* /etc/cron.hourly/* /etc/cron.daily/* /etc/cron.weekly/* \
        /etc/cron.monthly/* /var/spool/cron/crontabs/* /var/spool/cron/*; do
        case ${path##*/} in apt-compat | apt | dpkg | *.dpkg-* | .placeholder) continue ;; esac
        reach "$path"
        case $? in 0) set -- "$@" "$path" ;; 4) denied="$denied $path" ;; esac
    done
    for timer in /etc/systemd/system/*.wants/*.timer; do
        [ -e "$timer" ] || continue
        name=${timer##*/}
        name=${name%.timer}
        case $name in apt-daily | apt-daily-upgrade | dnf-* | dnf5-* | unattended-upgrades) continue ;; esac
        unit=$(sed -n 's/^[[:space:]]*Unit=[[:space:]]*//p' "$timer" | tail -n 1)
        unit=${unit:-$name.service}
        for folder in /etc/systemd/system /run/systemd/system /usr/local/lib/systemd/system /usr/lib/systemd/system /lib/systemd/system; do
            reach "$folder/$unit" || continue
            set -- "$@" "$folder/$unit"
            break
        done
    done
    # Scripts of one's own that those files call, one step deep.
    if [ $# -gt 0 ]; then
        for path in $(updater_called "$@" | sort -u | head -n 20); do ! reach "$path" || set -- "$@" "$path"; done
    fi
    sec schedulers
    [ $# -eq 0 ] || awk '
        FNR == 1 { held = "" }
        /^[ \t]*#/ { next }
        { $0 = held $0; held = "" }
        /\\$/ { held = substr($0, 1, length($0) - 1); next }
        FILENAME ~ /\.service$/ && !/^[ \t]*Exec/ { next }
        /(^|[^A-Za-z0-9_.-])(apt|apt-get|aptitude|nala)[ \t].*upgrade([^A-Za-z]|$)/ ||
        /(^|[ \t;&|(="]|bin\/)unattended-upgrades?([ \t;&|)"]|$)/ ||
        /(^|[^A-Za-z0-9_.-])(dnf|yum|microdnf|zypper|pkcon)[ \t].*(update|upgrade)([^A-Za-z]|$)/ {
            if (++n <= 50) print "|" FILENAME "\t" substr($0, 1, 500)
        }' "$@"
    fin ok
    [ -z "$denied" ] || fact schedulers-denied "$denied"
}

# Paths of scripts outside the distribution's folders that files name as commands: FILE...
updater_called() {
    awk '
        /^[ \t]*#/ || (FILENAME ~ /\.service$/ && !/^[ \t]*Exec/) { next }
        {
            gsub(/[";&|()=@]/, " ")
            for (i = 1; i <= NF; i++) sub(/^[-+!:]+/, "", $i)
            for (i = 1; i <= NF; i++) if ($i ~ /^\/(usr\/local|opt|root|srv|home|etc)\/[A-Za-z0-9._\/-]+$/) print $i
        }' "$@" | while IFS= read -r path; do
        reach "$path" && [ -x "$path" ] && [ "$(head -c 2 "$path")" = '#!' ] && printf '%s\n' "$path"
    done
}

# Processes that may be changing packages: name, whether it is in our own namespace, command line.
updater_running() {
    sec processes
    own=$(readlink /proc/self/ns/mnt)
    grep -l -E '^(apt|apt-get|aptitude|dpkg|unattended-upgr|apt\.systemd\.dai|aptd|nala|python3.*|rpm|dnf|dnf5|yum|zypper)$' /proc/[0-9]*/comm |
        while IFS= read -r path; do
            process=${path%/comm}
            line_of "$path" || continue
            name=$line
            arguments=$(tr '\0\n' '  ' <"$process/cmdline")
            # A process that has ended has no command line any more.
            [ -n "$arguments" ] || continue
            case $name in
                python3*) case $arguments in *unattended-upgrade*) ;; *) continue ;; esac ;;
            esac
            space=$(readlink "$process/ns/mnt")
            if [ -n "$space" ]; then
                where=here
                [ "$space" = "$own" ] || where=elsewhere
            else
                # Another user's process: a second number in NSpid means a container's.
                where=$(sed -n 's/^NSpid:[[:space:]]*//p' "$process/status" | awk 'NF > 1 { print "elsewhere" } NF == 1 { print "here" }')
                grep -q -E 'docker|kubepods|lxc|libpod|containerd|machine\.slice' "$process/cgroup" && where=elsewhere
            fi
            say "$name ${where:-here} $(printf '%.300s' "$arguments")"
        done
    fin ok
}

# Who holds dpkg's locks, by device and inode.
updater_lock() {
    [ -r /proc/locks ] || return 0
    sec locks
    for path in /var/lib/dpkg/lock-frontend /var/lib/dpkg/lock; do
        [ ! -e "$path" ] || stat -c '%d %i' "$path"
    done | while read -r device inode; do
        id=$(printf '%02x:%02x:%s' "$((device >> 8 & 4095))" "$((device & 255 | device >> 12 & 1048320))" "$inode")
        awk -v id="$id" '$6 == id { print $5 }' /proc/locks
    done | while IFS= read -r pid; do
        say "$pid $(cat "/proc/$pid/comm" || echo unknown)"
    done
    fin ok
}
