# Everything below only reads. It is defined first and started by the last line, so that the shell has read
# all of it before anything runs; from then on standard input is /dev/null for this shell and its children.

# Prints the line that opens a section: NAME and, behind a blank, what it reads.
sec() { printf '%s\n' "+$1${2:+ $2}"; }

# Prints the line that closes a section: STATE and an exit status.
fin() { printf '%s\n' "-$1 ${2:-0}"; }

# Closes a section by a probe's return code: 0 ok, 3 absent, 4 denied, 124 timed-out, else failed.
fin_code() {
    case $1 in
        0) fin ok 0 ;;
        3) fin absent 1 ;;
        4) fin denied 1 ;;
        124) fin timed-out 124 ;;
        *) fin failed "$1" ;;
    esac
}

# Prints its arguments as one line of content.
say() { printf '|%s\n' "$*"; }

# A filter that makes each line one of content.
quote() { sed 's/^/|/'; }

# A whole section of one line: NAME TEXT.
fact() { printf '+%s\n|%s\n-ok 0\n' "$1" "$2"; }

# Whether a program is there.
have() { command -v "$1" >/dev/null 2>&1; }

# How a file can be read: 0 readable, 3 absent, 4 denied, 1 not a plain file. A path below a folder that
# this user may not search is denied, not absent.
reach() {
    if [ -e "$1" ]; then
        [ -f "$1" ] || return 1
        [ -r "$1" ] || return 4
        return 0
    fi
    above=${1%/*}
    while [ -n "$above" ] && [ ! -e "$above" ]; do above=${above%/*}; done
    [ -z "$above" ] || [ -x "$above" ] || return 4
    return 3
}

# How a folder can be listed, with the same codes.
reach_dir() {
    if [ -d "$1" ]; then
        [ -r "$1" ] && [ -x "$1" ] && return 0
        return 4
    fi
    reach "$1"
}

# The first line of a small file into $line, without starting a program. Returns what reach returns.
line_of() {
    line=
    reach "$1" || return
    { IFS= read -r line || :; } <"$1" || return 4
}

# One small file's first line as a section: NAME PATH.
first() {
    line_of "$2"
    code=$?
    sec "$1" "$2"
    [ "$code" -ne 0 ] || say "$line"
    fin_code "$code"
    return "$code"
}

# A filter that writes its input as content, at most MAXBYTES of it, and closes the section. A last line
# "MARKER rc N" of the input is the exit status; KIND says how to read it: command (127 absent, 124 and 137
# timed-out) or code (as in fin_code). Without such a line it is 0.
body() {
    awk -v m="$marker rc " -v max="$1" -v kind="${2:-code}" '
        index($0, m) == 1 { rc = substr($0, length(m) + 1) + 0; if (held && hold != "") emit(hold); held = 0; next }
        { if (held) emit(hold); hold = $0; held = 1 }
        function emit(text) {
            used += length(text) + 1
            if (used > max) { cut = 1; return }
            if (!cut) print "|" text
        }
        END {
            if (held) emit(hold)
            rc += 0
            state = rc == 0 ? "ok" : "failed"
            if (rc == 124 || rc == 137) state = "timed-out"
            if (kind == "command" && rc == 127) state = "absent"
            if (kind == "code" && rc == 3) state = "absent"
            if (kind == "code" && rc == 4) state = "denied"
            if (cut && state == "ok") state = "truncated"
            print "-" state " " rc
            exit rc
        }'
}

# One file as a section: NAME PATH [MAXBYTES].
show() {
    sec "$1" "$2"
    reach "$2" || { code=$?; fin_code "$code"; return "$code"; }
    body "${3:-16384}" <"$2" || fin denied 1
}

# One command as a section, both outputs together: NAME SECONDS MAXBYTES COMMAND... With 0 for SECONDS the
# command may be a shell function; it then bounds its own time and returns the codes of fin_code.
# Returns the command's exit status.
run() {
    sec "$1"
    limit=$2
    max=$3
    shift 3
    kind="command"
    [ "$limit" -ne 0 ] || kind="code"
    { bounded joined "$limit" "$@"; printf '\n%s rc %s\n' "$marker" "$?"; } | body "$max" "$kind"
}

# Runs COMMAND for at most SECONDS; its error output is dropped: SECONDS COMMAND...
limited() { bounded apart "$@"; }

# Runs COMMAND for at most SECONDS (0: without limit): joined|apart SECONDS COMMAND... Joined makes its two
# outputs one. That is done for the command alone: a shell remarks on a killed child on its own error output.
bounded() {
    outputs=$1
    limit=$2
    shift 2
    [ "$limit" -eq 0 ] || have "$1" || return 127
    if [ "$limit" -eq 0 ]; then
        if [ "$outputs" = joined ]; then "$@" 2>&1; else "$@"; fi
        return
    fi
    if [ -n "$has_timeout" ]; then
        if [ "$outputs" = joined ]; then (exec timeout -k 1 "$limit" "$@" 2>&1); else timeout -k 1 "$limit" "$@"; fi
        code=$?
        # Some busybox versions let the signal show.
        [ "$code" -ne 143 ] || code=124
        return "$code"
    fi
    if [ "$outputs" = joined ]; then "$@" 2>&1 & else "$@" & fi
    pid=$!
    guard "$limit" "$pid" >/dev/null 2>&1 &
    dog=$!
    wait "$pid"
    code=$?
    kill "$dog"
    return "$code"
}

# Kills PID after SECONDS unless it ends before: SECONDS PID. Naps are short so that nothing is left behind long.
guard() {
    naps=0
    while [ "$naps" -lt "$1" ]; do
        sleep 1
        naps=$((naps + 1))
        kill -0 "$2" || return 0
    done
    kill -9 "$2"
}

# Like run for a command that can hang in the kernel, where even SIGKILL does not end it: NAME SECONDS
# MAXBYTES COMMAND... Such a process keeps nothing but the pipe to the loop below, which stops reading at the
# first "rc" line, whoever writes it; nothing waits for the process itself.
witness() {
    sec "$1"
    limit=$2
    max=$3
    shift 3
    if ! have "$1"; then
        fin absent 127
        return
    fi
    {
        ( bounded joined "$limit" "$@"; printf '\n%s rc %s\n' "$marker" "$?" ) &
        job=$!
        guard "$((limit + 4))" "$job" >/dev/null 2>&1 &
        dog=$!
        wait "$job"
        kill "$dog"
        printf '\n%s rc 124\n' "$marker"
    } | {
        used=0
        code=
        state=
        while IFS= read -r line; do
            case $line in
                "$marker rc "*) code=${line##* }; break ;;
                '') continue ;;
            esac
            used=$((used + ${#line} + 1))
            if [ "$used" -gt "$max" ]; then
                state=truncated
            else
                say "$line"
            fi
        done
        case $code in
            0) state=${state:-ok} ;;
            127) state=absent ;;
            124 | 137) state=timed-out ;;
            *) state=failed ;;
        esac
        fin "$state" "${code:-1}"
    }
}

# Whether a unit file of that name is on disk, a mask included.
unit_file() {
    for folder in /etc/systemd/system /run/systemd/system /usr/local/lib/systemd/system /usr/lib/systemd/system /lib/systemd/system; do
        if [ -e "$folder/$1" ] || [ -L "$folder/$1" ]; then
            path=$folder/$1
            return 0
        fi
    done
    return 1
}

# The states of units, each a section: UNIT... systemd is asked where it runs, else its links are read.
units() {
    answer=
    if [ -d /run/systemd/system ] && have systemctl; then
        answer=$(limited 10 systemctl show -p Id -p LoadState -p ActiveState -p UnitFileState "$@")
    fi
    case $answer in
        *LoadState=*) ;;
        *) answer=$(for unit in "$@"; do unit_links "$unit"; echo; done) ;;
    esac
    # Answers come in the order asked; an alias would answer with its other name.
    printf '%s\n\n' "$answer" | awk -v names="$*" '
        BEGIN { split(names, name, " ") }
        NF { text = text "|" $0 "\n" }
        !NF && text != "" { printf "+unit %s\n%s-ok 0\n", name[++n], text; text = "" }'
}

# What systemctl would say of a unit where systemd does not run.
unit_links() {
    echo "Id=$1"
    if ! unit_file "$1"; then
        echo LoadState=not-found
        return
    fi
    if [ "$(readlink "$path")" = /dev/null ]; then
        printf 'LoadState=masked\nUnitFileState=masked\n'
        return
    fi
    echo LoadState=loaded
    for link in /etc/systemd/system/*.wants/"$1" /etc/systemd/system/*.requires/"$1" /run/systemd/system/*.wants/"$1"; do
        if [ -L "$link" ]; then
            echo UnitFileState=enabled
            return
        fi
    done
    if grep -q '^\[Install\]' "$path"; then echo UnitFileState=disabled; else echo UnitFileState=static; fi
}

# Runs one probe in its frame: NAME MAXBYTES FUNCTION. The function's return code gives the frame's state (as in
# fin_code), so a probe that answered ends with "return 0"; output over the limit is dropped and makes it truncated.
frame() {
    printf '%s\n' "$marker begin $1"
    { "$3"; printf '%s\n' "$marker rc $?"; } | awk -v m="$marker" -v probe="$1" -v max="$2" '
        index($0, m) == 1 { rc = substr($0, length(m) + 5) + 0; ended = 1; next }
        { used += length($0) + 1; if (used > max) cut = 1; if (!cut) print }
        END {
            if (!ended) rc = 1
            state = "failed"
            if (rc == 0) state = "ok"
            if (rc == 3) state = "absent"
            if (rc == 4) state = "denied"
            if (rc == 124) state = "timed-out"
            if (cut) state = "truncated"
            print m " end " probe " " state " " rc
        }'
}

# Sets the stage: no input, no noise, no influence of the login's environment, low priority.
start() {
    exec </dev/null 2>/dev/null
    umask 077
    PATH=/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/sbin:/usr/local/bin:/run/current-system/sw/bin
    LC_ALL=C
    export PATH LC_ALL
    unset LANG LANGUAGE LD_LIBRARY_PATH TZ IFS CDPATH ENV BASH_ENV GREP_OPTIONS POSIXLY_CORRECT
    unset APT_CONFIG DPKG_ROOT DPKG_ADMINDIR DPKG_PAGER DPKG_COLORS MODPROBE_OPTIONS RPM_CONFIGDIR SYSTEMD_PAGER
    unset AWKPATH AWKLIBPATH
    cd /
    has_timeout=
    ! timeout -k 1 5 true || has_timeout=1
    # What owns the installed files; dpkg_arch is empty elsewhere. A host can have the other manager's tools as well.
    package_manager=other
    dpkg_arch=
    if have dpkg-query && [ -s /var/lib/dpkg/status ]; then
        package_manager=dpkg
        dpkg_arch=$(dpkg --print-architecture)
    elif have rpm && { [ -d /var/lib/rpm ] || [ -d /usr/lib/sysimage/rpm ]; }; then
        package_manager=rpm
    fi
    renice -n 10 -p $$ >/dev/null
    # The empty line first: what a login shell printed before may not have ended its own line.
    printf '\ngpusweep-transcript/1 %s\n' "$marker"
}
