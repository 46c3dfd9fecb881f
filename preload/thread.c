/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps the state of each thread. A thread gets a state with its first event, and returns the state
 * in the last round of its destructors. If destructors of other libraries allocate after that, the
 * thread gets a state again. A thread may end without destructors, because it was killed or because
 * the tracker has no thread-specific key. Then its state stays assigned, until another thread finds
 * that the kernel no longer knows its tid, and takes over the state. */
#include "tracker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "affinity.h"
#include "clock.h"
#include "rawcall.h"
#include "real.h"
#include "seal.h"
#include "start.h"

enum {
	SLAB_THREADS = 64,
	/* maximum number of slabs; together they have room for more threads than the kernel
	 * permits */
	SLABS = 65536,
	/* number of lost events between two attempts to get a chunk */
	RETRY_AFTER = 4096,
	/* maximum number of states that a new thread examines, to find one whose thread has
	 * ended */
	LOOK_AT = 4,
	/* for keys with this number or above, pthread_setspecific() allocates */
	KEYS_IN_THREAD = 32,
	/* rounds of destructors at the end of a thread (PTHREAD_DESTRUCTOR_ITERATIONS) */
	ROUNDS = 4,
};

/* value of thread.tid in a state that its thread has returned */
#define TID_GIVEN_BACK (~0u - 1)

__thread struct thread *thread_self;

/* The thread's stack cache. A forked child finds it here and continues to use it; struct thread,
 * which also has this pointer, is filled with zeros in the child. */
static __thread struct stack_thread *thread_stack __attribute__((tls_model("initial-exec")));

static __thread bool thread_blind __attribute__((tls_model("initial-exec")));

/* Will libc call on_end() for this thread? A forked child inherits that from its parent. */
static __thread bool end_is_watched __attribute__((tls_model("initial-exec")));

/* An array of states of threads (called places), in pages that the kernel fills with zeros in a
 * forked child. */
struct slab {
	_Alignas(64) struct wiped wiped; /* only that of the first slab is used */
	_Alignas(64) struct thread threads[SLAB_THREADS];
};

/* The pointers to later slabs are in memory that is mapped when the second slab is needed. */
static struct slab *first_slab START_STATE, **later_slabs START_STATE;

static uint32_t places START_STATE; /* number of places assigned so far */
static uint32_t hand START_STATE;   /* number of the place that adopt_thread() checks next */

/* the thread-specific key whose destructor is on_end(); KEYS_IN_THREAD or more means that there is
 * no key */
static pthread_key_t end_key START_STATE = KEYS_IN_THREAD;

/* The state of every thread for which there was no memory (attach_thread()). It never has a chunk,
 * so the events of these threads are only counted as lost. */
static struct thread nobody = { .tid = ~0u };

bool signals_block(uint64_t *saved)
{
	uint64_t all = ~0ull;
	long ret = rawcall4(SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, (long)saved, sizeof(all));

	return !rawcall_failed(ret);
}

void signals_restore(const uint64_t *saved)
{
	/* rawcall6() must not be used here: it makes no system call if another thread has sealed
	 * the process (seal.h) in the meantime. Then this thread would never get signals again. */
	rawcall(SYS_rt_sigprocmask, SIG_SETMASK, (long)saved, 0, sizeof(*saved), 0, 0);
}

