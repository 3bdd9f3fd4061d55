/* SPDX-License-Identifier: Apache-2.0
 * init.c: the first and only process of the machine that scripts/test-avx512 emulates: runs every program of /tests, writes what they say
 * and how they end to the serial port, and switches the machine off. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/io.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/wait.h>
#include <unistd.h>

static int run(const char *name) {
    char path[300];
    int  status = 0;
    snprintf(path, sizeof path, "/tests/%s", name);
    pid_t child = fork();
    if (child == 0) {
        execl(path, path, (char *)NULL);
        perror(path);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        return -1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(void) {
    mount("none", "/dev", "devtmpfs", 0, NULL);
    int port = open("/dev/ttyS0", O_RDWR);
    for (int i = 0; i < 3 && port >= 0; i++) {
        dup2(port, i);
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    /* Bochs 2.7 restores compacted registers wrongly (#GP in the dynamic linker's xrstor when a first call comes out of wide code) */
    setenv("LD_BIND_NOW", "1", 1);
    printf("machine: avx2 %d, avx512f %d\n", __builtin_cpu_supports("avx2") != 0, __builtin_cpu_supports("avx512f") != 0);
    DIR                 *folder = opendir("/tests");
    const struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] != '.') {
            printf("ended: %s %d\n", entry->d_name, run(entry->d_name));
        }
    }
    printf("machine: done\n");
    fflush(stdout);
    sleep(1); /* the port is slower than we are */
    if (iopl(3) == 0) {
        for (const char *word = "Shutdown"; *word != '\0'; word++) { /* what Bochs listens for */
            outb((unsigned char)*word, 0x8900);
        }
    }
    reboot(RB_POWER_OFF);
    for (;;) {
        pause();
    }
}
