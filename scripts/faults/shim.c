/*
 * A library between a program and the disk (LD_PRELOAD). It handles only the files of one folder, KONTOR_FAULTS_FOLDER,
 * and does what the other variables say:
 *
 *   KONTOR_FAULTS_LOG      records every write, truncation, sync, deletion and renaming, in order and with the bytes;
 *                          also every response that is sent on a socket, by its X-Request-Id. So the log shows what
 *                          was on disk when a client got its response.
 *   KONTOR_FAULTS_REFUSE   a file with "ERRNO COUNT": while it exists, writes fail with that error after COUNT writes
 *                          have succeeded since the last sync or failure.
 *   KONTOR_FAULTS_KILL_AT  kills the process instead of that call, counted from 1.
 *   KONTOR_FAULTS_KILL_201 kills it instead of sending that 201 response, so that the client never gets it.
 *
 * scripts/faults/recording.ts reads the log.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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

enum { WRITE = 1, TRUNCATE, SYNC, REMOVE, RENAME, SYNC_FOLDER, ANSWER };

struct head {
  uint32_t operation, name_length;
  uint64_t offset, data_length;
};

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static const char *folder, *refuse_file;
static size_t folder_length;
static int log_descriptor = -1;
static long kill_at, kill_201, calls, created, written;

__attribute__((constructor)) static void set_up(void) {
  folder = getenv("KONTOR_FAULTS_FOLDER");
  folder_length = folder ? strlen(folder) : 0;
  refuse_file = getenv("KONTOR_FAULTS_REFUSE");
  const char *at = getenv("KONTOR_FAULTS_KILL_AT"), *answer = getenv("KONTOR_FAULTS_KILL_201");
  kill_at = at ? atol(at) : 0;
  kill_201 = answer ? atol(answer) : 0;
  const char *log = getenv("KONTOR_FAULTS_LOG");
  if (log) log_descriptor = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

/* The name of a path in the folder, or null when the path is outside of it. */
static const char *name_in_folder(const char *path) {
  if (!folder || strncmp(path, folder, folder_length) != 0) return NULL;
  if (path[folder_length] == 0) return "";
  return path[folder_length] == '/' ? path + folder_length + 1 : NULL;
}

/* The name of an open file in the folder ("" is the folder itself), or null. The caller owns the memory. */
static const char *name_of(int descriptor, char *memory) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, memory, PATH_MAX - 1);
  if (length < 0) return NULL;
  memory[length] = 0;
  return name_in_folder(memory);
}

static void note(int operation, const char *name, uint64_t offset, const void *data, size_t length) {
  if (log_descriptor < 0) return;
  struct head head = {operation, strlen(name), offset, length};
  struct iovec parts[3] = {{&head, sizeof head}, {(void *)name, head.name_length}, {(void *)data, length}};
  size_t whole = sizeof head + head.name_length + length;
  /* An incomplete log would prove nothing. */
  if (syscall(SYS_writev, log_descriptor, parts, 3) != (long)whole) abort();
}

static void count_call(void) {
  if (kill_at && ++calls == kill_at) kill(getpid(), SIGKILL);
}

