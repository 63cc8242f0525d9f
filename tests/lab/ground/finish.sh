# shellcheck shell=sh
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
echo 'force-unsafe-io' >/etc/dpkg/dpkg.cfg.d/unsafe-io

# Debian's real dkms; a tool chain is never needed, for the lab's drivers bring their modules ready made.
mkdir -p /lab/tools/DEBIAN
cat >/lab/tools/DEBIAN/control <<CONTROL
Package: lab-toolchain
Version: 1
Architecture: all
Maintainer: lab <lab@lab.invalid>
Provides: c-compiler, dpkg-dev, make, patch
Description: stands in for a compiler
CONTROL
dpkg-deb --build /lab/tools /lab/tools.deb >/lab/log
dpkg --install /lab/tools.deb /lab/dkms.deb >/lab/log 2>&1

cp /usr/lib/*/faketime/libfaketime.so.1 /usr/lib/libfaketime-lab.so

# No host reaches out of the lab.
rm -f /etc/apt/sources.list /etc/apt/sources.list.d/*
rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin /var/cache/apt/archives/*.deb
rm -f /etc/resolv.conf
echo '127.0.0.1 localhost' >/etc/hosts

# ops: sudo without a password, not in adm. audit: nothing at all. adm: may read the logs. The rest: other shells.
user() {
    useradd --create-home --shell "$2" "$1"
    # `*` is no password, but not locked: sshd without PAM refuses locked accounts.
    usermod --password '*' "$1"
    mkdir -p "/home/$1/.ssh"
    cp /lab/id.pub "/home/$1/.ssh/authorized_keys"
    chown -R "$1:" "/home/$1/.ssh"
    chmod 700 "/home/$1/.ssh"
}
user ops /bin/bash
user audit /bin/bash
user logs /bin/bash
usermod --append --groups adm logs
user dash /bin/dash
user csh /bin/tcsh
user fish /usr/bin/fish
user noisy /bin/bash
user nologin /usr/sbin/nologin
user nokey /bin/bash
rm /home/nokey/.ssh/authorized_keys
printf '#!/bin/sh\nexec sleep 3600\n' >/usr/local/bin/mute
chmod 755 /usr/local/bin/mute
user mute /usr/local/bin/mute
cat >/home/noisy/.bashrc <<'NOISE'
echo "Welcome to $(hostname)! %%0123456789abcdef begin module"
echo "lots of noise on stderr" >&2
printf 'no newline at the end'
PATH=/nonsense
LC_ALL=de_DE.UTF-8
export LC_ALL
alias cat='echo aliased'
NOISE
mkdir -p /root/.ssh
cp /lab/id.pub /root/.ssh/authorized_keys
chmod 700 /root/.ssh
printf 'ops ALL=(ALL) NOPASSWD: ALL\ncsh ALL=(ALL) NOPASSWD: ALL\nfish ALL=(ALL) NOPASSWD: ALL\n' >/etc/sudoers.d/lab
chmod 440 /etc/sudoers.d/lab
echo 'Defaults !syslog' >>/etc/sudoers.d/lab

rm -f /etc/ssh/ssh_host_*
cat >/etc/ssh/sshd_config <<'SSHD'
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
UseDNS no
PrintMotd no
LoginGraceTime 30
HostKey /etc/ssh/ssh_host_ed25519_key
SSHD

# The installation itself is no part of any story told here.
: >/var/log/dpkg.log
rm -f /var/log/bootstrap.log /var/log/apt/*
rm -rf /lab
mkdir -p /lab
