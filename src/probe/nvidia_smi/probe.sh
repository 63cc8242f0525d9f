# nvidia-smi, the last witness. Without a loaded module it is not started: it might load it. Nor is it while an
# older one hangs in the kernel.
probe_nvidia_smi() {
    if [ ! -d /sys/module/nvidia ] && [ ! -e /proc/driver/nvidia/version ]; then
        fact not-started 'the module is not loaded'
        return
    fi
    stuck=$(smi_stuck)
    if [ -n "$stuck" ]; then
        sleep 1
        again=$(smi_stuck)
        for pid in $stuck; do
            case " $again " in
                *" $pid "*)
                    fact stuck "process $pid hangs in the kernel"
                    return
                    ;;
            esac
        done
    fi
    PATH=$PATH:/usr/local/nvidia/bin:/opt/bin:/home/kubernetes/bin/nvidia/bin
    witness query 30 16384 nvidia-smi --query-gpu=driver_version,name --format=csv,noheader
}

# Process ids of nvidia-smi in uninterruptible sleep, on one line.
smi_stuck() {
    grep -l '^nvidia-smi' /proc/[0-9]*/comm | while IFS= read -r path; do
        sed -n 's/^\([0-9]*\) (.*) D .*/\1/p' "${path%comm}stat" | tr '\n' ' '
    done
}