/* The error that a write must fail with now, or 0. */
static int refusal(void) {
  if (!refuse_file) return 0;
  int descriptor = open(refuse_file, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  char text[64] = "";
  long length = syscall(SYS_read, descriptor, text, sizeof text - 1);
  close(descriptor);
  int error = 0;
  long allowed = 0;
  if (length <= 0 || sscanf(text, "%d %ld", &error, &allowed) < 1 || written++ < allowed) return 0;
  written = 0;
  return error;
}

static ssize_t write_at(int descriptor, const void *data, size_t length, off_t offset, int has_offset) {
  char memory[PATH_MAX];
  const char *name = name_of(descriptor, memory);
  if (!name)
    return has_offset ? syscall(SYS_pwrite64, descriptor, data, length, offset) : syscall(SYS_write, descriptor, data, length);
  pthread_mutex_lock(&turn);
  count_call();
  ssize_t result = -1;
  int error = refusal();
  if (error) errno = error;
  else {
    if (!has_offset) offset = lseek(descriptor, 0, fcntl(descriptor, F_GETFL) & O_APPEND ? SEEK_END : SEEK_CUR);
    result = has_offset ? syscall(SYS_pwrite64, descriptor, data, length, offset) : syscall(SYS_write, descriptor, data, length);
    int kept = errno;
    if (result > 0) note(WRITE, name, offset, data, result);
    errno = kept;
  }
  pthread_mutex_unlock(&turn);
  return result;
}

/* Bun sends the head of a large response in many parts: the name of a header, ": ", and its value. */
static void note_parts(const char *data, size_t length) {
  static __thread int follows = 0;
  if (length == 12 && strncasecmp(data, "x-request-id", 12) == 0) follows = 2;
  else if (follows && --follows == 0) {
    pthread_mutex_lock(&turn);
    note(ANSWER, "", 0, data, length);
    pthread_mutex_unlock(&turn);
  }
}

/* Records which responses are about to be sent. */
static void note_answers(const char *data, size_t length) {
  static const char header[] = "x-request-id: ";
  note_parts(data, length);
  if (length < 16 || memcmp(data, "HTTP/1.1 ", 9) != 0) return;
  for (size_t at = 0; at + sizeof header < length; at++) {
    if (strncasecmp(data + at, header, sizeof header - 1) != 0) continue;
    const char *id = data + at + sizeof header - 1;
    size_t size = 0;
    while (id + size < data + length && id[size] != '\r') size++;
    pthread_mutex_lock(&turn);
    if (kill_201 && memcmp(data + 9, "201", 3) == 0 && ++created == kill_201) kill(getpid(), SIGKILL);
    note(ANSWER, "", 0, id, size);
    pthread_mutex_unlock(&turn);
  }
}

ssize_t pwrite(int descriptor, const void *data, size_t length, off_t offset) {
  return write_at(descriptor, data, length, offset, 1);
}
ssize_t pwrite64(int descriptor, const void *data, size_t length, off64_t offset) {
  return write_at(descriptor, data, length, offset, 1);
}
ssize_t write(int descriptor, const void *data, size_t length) {
  note_answers(data, length);
  return write_at(descriptor, data, length, 0, 0);
}

static int truncate_to(int descriptor, off_t length) {
  char memory[PATH_MAX];
  const char *name = name_of(descriptor, memory);
  if (!name) return syscall(SYS_ftruncate, descriptor, length);
  pthread_mutex_lock(&turn);
  count_call();
  int error = refusal(), result = -1;
  if (error) errno = error;
  else if ((result = syscall(SYS_ftruncate, descriptor, length)) == 0)
    note(TRUNCATE, name, length, NULL, 0);
  pthread_mutex_unlock(&turn);
  return result;
}
int ftruncate(int descriptor, off_t length) { return truncate_to(descriptor, length); }
int ftruncate64(int descriptor, off64_t length) { return truncate_to(descriptor, length); }

static int sync_file(int descriptor, long call) {
  char memory[PATH_MAX];
  const char *name = name_of(descriptor, memory);
  if (!name) return syscall(call, descriptor);
  pthread_mutex_lock(&turn);
  count_call();
  written = 0;
  int result = syscall(call, descriptor);
  if (result == 0) note(*name ? SYNC : SYNC_FOLDER, name, 0, NULL, 0);
  pthread_mutex_unlock(&turn);
  return result;
}
int fsync(int descriptor) { return sync_file(descriptor, SYS_fsync); }
int fdatasync(int descriptor) { return sync_file(descriptor, SYS_fdatasync); }

int unlink(const char *path) {
  const char *name = name_in_folder(path);
  if (!name) return syscall(SYS_unlinkat, AT_FDCWD, path, 0);
  pthread_mutex_lock(&turn);
  count_call();
  int result = syscall(SYS_unlinkat, AT_FDCWD, path, 0);
  if (result == 0) note(REMOVE, name, 0, NULL, 0);
  pthread_mutex_unlock(&turn);
  return result;
}

int rename(const char *from, const char *to) {
  const char *name = name_in_folder(from), *new_name = name_in_folder(to);
  if (!name || !new_name) return syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
  pthread_mutex_lock(&turn);
  count_call();
  int result = syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
  if (result == 0) note(RENAME, name, 0, new_name, strlen(new_name));
  pthread_mutex_unlock(&turn);
  return result;
}

ssize_t send(int descriptor, const void *data, size_t length, int flags) {
  note_answers(data, length);
  return syscall(SYS_sendto, descriptor, data, length, flags, NULL, 0);
}
ssize_t sendto(int descriptor, const void *data, size_t length, int flags, const struct sockaddr *to, socklen_t size) {
  note_answers(data, length);
  return syscall(SYS_sendto, descriptor, data, length, flags, to, size);
}
ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags) {
  for (size_t i = 0; i < message->msg_iovlen; i++)
    note_answers(message->msg_iov[i].iov_base, message->msg_iov[i].iov_len);
  return syscall(SYS_sendmsg, descriptor, message, flags);
}
ssize_t writev(int descriptor, const struct iovec *parts, int count) {
  for (int i = 0; i < count; i++) note_answers(parts[i].iov_base, parts[i].iov_len);
  return syscall(SYS_writev, descriptor, parts, count);
}
