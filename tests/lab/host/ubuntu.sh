# shellcheck shell=sh
cat >/etc/os-release <<'RELEASE'
PRETTY_NAME="Ubuntu 22.04.4 LTS"
NAME="Ubuntu"
VERSION_ID="22.04"
VERSION="22.04.4 LTS (Jammy Jellyfish)"
VERSION_CODENAME=jammy
ID=ubuntu
ID_LIKE=debian
UBUNTU_CODENAME=jammy
RELEASE
cat >/etc/lsb-release <<'RELEASE'
DISTRIB_ID=Ubuntu
DISTRIB_RELEASE=22.04
DISTRIB_CODENAME=jammy
DISTRIB_DESCRIPTION="Ubuntu 22.04.4 LTS"
RELEASE
cat >/etc/apt/apt.conf.d/20auto-upgrades <<'CONF'
APT::Periodic::Update-Package-Lists "1";
APT::Periodic::Unattended-Upgrade "1";
CONF
# As Ubuntu ships it: its own origins, and a blacklist block in which every entry is a comment.
cat >/etc/apt/apt.conf.d/50unattended-upgrades <<'CONF'
Unattended-Upgrade::Allowed-Origins {
        "${distro_id}:${distro_codename}";
        "${distro_id}:${distro_codename}-security";
        "${distro_id}ESMApps:${distro_codename}-apps-security";
        "${distro_id}ESM:${distro_codename}-infra-security";
//      "${distro_id}:${distro_codename}-updates";
};

Unattended-Upgrade::Package-Blacklist {
    // All of the kernel:
//  "linux-";
    // Names ending here:
//  "libc6$";
};

Unattended-Upgrade::DevRelease "auto";
//Unattended-Upgrade::Automatic-Reboot "false";
CONF
mkdir -p /boot/grub
printf 'GRUB_DEFAULT=0\nGRUB_TIMEOUT=0\n' >/etc/default/grub
