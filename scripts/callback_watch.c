// Preloaded into a test process by scripts/test-callback.sh: counts what a device's callback must never do, on the
// thread and in the time that a test marks. There it also stands in for libpulse, whose own calls are not ours to judge:
// a marked thread that peeks is given packets, holes, and then nothing.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

// In the initial model, so that looking at them allocates nothing.
static __thread int is_watched __attribute__((tls_model("initial-exec")));
static __thread long fault_count __attribute__((tls_model("initial-exec")));
static __thread int packet __attribute__((tls_model("initial-exec")));

#define NOTE() (void)(is_watched && ++fault_count)

void auricle_watch_begin(void) {
  fault_count = 0;
  packet = 0;
  is_watched = 1;
}

long auricle_watch_end(void) {
  is_watched = 0;
  return fault_count;
}

void *malloc(size_t size) { NOTE(); return __libc_malloc(size); }
void *calloc(size_t count, size_t size) { NOTE(); return __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { NOTE(); return __libc_realloc(old, size); }
void *memalign(size_t alignment, size_t size) { NOTE(); return __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { NOTE(); return __libc_memalign(alignment, size); }
void free(void *old) { NOTE(); __libc_free(old); }

int posix_memalign(void **result, size_t alignment, size_t size) {
  NOTE();
  *result = __libc_memalign(alignment, size);
  return *result ? 0 : 12;
}

// What waits, or asks the system: passed on to the next library that has it.
#define PASS_ON(name, result, parameters, ...)                        \
  result name parameters {                                            \
    static result(*next) parameters;                                  \
    NOTE();                                                           \
    if (!next) next = (result(*) parameters)dlsym(RTLD_NEXT, #name);  \
    return next(__VA_ARGS__);                                         \
  }

PASS_ON(pthread_mutex_lock, int, (pthread_mutex_t *mutex), mutex)
PASS_ON(pthread_cond_wait, int, (pthread_cond_t *condition, pthread_mutex_t *mutex), condition, mutex)
PASS_ON(pthread_cond_signal, int, (pthread_cond_t *condition), condition)
PASS_ON(pthread_cond_broadcast, int, (pthread_cond_t *condition), condition)
PASS_ON(pthread_rwlock_rdlock, int, (pthread_rwlock_t *lock), lock)
PASS_ON(pthread_rwlock_wrlock, int, (pthread_rwlock_t *lock), lock)
PASS_ON(write, ssize_t, (int file, const void *bytes, size_t count), file, bytes, count)
PASS_ON(usleep, int, (useconds_t time), time)

long syscall(long number, ...) {
  static long (*next)(long, ...);
  va_list rest;
  long a, b, c, d, e, f;
  NOTE();
  if (!next) next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  va_start(rest, number);
  a = va_arg(rest, long), b = va_arg(rest, long), c = va_arg(rest, long);
  d = va_arg(rest, long), e = va_arg(rest, long), f = va_arg(rest, long);
  va_end(rest);
  return next(number, a, b, c, d, e, f);
}

// 480 frames of mono, a hole of 240, 480 frames, nothing; and so on for each call of the callback.
static const float sound[480];

int pa_stream_peek(void *stream, const void **data, size_t *length) {
  static int (*next)(void *, const void **, size_t *);
  if (is_watched) {
    *data = packet == 1 || packet == 3 ? NULL : sound;
    *length = packet == 3 ? 0 : packet == 1 ? sizeof sound / 2 : sizeof sound;
    if (packet == 3) packet = 0;
    return 0;
  }
  if (!next) next = (int (*)(void *, const void **, size_t *))dlsym(RTLD_NEXT, "pa_stream_peek");
  return next(stream, data, length);
}

int pa_stream_drop(void *stream) {
  static int (*next)(void *);
  if (is_watched) return packet++, 0;
  if (!next) next = (int (*)(void *))dlsym(RTLD_NEXT, "pa_stream_drop");
  return next(stream);
}
