# NVIDIA's functions on the PCI bus: address, class, device and the bound driver.
probe_pci() {
    if [ ! -d /sys/bus/pci/devices ]; then
        [ -d /sys/bus ] || return 1
        sec devices
        fin absent 1
        return 0
    fi
    sec devices /sys/bus/pci/devices
    grep -l -i '^0x10de' /sys/bus/pci/devices/*/vendor | while IFS= read -r vendor; do
        device=${vendor%/vendor}
        line_of "$device/class"
        class=$line
        line_of "$device/device"
        driver=-
        # The folder behind the link is named after the driver; cd finds it without starting a program.
        if cd -P "$device/driver"; then driver=${PWD##*/}; fi
        cd /
        say "${device##*/} $class $line $driver"
    done
    fin ok
}
