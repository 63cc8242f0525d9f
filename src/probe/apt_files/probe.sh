probe_apt_files() { return 1; }
