/* SPDX-License-Identifier: Apache-2.0
 * file.c: reading and writing whole files safely.
 *
 * Replacement: write NAME.tmp, fsync, rename over NAME, fsync the directory. At every moment NAME is the old file or the new one. */
#define _POSIX_C_SOURCE 200809L
#include "record/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { NAME_ROOM = 300, WRITE_MOST = 1 << 30 };

const char *zw_errno_text(int error, char *out, size_t size) {
    if (strerror_r(error, out, size) != 0) {
        snprintf(out, size, "error %d", error);
    }
    return out;
}

static const char *remedy_of(int error) {
    switch (error) {
    case ENOSPC:
#ifdef EDQUOT
    case EDQUOT:
#endif
        return "free space and run with --resume; what was written so far is kept";
    case EFBIG: return "raise the limit on file sizes (ulimit -f) and run with --resume; what was written so far is kept";
    case EIO: return "check the disk and run with --resume; what was written so far is kept";
    case EACCES:
    case EPERM:
    case EROFS: return "choose a directory you may write to, or change its permissions";
    case ENOTDIR: return "a part of this path is a file; choose another directory";
    case ENOENT: return "check the path";
    case ENAMETOOLONG: return "choose a shorter path";
    case EMFILE:
    case ENFILE: return "too many files are open; raise the limit (ulimit -n)";
    case EPIPE: return "the reader closed its end; run the command again";
    default: return "check the disk and its permissions, and try again";
    }
}

zw_status zw_file_raise(zw_context *c, int error, const char *directory, const char *name, const char *verb) {
    char text[128], subject[128];
    bool joined = name && *name;
    int  n = snprintf(subject, sizeof subject, "%s%s%s", directory, joined ? "/" : "", joined ? name : "");
    if (n < 0 || (size_t)n >= sizeof subject) { /* the end of a long path says more than its beginning */
        snprintf(subject, sizeof subject, ".../%s", joined ? name : "");
    }
    return zw_raise(c, error == ENOENT ? ZW_E_NO_INPUT : ZW_E_IO, subject, remedy_of(error), "%s failed: %s", verb,
                    zw_errno_text(error, text, sizeof text));
}

int zw_file_put(int fd, const void *bytes, size_t n) {
    const char *p = bytes;
    while (n > 0) {
        ssize_t done = write(fd, p, n < (size_t)WRITE_MOST ? n : (size_t)WRITE_MOST);
        if (done < 0) {
            if (errno == EINTR) {
                continue;
            }
            return errno;
        }
        if (done == 0) {
            return EIO;
        }
        p += done;
        n -= (size_t)done;
    }
    return 0;
}

int zw_file_get(int fd, uint64_t offset, void *bytes, size_t n, size_t *got) {
    char *p = bytes;
    *got = 0;
    while (*got < n) {
        size_t want = n - *got < (size_t)WRITE_MOST ? n - *got : (size_t)WRITE_MOST;
        if (offset > (uint64_t)INT64_MAX - *got - want) {
            return EOVERFLOW;
        }
        ssize_t done = pread(fd, p + *got, want, (off_t)(offset + *got));
        if (done < 0) {
            if (errno == EINTR) {
                continue;
            }
            return errno;
        }
        if (done == 0) {
            break;
        }
        *got += (size_t)done;
    }
    return 0;
}

int zw_file_sync(int fd) {
    for (;;) {
#if defined(_POSIX_SYNCHRONIZED_IO) && _POSIX_SYNCHRONIZED_IO > 0
        int result = fdatasync(fd);
#else
        int result = fsync(fd);
#endif
        if (result == 0 || errno == EINVAL || errno == ENOTSUP) { /* pipes and some file systems cannot */
            return 0;
        }
        if (errno != EINTR) {
            return errno;
        }
    }
}

static bool temporary_name(const char *name, char out[NAME_ROOM]) {
    int n = snprintf(out, NAME_ROOM, "%s.tmp", name);
    return n > 0 && n < NAME_ROOM;
}

