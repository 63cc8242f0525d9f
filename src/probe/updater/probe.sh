probe_updater() { return 1; }
