
# Where apt keeps its files on this host, by its own configuration; the defaults where apt does not answer.
# Asked once: probes run in subshells, which inherit the answers.
apt_paths() {
    [ -z "$apt_history" ] || return 0
    apt_history=/var/log/apt/history.log
    apt_main=/etc/apt/apt.conf
    apt_parts=/etc/apt/apt.conf.d
    apt_pins=/etc/apt/preferences
    apt_pin_parts=/etc/apt/preferences.d
    apt_lists=/var/lib/apt/lists
    apt_caches=/var/cache/apt
    updater_dir=/var/log/unattended-upgrades
    updater_log=unattended-upgrades.log
    answers=$(limited 5 apt-config shell history Dir::Log::History/f main Dir::Etc::main/f parts Dir::Etc::parts/d \
        pins Dir::Etc::preferences/f pin_parts Dir::Etc::preferencesparts/d lists Dir::State::lists/d \
        caches Dir::Cache/d old_dir APT::UnattendedUpgrades::LogDir/d old_log APT::UnattendedUpgrades::LogFile \
        dir Unattended-Upgrade::LogDir/d log Unattended-Upgrade::LogFile)
    # One NAME='VALUE' a line.
    IFS='
'
    set -f
    for answer in $answers; do
        value=${answer#*=\'}
        value=${value%\'}
        [ "$value" = / ] || value=${value%/}
        [ -n "$value" ] || continue
        case $answer in
            history=*) apt_history=$value ;;
            main=*) apt_main=$value ;;
            parts=*) apt_parts=$value ;;
            pins=*) apt_pins=$value ;;
            pin_parts=*) apt_pin_parts=$value ;;
            lists=*) apt_lists=$value ;;
            caches=*) apt_caches=$value ;;
            old_dir=* | dir=*) updater_dir=$value ;;
            old_log=* | log=*) updater_log=$value ;;
        esac
    done
    set +f
    unset IFS
}
