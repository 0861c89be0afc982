/**
 * Threads of the runtime library, as C. One wake per program: every thread runs the program's steps and they meet at barriers.
 * Waiting spins for about 20 µs (a wake-up costs 8) and then sleeps, because spinning beside a busy process loses whole time
 * slices. The calling thread is thread 0. If another host thread is already using the pool, the caller runs the program
 * alone: results do not depend on the number of threads.
 */
export const pool = `
typedef void steps_fn(const u64 *context, long thread, long threads);
#define MOST_THREADS 256

#if ARM
#define RELAX() __asm__ volatile("isb" ::: "memory")
#elif defined(__x86_64__)
#define RELAX() __builtin_ia32_pause()
#else
#define RELAX() __asm__ volatile("" ::: "memory")
#endif

#if defined(__linux__)
static void word_sleep(u32 *word, u32 seen) { syscall(SYS_futex, word, 128 /* wait, private */, seen, (void *)0, (void *)0, 0); }
static void word_wake(u32 *word) { syscall(SYS_futex, word, 129 /* wake, private */, 0x7fffffff, (void *)0, (void *)0, 0); }
#else
static pthread_mutex_t sleep_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t sleep_signal = PTHREAD_COND_INITIALIZER;
static void word_sleep(u32 *word, u32 seen) {
  pthread_mutex_lock(&sleep_lock);
  while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == seen) pthread_cond_wait(&sleep_signal, &sleep_lock);
  pthread_mutex_unlock(&sleep_lock);
}
static void word_wake(u32 *word) {
  (void)word;
  pthread_mutex_lock(&sleep_lock);
  pthread_cond_broadcast(&sleep_signal);
  pthread_mutex_unlock(&sleep_lock);
}
#endif

/* A word that counts up. Waiters pass the value they saw; sleepers register, so that advancing is usually not a system call. */
struct event { u32 count, sleepers; char pad[56]; } __attribute__((aligned(64)));

static long nanoseconds(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000L + t.tv_nsec; }

static void event_wait(struct event *e, u32 seen) {
  long start = 0;
  for (int i = 1;; i++) {
    if (__atomic_load_n(&e->count, __ATOMIC_ACQUIRE) != seen) return;
    RELAX();
    if ((i & 63) == 0) {
      const long now = nanoseconds();
      if (!start) start = now;
      else if (now - start > 20000) break;
    }
  }
  __atomic_fetch_add(&e->sleepers, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&e->count, __ATOMIC_SEQ_CST) == seen) word_sleep(&e->count, seen);
  __atomic_fetch_sub(&e->sleepers, 1, __ATOMIC_SEQ_CST);
}
static void event_advance(struct event *e) {
  __atomic_fetch_add(&e->count, 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&e->sleepers, __ATOMIC_SEQ_CST)) word_wake(&e->count);
}

static struct event wake[MOST_THREADS], meeting, finished;
static struct { u32 count; char pad[60]; } arrived __attribute__((aligned(64))), done __attribute__((aligned(64)));
static struct { steps_fn *steps; const u64 *context; long threads; } job;
static long workers = 0;
static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;

static void barrier(long threads) {
  const u32 seen = __atomic_load_n(&meeting.count, __ATOMIC_ACQUIRE);
  if (__atomic_add_fetch(&arrived.count, 1, __ATOMIC_ACQ_REL) == (u32)threads) {
    __atomic_store_n(&arrived.count, 0, __ATOMIC_RELAXED);
    event_advance(&meeting);
  } else event_wait(&meeting, seen);
}

static void *work(void *argument) {
  const long thread = (long)argument;
  u32 seen = 0;
  for (;;) {
    event_wait(&wake[thread], seen++);
    const long threads = job.threads;
    job.steps(job.context, thread, threads);
    if (__atomic_add_fetch(&done.count, 1, __ATOMIC_ACQ_REL) == (u32)(threads - 1)) event_advance(&finished);
  }
  return 0;
}

static void run(steps_fn *steps, const u64 *context, long threads) {
  if (threads > MOST_THREADS) threads = MOST_THREADS;
  if (pthread_mutex_trylock(&pool_lock)) { steps(context, 0, 1); return; }
  while (workers + 1 < threads) {
    pthread_t handle;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, 1 << 20);
    const int failed = pthread_create(&handle, &attributes, work, (void *)(workers + 1));
    pthread_attr_destroy(&attributes);
    if (failed) { threads = workers + 1; break; }
    workers++;
  }
  if (threads > 1) {
    const u32 seen = __atomic_load_n(&finished.count, __ATOMIC_ACQUIRE);
    job.steps = steps; job.context = context; job.threads = threads;
    done.count = 0;
    for (long i = 1; i < threads; i++) event_advance(&wake[i]);
    steps(context, 0, threads);
    event_wait(&finished, seen);
  } else steps(context, 0, 1);
  pthread_mutex_unlock(&pool_lock);
}
`;
