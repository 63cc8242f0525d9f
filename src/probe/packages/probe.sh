probe_packages() { return 1; }
