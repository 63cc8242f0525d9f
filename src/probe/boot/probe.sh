probe_boot() { return 1; }
