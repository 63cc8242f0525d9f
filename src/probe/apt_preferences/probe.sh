probe_apt_preferences() { return 1; }
