probe_module() { return 1; }
