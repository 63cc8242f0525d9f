probe_system() { return 1; }
