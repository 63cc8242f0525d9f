# The log of unattended-upgrades, without trusting in its language: the runs that upgraded driver or kernel
# packages or failed, and the last run of all. What is the same in every language: levels, stamps, the origins
# (`o=...`) each run begins with, package names, `--dry-run`, the name of the dpkg log that is logged right
# behind the list of packages to upgrade, and Python's tracebacks.
probe_updater_log() {
    apt_paths
    updater_log_of "$updater_dir/$updater_log"
}

# Each run is shipped behind a line `#run`: the lines around its origins, its list and the line behind it, its
# errors, and behind a blank the last line of a traceback.
updater_log_of() {
    # shellcheck disable=SC2016
    log_sections "$1" '
        /^[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9] [0-9][0-9]:[0-9][0-9]:/ { entry($0); next }
        /^Traceback / { trace = 1 }
        trace && $0 != "" { ending = $0 }
        END { traced(); run(newest, n + 1); ship() }
        function entry(text,  back, i) {
            if (trace) traced()
            if (first == "") first = substr(text, 1, 19)
            when = seconds(text)
            if (n && (when - was[n] > 3600 || was[n] - when > 7200)) run(0, n + 1)
            was[++n] = when
            said[n] = text
            if ((index(text, "=") || index(text, "[")) && even(text) ~ /: ?(\[|.?(origin|archive|suite|label|component|codename|site|o|a|l|c|n)=)/) {
                back = n
                for (i = 1; i <= 3 && back > 1 && was[back] - was[back - 1] <= 2 && !mark[back - 1]; i++) back--
                run(0, back)
                for (i = back; i <= n; i++) keep(i)
                follow = 2
            } else if (follow > 0) {
                follow--
                keep(n)
            } else if (!started) keep(n)
            # Behind the stamp and its milliseconds stands the level.
            if (substr(text, 25, 6) == "ERROR " || substr(text, 25, 9) == "CRITICAL ") {
                mark[n] = matters = 1
                if (++errors <= 20) keep(n)
            } else if (index(text, "unattended-upgrades-dpkg.log") && n > 1 && list(even(said[n - 1]))) {
                mark[n - 1] = mark[n] = 1
                keep(n - 1)
                keep(n)
            }
            if (index(text, "--dry-run") || index(text, "Initial blacklist")) keep(n)
            delete said[n - 4]
            delete was[n - 4]
            delete mark[n - 4]
        }
        # Marks a line as one of the current run.
        function keep(i) {
            started = 1
            if (i <= done || (2 * i) in taken) return
            taken[2 * i] = substr(said[i], 1, 20000)
            order[++size] = 2 * i
        }
        function traced() {
            if (trace && ending != "") {
                taken[2 * n + 1] = " " substr(ending, 1, 500)
                order[++size] = 2 * n + 1
                matters = 1
            }
            trace = 0
            ending = ""
        }
        # Closes the current run before line number `next_one`; it is shipped when it matters or must be.
        function run(must, next_one,  i, j, low, text) {
            while (size > 0) {
                low = 1
                for (j = 2; j <= size; j++) if (order[j] < order[low]) low = j
                i = order[low]
                order[low] = order[size--]
                if (i < 2 * next_one) text = text "\n" taken[i]
                delete taken[i]
            }
            if (text != "" && (matters || must)) put("#run" text)
            done = next_one - 1
            started = matters = errors = follow = 0
        }
        # Other blanks and colons made the plain ones.
        function even(text) {
            gsub(/\302\240/, " ", text)
            gsub(/\357\274\232/, ": ", text)
            return text
        }
        # Whether the text behind the last colon is a list of package names; notes names that matter.
        function list(text,  at, words, many, i) {
            while ((at = index(text, ": ")) > 0) text = substr(text, at + 2)
            many = split(text, words, " ")
            for (i = 1; i <= many; i++) if (words[i] !~ /^[a-z0-9][a-z0-9+.:-]+$/) return 0
            for (i = 1; i <= many; i++) if (words[i] ~ names) matters = 1
            return many > 0
        }
        function seconds(text,  y, m) {
            if (substr(text, 1, 10) != date) {
                date = substr(text, 1, 10)
                y = substr(text, 1, 4) + 0
                m = substr(text, 6, 2) + 0
                if (m <= 2) { y--; m += 12 }
                day = 365 * y + int(y / 4) - int(y / 100) + int(y / 400) + int((153 * m - 457) / 5) + substr(text, 9, 2)
            }
            return day * 86400 + substr(text, 12, 2) * 3600 + substr(text, 15, 2) * 60 + substr(text, 18, 2)
        }
    '
}
