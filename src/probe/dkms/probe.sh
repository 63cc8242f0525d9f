probe_dkms() { return 1; }
