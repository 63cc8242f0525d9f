probe_apt_policy() { return 1; }
