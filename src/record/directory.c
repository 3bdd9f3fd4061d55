/* SPDX-License-Identifier: Apache-2.0
 * directory.c: the results directory.
 *
 * The lock is flock() on DIR/lock: it belongs to the open file, so it also keeps two runs of one process apart, and it vanishes with its
 * process however that ends. The lock file is removed by its holder before it lets go; whoever locks a file that is no longer DIR/lock
 * tries again. */
#define _DEFAULT_SOURCE
#include "record/directory.h"

#include "record/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const result_files[] = {ZW_FILE_RESULTS, ZW_FILE_JOURNAL, ZW_FILE_CHECKPOINT_A, ZW_FILE_CHECKPOINT_B, ZW_FILE_SUMMARY};
/* what a run needs while it goes, and what a killed one may leave; the journal last, because the others can be made from it */
static const char *const passing_files[] = {ZW_FILE_CHECKPOINT_A,        ZW_FILE_CHECKPOINT_B,   ZW_FILE_CHECKPOINT_A ".tmp",
                                            ZW_FILE_CHECKPOINT_B ".tmp", ZW_FILE_RESULTS ".tmp", ZW_FILE_SUMMARY ".tmp",
                                            ZW_FILE_REPORT ".tmp",       ZW_FILE_VIEW ".tmp",    ZW_FILE_MODEL ".tmp",
                                            ZW_FILE_JOURNAL ".tmp",      ZW_FILE_JOURNAL};
/* what it leaves for good, apart from model.yaml: that one is only ever replaced, because it may be the user's own */
static const char *const lasting_files[] = {ZW_FILE_RESULTS, ZW_FILE_SUMMARY, ZW_FILE_REPORT, ZW_FILE_VIEW};

enum { LOCK_TRIES = 100 };
#define COUNT(array) (sizeof(array) / sizeof *(array))

static int open_at(int dir, const char *name, int flags, mode_t mode) {
    int fd;
    do {
        fd = openat(dir, name, flags | O_CLOEXEC, mode);
    } while (fd < 0 && errno == EINTR);
    return fd;
}

zw_status zw_directory_open(zw_context *c, const char *path, zw_directory *d) {
    *d = (zw_directory){.context = c, .fd = -1, .lock = -1};
    if (!path || !*path) {
        return zw_raise(c, ZW_E_ARG, "results directory", "give the name of a directory", "its name is empty");
    }
    d->path = zw_strdup(c, path);
    if (!d->path) {
        return ZW_E_MEMORY;
    }
    d->fd = open_at(AT_FDCWD, path, O_RDONLY | O_DIRECTORY, 0);
    if (d->fd >= 0) {
        return ZW_OK;
    }
    int error = errno;
    if (error == ENOENT) {
        zw_raise(c, ZW_E_NO_INPUT, path, "check the name; `zwang run MODEL -o DIR` makes such a directory", "there is no such directory");
    } else if (error == ENOTDIR) {
        zw_raise(c, ZW_E_IO, path, "choose another name", "is not a directory, or lies below something that is not one");
    } else {
        zw_file_raise(c, error, path, "", "opening the directory");
    }
    zw_directory_close(d);
    return error == ENOENT ? ZW_E_NO_INPUT : ZW_E_IO;
}

/* makes path[0..n) and what is missing above it */
static int make_all(char *path) {
    for (char *p = path + 1;; p++) {
        if (*p == '/' || *p == 0) {
            char kept = *p;
            *p = 0;
            int failed = mkdir(path, 0777) != 0 ? errno : 0;
            *p = kept;
            if (failed != 0 && failed != EEXIST && failed != EISDIR) {
                if (kept == 0 || (failed != EROFS && failed != EACCES)) { /* an existing parent may say so before it says EEXIST */
                    return failed;
                }
            }
            if (kept == 0) {
                return 0;
            }
        }
    }
}

zw_status zw_directory_create(zw_context *c, const char *path, zw_directory *d) {
    *d = (zw_directory){.context = c, .fd = -1, .lock = -1};
    if (path && *path) {
        struct stat info;
        if (stat(path, &info) != 0) {
            char *copy = zw_strdup(c, path);
            if (!copy) {
                return ZW_E_MEMORY;
            }
            int error = make_all(copy);
            zw_free(c, copy);
            if (error != 0) {
                zw_file_raise(c, error, path, "", "creating the directory");
                return ZW_E_IO;
            }
        }
    }
    return zw_directory_open(c, path, d);
}

