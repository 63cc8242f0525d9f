probe_apt_config() { return 1; }
