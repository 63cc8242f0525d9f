# The package database's rows that concern the driver, the kernel and the updater. A row is one line of fields
# behind tabs: status, name, architecture, version, source, T for a transitional package, Provides, Pre-Depends
# with Depends.
probe_packages() {
    if have dpkg-query && [ -s /var/lib/dpkg/status ]; then
        fact arch "$(dpkg --print-architecture)"
        run dpkg 0 700000 packages_dpkg
    elif have rpm && { [ -d /var/lib/rpm ] || [ -d /usr/lib/sysimage/rpm ]; }; then
        fact arch "$(uname -m)"
        run rpm 0 700000 packages_rpm
    else
        return 3
    fi
}

packages_dpkg() {
    tab='\t'
    end=$(printf '\036')
    format="\${db:Status-Abbrev}$tab\${Package}$tab\${Architecture}$tab\${Version}$tab\${source:Package}$tab"
    format="$format\${binary:Summary}$tab\${Provides}$tab\${Pre-Depends}, \${Depends}$end"
    { limited 20 dpkg-query -W -f="$format"; printf 'rc %s%s' "$?" "$end"; } | packages_filter "$end"
}

packages_rpm() {
    end=$(printf '\036')
    format='\t%{NAME}\t%{ARCH}\t%|EPOCH?{%{EPOCH}:}:{}|%{VERSION}-%{RELEASE}\t%{SOURCERPM}\t%{SUMMARY}\t'
    format="${format}[%{PROVIDENAME}, ]\\t[%{REQUIRENAME} %{REQUIREFLAGS:depflags} %{REQUIREVERSION}, ]$end"
    set -- rpm -qa --qf "$format" '*nvidia*' '*cuda*' 'libnv*' 'kernel*' dkms dnf-automatic 'dnf5-plugin-automatic' yum-cron
    # Some versions of rpm let root write lock and cache files on a query; nobody cannot.
    if [ "$(id -u)" -eq 0 ] && have setpriv; then
        set -- setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
    fi
    { limited 20 "$@"; printf 'rc %s%s' "$?" "$end"; } | packages_filter "$end"
}

# Keeps the rows of interest and the dependencies of what can be the driver.
packages_filter() {
    awk -v RS="$1" -F '\t' '
        /^rc [0-9]+$/ { rc = substr($0, 4) + 0; ended = 1; next }
        $2 !~ /nvidia|cuda|^libnv|libxnvctrl|^(glx|egl)-|^linux-|^(pve|proxmox)-(kernel|headers)|^kernel|^(apt|dkms|unattended-upgrades|packagekit|landscape-client|dnf-automatic|dnf5-plugin-automatic|yum-cron)$/ { next }
        $2 ~ /^linux-(libc-dev|base|doc|tools|source|firmware|perf|cpupower|cloud-tools)/ { next }
        $2 ~ /^kernel-(tools|doc|abi|srpm|rpm)/ { next }
        {
            gsub(/\n/, " ")
            summary = tolower($6)
            dummy = summary ~ /transitional|dummy/ ? "T" : "-"
            driver = $2 ~ /nvidia|^cuda-(drivers|compat)|^libcuda|^libnv|^(glx|egl)-|^linux-/
            provides = driver ? substr($7, 1, 4000) : ""
            depends = driver ? substr($8, 1, 6000) : ""
            sub(/^[, ]+/, "", depends)
            print $1 "\t" $2 "\t" $3 "\t" $4 "\t" $5 "\t" dummy "\t" provides "\t" depends
        }
        END { exit ended ? rc : 1 }'
}
