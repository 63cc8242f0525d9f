# The fabric manager's unit.
probe_fabricmanager() {
    unit_file nvidia-fabricmanager.service || return 3
    units nvidia-fabricmanager.service
}
