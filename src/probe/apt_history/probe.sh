probe_apt_history() { return 1; }