/* 0, or errno; EWOULDBLOCK: another holds it, and *pid is who (0: not known) */
static int take_lock(zw_directory *d, long *pid) {
    *pid = 0;
    for (int i = 0; i < LOCK_TRIES; i++) {
        int fd = open_at(d->fd, ZW_FILE_LOCK, O_RDWR | O_CREAT | O_NOFOLLOW, 0666);
        if (fd < 0) {
            return errno;
        }
        int result;
        do {
            result = flock(fd, LOCK_EX | LOCK_NB);
        } while (result != 0 && errno == EINTR);
        if (result != 0) {
            int    error = errno;
            char   text[32] = "";
            size_t got;
            if (zw_file_get(fd, 0, text, sizeof text - 1, &got) == 0) {
                *pid = strtol(text, NULL, 10);
            }
            close(fd);
            return error;
        }
        struct stat mine, named;
        if (fstat(fd, &mine) == 0 && fstatat(d->fd, ZW_FILE_LOCK, &named, AT_SYMLINK_NOFOLLOW) == 0 && mine.st_dev == named.st_dev &&
            mine.st_ino == named.st_ino) {
            char text[32];
            int  n = snprintf(text, sizeof text, "%ld\n", (long)getpid());
            /* the number only serves the message of others: without room for it the lock holds all the same */
            if (ftruncate(fd, 0) == 0 && pwrite(fd, text, (size_t)n, 0) < 0) {
                zw_log(d->context, ZW_LOG_DEBUG, "%s: the process number could not be written into the lock", d->path);
            }
            d->lock = fd;
            return 0;
        }
        close(fd); /* its holder removed it between our open and our lock */
    }
    return EWOULDBLOCK;
}

zw_status zw_directory_lock(zw_directory *d) {
    long pid;
    int  error = take_lock(d, &pid);
    if (error == 0) {
        return ZW_OK;
    }
    if (error == EWOULDBLOCK) {
        if (pid > 0) {
            return zw_raise(d->context, ZW_E_BUSY, d->path, "wait for it, stop it, or choose another directory with -o",
                            "is in use by another run (process %ld)", pid);
        }
        return zw_raise(d->context, ZW_E_BUSY, d->path, "wait for it, stop it, or choose another directory with -o",
                        "is in use by another run");
    }
    zw_file_raise(d->context, error, d->path, ZW_FILE_LOCK, "locking the directory");
    return ZW_E_IO;
}

bool zw_directory_try_lock(zw_directory *d) {
    long pid;
    return take_lock(d, &pid) == 0;
}

void zw_directory_unlock(zw_directory *d) {
    if (d->lock >= 0) {
        unlinkat(d->fd, ZW_FILE_LOCK, 0);
        close(d->lock);
        d->lock = -1;
    }
}

bool zw_directory_has(const zw_directory *d, const char *name) {
    struct stat info;
    return fstatat(d->fd, name, &info, AT_SYMLINK_NOFOLLOW) == 0;
}

bool zw_directory_has_results(const zw_directory *d, const char **which) {
    for (size_t i = 0; i < COUNT(result_files); i++) {
        if (zw_directory_has(d, result_files[i])) {
            if (which) {
                *which = result_files[i];
            }
            return true;
        }
    }
    return false;
}

zw_status zw_directory_remove(zw_directory *d, const char *name) {
    if (unlinkat(d->fd, name, 0) != 0 && errno != ENOENT) {
        zw_file_raise(d->context, errno, d->path, name, "removing the old file");
        return ZW_E_IO;
    }
    return ZW_OK;
}

bool zw_directory_is_tidy(const zw_directory *d) {
    for (size_t i = 0; i < COUNT(passing_files); i++) {
        if (zw_directory_has(d, passing_files[i])) {
            return false;
        }
    }
    return true;
}

zw_status zw_directory_tidy(zw_directory *d) {
    for (size_t i = 0; i < COUNT(passing_files); i++) {
        ZW_TRY(zw_directory_remove(d, passing_files[i]));
    }
    return ZW_OK;
}

zw_status zw_directory_clear(zw_directory *d) {
    for (size_t i = 0; i < COUNT(lasting_files); i++) {
        ZW_TRY(zw_directory_remove(d, lasting_files[i]));
    }
    return zw_directory_tidy(d);
}

void zw_directory_close(zw_directory *d) {
    if (d->fd >= 0) {
        zw_directory_unlock(d);
        close(d->fd);
        d->fd = -1;
    }
    zw_free(d->context, d->path);
    d->path = NULL;
}
