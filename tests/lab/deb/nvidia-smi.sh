#!/bin/sh
# The lab's nvidia-smi: answers as the real one does, from the module that is loaded and the library that is installed.
library=@VERSION@
loaded=
[ -r /proc/driver/nvidia/version ] &&
    loaded=$(sed -n '/^NVRM version:/s/.*[[:space:]]\([0-9][0-9]*\.[0-9.]*\)[[:space:]].*/\1/p' /proc/driver/nvidia/version)
if [ -z "$loaded" ]; then
    echo "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running."
    echo
    exit 9
fi
if [ "$loaded" != "$library" ]; then
    echo "Failed to initialize NVML: Driver/library version mismatch"
    echo "NVML library version: ${library%.*}"
    exit 18
fi
case "$*" in
    *query-gpu=driver_version*name* | *query-gpu=name*driver_version*)
        echo "$loaded, NVIDIA H100 80GB HBM3"
        ;;
    *query-gpu=driver_version*) echo "$loaded" ;;
    *query-gpu=name*) echo "NVIDIA H100 80GB HBM3" ;;
    *-L*) echo "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-00000000-0000-0000-0000-000000000000)" ;;
    *) echo "| NVIDIA-SMI $library    Driver Version: $loaded    CUDA Version: 12.2 |" ;;
esac
exit 0