static void *map_pages(size_t bytes, int prot)
{
	long p = rawcall6(SYS_mmap, 0, (long)bytes, prot,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return rawcall_failed(p) ? NULL : (void *)p;
}

/* Returns where the pointer to slab n is. Returns NULL if only the first slab was ever needed. */
static struct slab **slab_slot(uint32_t n)
{
	struct slab **later = __atomic_load_n(&later_slabs, __ATOMIC_ACQUIRE);

	if (!n)
		return &first_slab;
	return later ? &later[n] : NULL;
}

/* Maps the pointers to later slabs, unless another thread does so at the same time. */
static void map_later_slabs(void)
{
	const size_t bytes = SLABS * sizeof(later_slabs[0]);
	struct slab **p = map_pages(bytes, PROT_READ | PROT_WRITE), **none = NULL;

	if (p && !__atomic_compare_exchange_n(&later_slabs, &none, p, false, __ATOMIC_ACQ_REL,
					      __ATOMIC_ACQUIRE))
		rawcall4(SYS_munmap, (long)p, (long)bytes, 0, 0);
}

static struct slab *slab_at(uint32_t n)
{
	struct slab **slot = slab_slot(n), *p, *none = NULL;

	if (!slot) {
		map_later_slabs();
		slot = slab_slot(n);
	}
	p = slot ? __atomic_load_n(slot, __ATOMIC_ACQUIRE) : NULL;
	if (p || !slot)
		return p;
	p = map_pages(sizeof(*p), PROT_READ | PROT_WRITE);
	if (!p)
		return NULL;
	if (rawcall4(SYS_madvise, (long)p, sizeof(*p), MADV_WIPEONFORK, 0)) {
		rawcall4(SYS_munmap, (long)p, sizeof(*p), 0, 0);
		return NULL;
	}
	if (__atomic_compare_exchange_n(slot, &none, p, false, __ATOMIC_ACQ_REL,
					__ATOMIC_ACQUIRE)) {
		/* one call is cheaper than the page fault at the first access */
		rawcall4(SYS_madvise, (long)p, 1, MADV_POPULATE_WRITE, 0);
		return p;
	}
	rawcall4(SYS_munmap, (long)p, sizeof(*p), 0, 0);
	return none;
}

struct wiped *thread_wiped(void)
{
	struct slab *s = slab_at(0);

	return s ? &s->wiped : NULL;
}

/* Maps memory for the stack cache (call_stack.h) of a thread. */
static struct stack_thread *new_stack(void)
{
	void *p = map_pages(STACK_THREAD_SIZE, PROT_NONE);

	if (!p || !rawcall4(SYS_mprotect, (long)p, STACK_FIRST_BYTES, PROT_READ | PROT_WRITE, 0))
		return p;
	rawcall4(SYS_munmap, (long)p, STACK_THREAD_SIZE, 0, 0);
	return NULL;
}

static uint64_t thread_pointer(void)
{
	uint64_t tp;

#if defined(__x86_64__)
	__asm__("mov %%fs:0, %0" : "=r"(tp));
#else
	tp = (uint64_t)(uintptr_t)__builtin_thread_pointer();
#endif
	return tp;
}

/* Returns the tid that libc encodes in the clockid_t of a thread's CPU clock; 0 if unknown. */
uint32_t thread_tid_by_libc(uint64_t pointer)
{
	clockid_t clock;

	if (!real.pthread_getcpuclockid || real.pthread_getcpuclockid((pthread_t)pointer, &clock))
		return 0;
	return (uint32_t) ~(clock >> 3);
}

uint32_t thread_libc_tid(void)
{
	return thread_tid_by_libc(thread_pointer());
}

bool thread_is_borrowed(void)
{
	long tid = rawcall4(SYS_gettid, 0, 0, 0, 0);
	uint32_t known = thread_libc_tid();

	return known && !rawcall_failed(tid) && known != (uint32_t)tid;
}

/* Returns the tid of the calling thread in the numbering of /proc. */
static uint32_t own_tid(void)
{
	long n = rawcall4(SYS_gettid, 0, 0, 0, 0);
	uint32_t tid = rawcall_failed(n) ? thread_libc_tid() : (uint32_t)n;
	char text[64];

	if (!image.foreign_pids)
		return tid;
	n = rawcall4(SYS_readlinkat, AT_FDCWD, (long)"/proc/thread-self", (long)text, sizeof(text));
	if (n <= 0) /* the link is "PID/task/TID" */
		return tid;
	tid = 0;
	for (uint64_t unit = 1; n > 0 && text[n - 1] != '/'; n--, unit *= 10)
		tid += (uint32_t)((uint64_t)(text[n - 1] - '0') * unit);
	return tid;
}

/* A thread with the tid `had` used a place. Has that thread ended, so that the place is free? `tid`
 * is the calling thread's tid. If the two are equal, the kernel has reused the tid of the ended
 * thread for the calling one. */
static bool is_free(uint32_t had, uint32_t tid)
{
	if (had == TID_GIVEN_BACK)
		return true;
	if (image.foreign_pids)
		return false;
	return had == tid || rawcall4(SYS_tkill, (long)had, 0, 0, 0) == -ESRCH;
}

/* Takes over the place of a thread that has ended, for a thread with this tid. Examines only a few
 * places, and returns NULL if all of them are in use. */
static struct thread *adopt_thread(uint32_t tid)
{
	uint32_t n = __atomic_load_n(&places, __ATOMIC_RELAXED);

	if (n > SLABS * SLAB_THREADS)
		n = SLABS * SLAB_THREADS;
	for (unsigned i = 0; i < LOOK_AT && i < n; i++) {
		uint32_t at = __atomic_fetch_add(&hand, 1, __ATOMIC_RELAXED) % n, old;
		struct slab **slot = slab_slot(at / SLAB_THREADS), *s = slot ? *slot : NULL;
		struct thread *t = s ? &s->threads[at % SLAB_THREADS] : NULL;

		if (!t)
			continue;
		old = __atomic_load_n(&t->tid, __ATOMIC_ACQUIRE);
		if (!old || !t->stack || !is_free(old, tid))
			continue;
		if (__atomic_compare_exchange_n(&t->tid, &old, tid, false, __ATOMIC_ACQ_REL,
						__ATOMIC_RELAXED))
			return t;
	}
	return NULL;
}

static struct thread *new_place(uint32_t tid)
{
	uint32_t n = __atomic_fetch_add(&places, 1, __ATOMIC_RELAXED);
	struct slab *s = n / SLAB_THREADS < SLABS ? slab_at(n / SLAB_THREADS) : NULL;
	struct thread *t = s ? &s->threads[n % SLAB_THREADS] : NULL;

	if (!t)
		return NULL;
	if (n)
		__atomic_store_n(&image.threaded, true, __ATOMIC_RELAXED);
	if (!thread_stack || !stack_reset(thread_stack))
		thread_stack = new_stack();
	if (!thread_stack)
		return NULL;
	/* All other members are 0, because the slab is new or was wiped by fork. */
	t->stack = thread_stack;
	t->stream = n;
	t->random = image.header ? image.header->cookie + n : n;
	__atomic_store_n(&t->tid, tid, __ATOMIC_RELEASE);
	return t;
}

void thread_forget_all(void)
{
	places = hand = 0;
	image.affinity = 0;
	image.threaded = false;
}

void thread_set_blind(bool blind)
{
	struct thread *t = thread_self == &nobody ? NULL : thread_self;

	if (blind == thread_blind)
		return;
	thread_blind = blind;
	if (blind)
		__atomic_store_n(&image.blind_threads, true, __ATOMIC_RELAXED);
	if (t) {
		t->pos = 0; /* makes the thread call thread_attach() for its next event */
		/* 0: the next event tries log_begin() at once, and not only after RETRY_AFTER lost
		 * events */
		t->skipped = 0;
	}
}

/* Is the calling thread, which has no state yet, blind from its start (see thread_set_blind())? A
 * thread inherits blindness from the thread that starts it. So it may be blind only if another
 * thread of the image has been blind before. It is blind then if the process is sealed, or if
 * reading the counter faults. */
static bool is_born_blind(void)
{
	return image.blind_threads && (rawcall_sealed || clock_faults());
}

/* Assigns a state to the calling thread: a new one, or that of a thread that has ended. Returns
 * &nobody if there is no memory for a state, and NULL if nothing can be recorded. Must be called
 * with signals blocked. */
static __attribute__((noinline)) struct thread *attach_thread(void)
{
	struct thread *t = NULL;
	uint32_t tid;

	if (!image_start())
		return NULL;
	/* A vfork child of a thread without a place must not get a place. Place and thread_self
	 * would be in the parent's memory. So after the child's end, the parent's thread would use
	 * the place under the child's tid, and other threads could take it over. */
	if (!rawcall_sealed && image_is_parents())
		return NULL;
	if (is_born_blind()) {
		thread_blind = true;
		return NULL;
	}
	tid = own_tid();
	if (!thread_stack)
		t = adopt_thread(tid);
	if (t) {
		thread_stack = t->stack;
		stack_thread_moved(t->stack);
		t->pointer = thread_pointer();
		t->rebase_sp = 0;
		log_thread(t);
	} else {
		t = new_place(tid);
		if (!t)
			return &nobody;
		t->pointer = thread_pointer();
	}
	return t;
}

/* Lets the importer match this thread with perf's records when perf sees other tids, because perf
 * is in another PID namespace. Maps a page for a moment: perf records the mapping with its address
 * and with perf's tid of this thread, and the log records the address, too. Returns the address; 0
 * if nothing was mapped. The mapping is shared, because the kernel would merge a private one with
 * its neighbour. It is PROT_NONE, so that it differs from the mappings of the program. */
static uint64_t show_to_perf(uint32_t tid)
{
	long p;

	if (tid == image.pid || rawcall_sealed || !image_has_other_tids())
		return 0;
	p = rawcall6(SYS_mmap, 0, (long)image.header->page_bytes, PROT_NONE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (rawcall_failed(p))
		return 0;
	rawcall4(SYS_munmap, p, (long)image.header->page_bytes, 0, 0);
	return (uint64_t)p;
}

static __attribute__((noinline)) void record_pointer(struct thread *t)
{
	const uint64_t shown = show_to_perf(t->tid);
	struct track_event ev = { .ticks = clock_ticks(),
				  .address = t->pointer,
				  .old_address = shown,
				  .stack = STACK_TRUNCATED };

	log_event(t, &ev, TL_THREAD, TL_FN_THREAD_START, NULL, 0);
}

static void watch_end(uintptr_t rounds)
{
	if (end_key >= KEYS_IN_THREAD || end_is_watched)
		return;
	end_is_watched = true;
	real.pthread_setspecific(end_key, (void *)rounds);
}

struct thread *thread_attach(void)
{
	struct thread *t = thread_self;
	bool is_new = false, blocked;
	uint64_t saved = 0;

	if (image_is_off())
		return NULL;
	if (unlikely(thread_blind)) {
		log_lost(1);
		return NULL;
	}
	if (!t || !t->tid || (t == &nobody && nobody.skipped++ % RETRY_AFTER == 0)) {
		seal_notice();
		blocked = signals_block(&saved);
		t = attach_thread();
		is_new = t && t != &nobody;
		thread_self = t;
		if (blocked)
			signals_restore(&saved);
	}
	if (!t || (!t->pos && (t == &nobody || t->skipped++ % RETRY_AFTER || !log_begin(t)))) {
		log_lost(1);
		return NULL;
	}
	if (is_new) {
		watch_end(ROUNDS);
		record_pointer(t);
		affinity_record_start(t);
	}
	return t;
}

/* Records that the calling thread ends, and marks its place as free for other threads. */
static void give_back(struct thread *t)
{
	struct track_event ev = { .ticks = clock_ticks(), .stack = STACK_TRUNCATED };
	uint64_t saved = 0;
	bool blocked;

	log_event(t, &ev, TL_THREAD_END, TL_FN_NONE, NULL, 0);
	blocked = signals_block(&saved);
	thread_self = NULL;
	thread_stack = NULL;
	t->pointer = 0;
	__atomic_store_n(&t->tid, TID_GIVEN_BACK, __ATOMIC_RELEASE);
	if (blocked)
		signals_restore(&saved);
}

/* The destructor of end_key. libc calls it at the end of a thread, in every round in which the key
 * has a value; the value is the number of rounds that are left. */
static void on_end(void *rounds)
{
	struct thread *t = thread_self;

	end_is_watched = false;
	if ((uintptr_t)rounds > 1)
		watch_end((uintptr_t)rounds - 1);
	else if (t && t != &nobody && t->pos && t->tid)
		give_back(t);
}

void thread_watch_ends(void)
{
	if (real.pthread_key_create && real.pthread_setspecific &&
	    real.pthread_key_create(&end_key, on_end))
		end_key = KEYS_IN_THREAD;
}

uint32_t thread_tid_of(uint64_t pointer)
{
	uint32_t n = __atomic_load_n(&places, __ATOMIC_ACQUIRE);

	for (uint32_t i = 0; i < n && i / SLAB_THREADS < SLABS; i++) {
		struct slab *const *slot = slab_slot(i / SLAB_THREADS), *s = slot ? *slot : NULL;
		const struct thread *t = s ? &s->threads[i % SLAB_THREADS] : NULL;

		if (t && t->tid && t->pointer == pointer)
			return t->tid;
	}
	return 0;
}
