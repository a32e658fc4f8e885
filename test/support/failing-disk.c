/*
 * A disk that fails as it is told, for one process: preloaded before the C library.
 *
 * DISK_FILES      files whose path begins so; of all others nothing changes
 * AFTER_TRANSFERS how many requests for a transfer have left before the syncs and writes below are counted
 * FAIL_SYNC       the number of the fsync or fdatasync of those files that fails with EIO, once, as on Linux: the next
 *                 one succeeds although what was to be synced is lost
 * FAIL_SYNC_LATE  1: it fails although the data went through
 * FAIL_FULL       the number of the write that finds the disk full: it and all after it that would make one of those
 *                 files longer fail with ENOSPC, the first of them after half of its bytes
 * CUT_SYNC        the number of the fsync or fdatasync in which the power goes: the process is killed
 * CUT_SYNC_LATE   1: it goes after the data went through
 * DISK_LOG        a file to which all of this is appended, in order: what was written to and synced of those files, and
 *                 what left by sockets
 * DISK_NOTE       a file that is made when the first of the faults above happens
 *
 * A record of the log: kind, file (0 the database, 1 its -wal, 2 its -journal), 2 bytes of nothing, the length of what
 * follows (uint32), an offset (uint64), and what was written. Numbers as the machine keeps them.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define TRANSFER "/transaction.transfer HTTP/1.1"

enum { DATABASE = 0, WAL = 1, JOURNAL = 2, OTHER = 3, NONE = -1 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *files;
static int log_fd = -1;
static long after_transfers, fail_sync, fail_full, cut_sync, transfers, syncs, longer_writes;
static int is_fail_late, is_cut_late;

static long number_of(const char *name) {
    const char *value = getenv(name);
    return value == NULL ? 0 : atol(value);
}

__attribute__((constructor)) static void begin(void) {
    files = getenv("DISK_FILES");
    after_transfers = number_of("AFTER_TRANSFERS");
    fail_sync = number_of("FAIL_SYNC");
    is_fail_late = number_of("FAIL_SYNC_LATE");
    fail_full = number_of("FAIL_FULL");
    cut_sync = number_of("CUT_SYNC");
    is_cut_late = number_of("CUT_SYNC_LATE");
    const char *path = getenv("DISK_LOG");
    if (path != NULL) log_fd = open(path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
}

static int ends_with(const char *path, const char *end) {
    size_t length = strlen(path), tail = strlen(end);
    return length >= tail && strcmp(path + length - tail, end) == 0;
}

static int file_at(const char *path) {
    if (files == NULL || strncmp(path, files, strlen(files)) != 0) return NONE;
    if (ends_with(path, "journal.db")) return DATABASE;
    if (ends_with(path, "journal.db-wal")) return WAL;
    if (ends_with(path, "journal.db-journal")) return JOURNAL;
    return OTHER;
}

static int file_of(int fd) {
    char link[64], path[4096];
    if (files == NULL) return NONE;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return NONE;
    path[length] = 0;
    return file_at(path);
}

static void put(const void *bytes, size_t count) {
    for (const char *at = bytes; count > 0;) {
        ssize_t done = syscall(SYS_write, log_fd, at, count);
        if (done < 0) abort();
        at += done;
        count -= done;
    }
}

static void put_record(char kind, int file, uint64_t offset, const struct iovec *parts, int count) {
    if (log_fd < 0 || file == OTHER) return;
    char head[16] = {kind, (char)file};
    uint32_t length = 0;
    for (int i = 0; i < count; i++) length += parts[i].iov_len;
    memcpy(head + 4, &length, 4);
    memcpy(head + 8, &offset, 8);
    pthread_mutex_lock(&lock);
    put(head, sizeof head);
    for (int i = 0; i < count; i++) put(parts[i].iov_base, parts[i].iov_len);
    pthread_mutex_unlock(&lock);
}

static void note(void) {
    const char *path = getenv("DISK_NOTE");
    int fd = path == NULL ? -1 : open(path, O_CREAT | O_WRONLY, 0600);
    if (fd >= 0) close(fd);
}

static void cut(void) {
    note();
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

static int synced(int fd, const char *name) {
    int (*real)(int) = dlsym(RTLD_NEXT, name);
    int file = file_of(fd);
    if (file == NONE) return real(fd);
    pthread_mutex_lock(&lock);
    long number = transfers < after_transfers ? -1 : ++syncs;
    pthread_mutex_unlock(&lock);
    if (number == cut_sync && !is_cut_late) cut();
    if (number == fail_sync && !is_fail_late) {
        note();
        put_record('F', file, 0, NULL, 0);
        errno = EIO;
        return -1;
    }
    int result = real(fd);
    if (result == 0) put_record('S', file, 0, NULL, 0);
    if (number == cut_sync) cut();
    if (number != fail_sync) return result;
    note();
    errno = EIO;
    return -1;
}

int fsync(int fd) { return synced(fd, "fsync"); }
int fdatasync(int fd) { return synced(fd, "fdatasync"); }

/* How many of the bytes still fit; -1 where it is none. */
static ssize_t room(int fd, size_t count, off64_t offset) {
    struct stat64 state;
    if (fail_full == 0 || count == 0) return count;
    if (fstat64(fd, &state) != 0 || !S_ISREG(state.st_mode) || offset + (off64_t)count <= state.st_size) return count;
    pthread_mutex_lock(&lock);
    long number = transfers < after_transfers ? -1 : ++longer_writes;
    pthread_mutex_unlock(&lock);
    if (number < fail_full) return count;
    note();
    return number == fail_full && count > 1 ? (ssize_t)(count / 2) : -1;
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
    ssize_t (*real)(int, const void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pwrite64");
    int file = file_of(fd);
    if (file == NONE) return real(fd, bytes, count, offset);
    ssize_t fits = room(fd, count, offset);
    if (fits < 0) {
        errno = ENOSPC;
        return -1;
    }
    ssize_t done = real(fd, bytes, fits, offset);
    struct iovec part = {(void *)bytes, done > 0 ? done : 0};
    if (done > 0) put_record('W', file, offset, &part, 1);
    return done;
}

int ftruncate64(int fd, off64_t length) {
    int (*real)(int, off64_t) = dlsym(RTLD_NEXT, "ftruncate64");
    int file = file_of(fd), result = real(fd, length);
    if (file != NONE && result == 0) put_record('T', file, length, NULL, 0);
    return result;
}

int unlink(const char *path) {
    int (*real)(const char *) = dlsym(RTLD_NEXT, "unlink");
    int file = file_at(path), result = real(path);
    if (file != NONE && result == 0) put_record('U', file, 0, NULL, 0);
    return result;
}

/* Logged before it leaves: what was synced by then stands before it. */
static void leaves(int fd, const struct iovec *parts, int count) {
    struct stat64 state;
    if (files == NULL || fstat64(fd, &state) != 0 || !S_ISSOCK(state.st_mode)) return;
    put_record('P', 0, 0, parts, count);
    for (int i = 0; i < count; i++)
        if (memmem(parts[i].iov_base, parts[i].iov_len, TRANSFER, sizeof TRANSFER - 1)) transfers++;
}

static off64_t end_of(int fd) {
    struct stat64 state;
    if (fcntl(fd, F_GETFL) & O_APPEND) return fstat64(fd, &state) == 0 ? state.st_size : 0;
    return lseek64(fd, 0, SEEK_CUR);
}

ssize_t write(int fd, const void *bytes, size_t count) {
    ssize_t (*real)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
    struct iovec part = {(void *)bytes, count};
    leaves(fd, &part, 1);
    ssize_t fits = fail_full == 0 || file_of(fd) == NONE ? (ssize_t)count : room(fd, count, end_of(fd));
    if (fits >= 0) return real(fd, bytes, fits);
    errno = ENOSPC;
    return -1;
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    ssize_t (*real)(int, const struct iovec *, int) = dlsym(RTLD_NEXT, "writev");
    leaves(fd, parts, count);
    return real(fd, parts, count);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    ssize_t (*real)(int, const struct msghdr *, int) = dlsym(RTLD_NEXT, "sendmsg");
    leaves(fd, message->msg_iov, message->msg_iovlen);
    return real(fd, message, flags);
}
