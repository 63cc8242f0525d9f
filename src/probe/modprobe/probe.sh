probe_modprobe() { return 1; }
