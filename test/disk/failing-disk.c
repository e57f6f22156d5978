/* Makes writes and fsyncs of a data folder's files fail on demand: the file named in FAULT_FILE says which, and with what. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "write 122" fails writes with errno 122, "fsync 5" fsyncs with errno 5; anything else nothing. */
static int fault(const char *kind) {
  const char *path = getenv("FAULT_FILE");
  FILE *file = path ? fopen(path, "r") : NULL;
  char found[16] = "";
  int number = 0;
  if (!file) return 0;
  int count = fscanf(file, "%15s %d", found, &number);
  fclose(file);
  return count == 2 && strcmp(found, kind) == 0 ? number : 0;
}

static int is_data(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return strstr(path, "coterie.db") != NULL || strstr(path, "hub.room") != NULL;
}

static int fails(const char *kind, int fd) {
  int number = is_data(fd) ? fault(kind) : 0;
  if (number) errno = number;
  return number;
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
  static ssize_t (*real)(int, const void *, size_t, off64_t);
  if (!real) real = dlsym(RTLD_NEXT, "pwrite64");
  return fails("write", fd) ? -1 : real(fd, bytes, count, offset);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
  return pwrite64(fd, bytes, count, offset);
}

ssize_t write(int fd, const void *bytes, size_t count) {
  static ssize_t (*real)(int, const void *, size_t);
  if (!real) real = dlsym(RTLD_NEXT, "write");
  return fails("write", fd) ? -1 : real(fd, bytes, count);
}

int fsync(int fd) {
  static int (*real)(int);
  if (!real) real = dlsym(RTLD_NEXT, "fsync");
  return fails("fsync", fd) ? -1 : real(fd);
}

int fdatasync(int fd) {
  static int (*real)(int);
  if (!real) real = dlsym(RTLD_NEXT, "fdatasync");
  return fails("fsync", fd) ? -1 : real(fd);
}
