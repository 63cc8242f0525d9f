probe_reboot_required() { return 1; }