zw_status zw_file_begin(zw_context *c, int dir, const char *directory, const char *name, int *fd) {
    char temporary[NAME_ROOM];
    *fd = -1;
    if (!temporary_name(name, temporary)) {
        return zw_file_raise(c, ENAMETOOLONG, directory, name, "creating the file");
    }
    do {
        *fd = openat(dir, temporary, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    } while (*fd < 0 && errno == EINTR);
    return *fd < 0 ? zw_file_raise(c, errno, directory, temporary, "creating the file") : ZW_OK;
}

void zw_file_abandon(int dir, const char *name, int fd) {
    char temporary[NAME_ROOM];
    if (fd >= 0) {
        close(fd);
    }
    if (temporary_name(name, temporary)) {
        unlinkat(dir, temporary, 0);
    }
}

zw_status zw_file_commit(zw_context *c, int dir, const char *directory, const char *name, int fd) {
    char temporary[NAME_ROOM];
    if (!temporary_name(name, temporary)) {
        close(fd);
        return zw_file_raise(c, ENAMETOOLONG, directory, name, "writing");
    }
    int error = zw_file_sync(fd);
    if (close(fd) != 0 && error == 0 && errno != EINTR) {
        error = errno;
    }
    if (error == 0 && renameat(dir, temporary, dir, name) != 0) {
        error = errno;
    }
    if (error == 0) {
        error = zw_file_sync(dir);
    }
    if (error != 0) {
        zw_file_abandon(dir, name, -1);
        return zw_file_raise(c, error, directory, name, "writing");
    }
    return ZW_OK;
}

zw_status zw_file_replace(zw_context *c, int dir, const char *directory, const char *name, const void *bytes, size_t n) {
    int fd;
    ZW_TRY(zw_file_begin(c, dir, directory, name, &fd));
    int error = zw_file_put(fd, bytes, n);
    if (error != 0) {
        zw_file_abandon(dir, name, fd);
        return zw_file_raise(c, error, directory, name, "writing");
    }
    return zw_file_commit(c, dir, directory, name, fd);
}

zw_status zw_file_read(zw_context *c, int dir, const char *directory, const char *name, size_t limit, char **bytes, size_t *n) {
    *bytes = NULL;
    *n = 0;
    int fd;
    do {
        fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
    } while (fd < 0 && errno == EINTR);
    if (fd < 0) {
        return zw_file_raise(c, errno, directory, name, "opening");
    }
    struct stat info;
    zw_status   status = ZW_OK;
    if (fstat(fd, &info) != 0) {
        status = zw_file_raise(c, errno, directory, name, "reading");
    } else if (!S_ISREG(info.st_mode)) {
        status = zw_raise(c, ZW_E_FORMAT, name, "remove it from the results directory", "is not a regular file");
    } else if ((uint64_t)info.st_size > limit) {
        status = zw_raise(c, ZW_E_LIMIT, name, "the file is not one of zwang's, or it is damaged", "has %lld bytes; at most %zu are read",
                          (long long)info.st_size, limit);
    } else {
        size_t size = (size_t)info.st_size;
        char  *p = zw_alloc(c, size + 1, 1, name);
        if (!p) {
            status = ZW_E_MEMORY;
        } else {
            int error = zw_file_get(fd, 0, p, size, n);
            if (error != 0) {
                zw_free(c, p);
                status = zw_file_raise(c, error, directory, name, "reading");
            } else {
                p[*n] = 0;
                *bytes = p;
            }
        }
    }
    close(fd);
    return status;
}

char *zw_path_join(zw_context *c, const char *directory, const char *name) {
    size_t nd = strlen(directory), nn = strlen(name);
    char  *path = zw_alloc(c, nd + nn + 2, 1, "a path");
    if (path) {
        memcpy(path, directory, nd);
        bool slash = nd > 0 && directory[nd - 1] != '/';
        path[nd] = '/';
        memcpy(path + nd + (slash ? 1 : 0), name, nn + 1);
    }
    return path;
}

double zw_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
