probe_updater_log() { return 1; }
