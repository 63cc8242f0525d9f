probe_fabricmanager() { return 1; }
