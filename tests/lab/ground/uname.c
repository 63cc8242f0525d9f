/* Preloaded into every program of a lab host: uname(2) with the host's own kernel release. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

static char release[65];

__attribute__((constructor)) static void lab_start(void) {
    int fd = open("/run/lab/osrelease", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    ssize_t n = read(fd, release, sizeof release - 1);
    close(fd);
    if (n > 0)
        release[strcspn(release, "\n")] = 0;
}

int uname(struct utsname *name) {
    long result = syscall(SYS_uname, name);
    if (result == 0 && release[0])
        strncpy(name->release, release, sizeof name->release - 1);
    return (int)result;
}
