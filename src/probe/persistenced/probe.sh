probe_persistenced() { return 1; }
