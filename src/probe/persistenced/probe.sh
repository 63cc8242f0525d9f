# nvidia-persistenced's unit and socket.
probe_persistenced() {
    if ! unit_file nvidia-persistenced.service && ! have nvidia-persistenced && [ ! -e /run/nvidia-persistenced ]; then return 3; fi
    units nvidia-persistenced.service
    if [ -S /run/nvidia-persistenced/socket ]; then fact socket yes; else fact socket no; fi
}
