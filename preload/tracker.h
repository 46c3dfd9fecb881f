/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tracker's state, per process image and per thread, and the functions that its files share.
 *
 * Rules of this folder: nothing may allocate, print, exit, set errno or be a cancellation point.
 * There are no locks: at every instruction, another thread may fork, and a signal handler may
 * interrupt the thread, allocate, or leave by longjmp. An event that cannot be recorded is counted.
 */
#ifndef MEMDB_PRELOAD_TRACKER_H
#define MEMDB_PRELOAD_TRACKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "call_stack.h"
#include "likely.h"
#include "track_format.h"

#define EXPORT __attribute__((visibility("default")))

/* a power of two: own_block() computes an index of 9 bits */
enum { THREAD_OWN = 512 };

/* One stream of records, and the thread that writes it. The struct is in pages that the kernel
 * fills with zeros in a forked child. So `pos` is 0 in the child, and its first event calls
 * thread_attach(). */
struct thread {
	/* address of the next free word, or the end of the chunk if it is full; 0 means that there
	 * is no chunk */
	uint64_t pos;
	/* ticks of the last TRACK_TIME in the stream; 0 means that one must be written first */
	uint64_t base;
	uint64_t limit;     /* ticks; a short record is used for times up to base + limit */
	uint64_t rebase_sp; /* stack pointer of a rebase_time() that is under way, otherwise 0 */
	uint64_t last_pair; /* ticks of the last TRACK_PAIR (ticks and ns) in the stream */
	uint64_t pair_gap;  /* minimum number of ticks from that TRACK_PAIR to the next one */
	struct stack_thread *stack;
	uint64_t pointer; /* the thread pointer, which is also its pthread_t */
	/* tid of the thread that uses this struct; 0 means that no thread has used it yet */
	uint32_t tid;
	uint32_t stream;
	uint32_t chunks;  /* number of chunks of this stream that were claimed */
	uint32_t skipped; /* events that were lost since the last attempt to get a chunk */
	/* state of the random numbers with which sample_birth() chooses blocks */
	uint64_t random;
	/* the last block that was allocated and the last block that was freed; see layer_enter() */
	uint64_t born, freed;
	uint64_t own[THREAD_OWN]; /* the blocks that the thread remembers; see own_block() */
};

/* The state of the process image, which is the program that the process executes. image_start()
 * fills it in, and does so again in a forked child. */
struct image {
	struct track_header *header; /* where the log begins; NULL means that there is no log */
	struct track_header *log;    /* header of the log's own file; NULL means that it has no
				      * file */
	uint64_t capacity;           /* usable bytes of that file */
	uint64_t min_size;
	uint64_t sample_bytes; /* blocks below this size are sampled, one in sample_every */
	/* 0 means that all blocks are always recorded. 1 means that all blocks are recorded until
	 * the recorder raises track_shared.every (sample.h) */
	uint32_t sample_every;
	uint64_t homes_size; /* home nodes are looked up for blocks of at least this size */
	/* hash of the affinity with which the first thread of the image started; 0 means unknown */
	uint64_t affinity;
	uint32_t shift;
	bool tsc;
	bool threaded; /* whether more than one struct thread was needed */
	/* whether /proc belongs to another PID namespace, so that its pids differ from getpid() */
	bool foreign_pids;
	bool blind_threads; /* whether a thread is or was blind, see thread_set_blind() */
	uint8_t other_tids; /* see image_has_other_tids() */
	uint32_t pid;       /* what getpid() returns, or would return without a filter */
};

extern struct image image __attribute__((visibility("hidden")));
extern __thread struct thread *thread_self __attribute__((visibility("hidden")))
__attribute__((tls_model("initial-exec")));

/* In image.c: the process. */

/* Starts the recording of this process image. The first call reads the environment and creates the
 * log. The first call in a forked child creates a new log. Later calls do nothing. Returns whether
 * there is a log. Signals must be blocked. */
bool image_start(void);

/* Is nothing recorded in this process, neither now nor later? True if the user did not ask for a
 * recording, or if no log could be created. */
bool image_is_off(void);

/* Is the process in another PID namespace than the recorder, and does /proc belong to the process's
 * namespace? Then perf knows its threads by other tids. Costs a system call at the first call. */
bool image_has_other_tids(void);

/* Does `image` still describe the parent of the calling process? True in a vfork child, which runs
 * in the memory of its parent, and in a forked child that has not begun its log yet. Costs a system
 * call, except in such a forked child. */
bool image_is_parents(void);

/* If the log has no room to grow, makes room in the shared file or in a file of its own. Returns
 * whether there is room. */
bool image_grow(void);

/* Gives the log a file of its own, before the program limits or locks its memory or forbids
 * itself system calls. Returns whether it has one. */
bool image_own_file(void);

/* life.c: called before the image ends by _exit() or executes another program. Does nothing in a
 * sealed process (seal.h), in a vfork child, which runs in the memory of its parent, and in a
 * forked child that has logged nothing. */
void life_before_end(void);

/* Called before the image ends by _exit() or the system call exit_group. */
void life_at_end(void);

/* Called before the program sets the limit `what` (RLIMIT_*) of a process (0: its own) to *to; with
 * NULL, it only asks for the limit. If it is its own, begins the log before the new limit applies.
 * For RLIMIT_AS, also gives the log a file of its own, and unmaps the address space that is
 * reserved for its growth. */
void life_before_limit(pid_t pid, int what, const void *to);

/* lock.c: does what syscall(SYS_mlockall, flags) does. */
int lock_by_number(int flags);

/* In thread.c. */

/* What the kernel fills with zeros in a forked child. */
struct wiped {
	uint32_t mark;  /* see image.c */
	uint32_t forks; /* number of forks without spare slots (spares.c) */
	/* unused slots of the range in spares.c: number of the first one << 32 | number of the
	 * first slot that belongs to other processes */
	uint64_t spares;
};

/* Returns this struct; NULL if there are no such pages. */
struct wiped *thread_wiped(void);

/* Creates a thread-specific key, so that libc reports the end of each thread. Must be called once,
 * in a constructor, while the first keys are not in use yet (for later keys, pthread_setspecific()
 * allocates). */
void thread_watch_ends(void);

/* For a forked child: marks all places (states of threads) as free, because they belong to threads
 * of the parent. Called while no thread of the child has a place. */
void thread_forget_all(void);

/* Returns the state of the calling thread, and makes sure that it has a chunk. Creates both if
 * necessary. Returns NULL if nothing can be recorded, and counts one lost event. */
struct thread *thread_attach(void);

/* Block all signals of the calling thread, or restore its signal mask. Used around changes that a
 * signal handler must not interrupt. Call signals_restore() only if signals_block() has returned
 * true. */
bool signals_block(uint64_t *saved);
void signals_restore(const uint64_t *saved);

/* Sets whether the calling thread is blind. A blind thread must not read the clock, so its events
 * are only counted as lost. */
void thread_set_blind(bool blind);

/* Returns the tid of the thread with this pthread_t; 0 if that thread has logged nothing. */
uint32_t thread_tid_of(uint64_t pointer);

/* Returns the tid of the calling thread as libc knows it, without a system call; 0 means unknown.
 * In a vfork child it is the tid of the thread that called vfork(). */
uint32_t thread_libc_tid(void);

/* Does the calling thread use the memory of the thread that libc knows under this thread pointer,
 * as a vfork child does? Returns false if that is unknown. Costs a system call. */
bool thread_is_borrowed(void);

/* Returns the tid of a pthread_t as libc knows it, without a system call; 0 means unknown. */
uint32_t thread_tid_by_libc(uint64_t pointer);

static inline __attribute__((always_inline)) struct thread *thread_get(void)
{
	struct thread *t = thread_self;

	if (likely(t && t->pos))
		return t;
	return thread_attach();
}

/*
 * In hooks_map.c: calls munmap(), mprotect() or madvise(). A program may read /proc/self/maps and
 * pass every mapping that it does not know to such a call. The tracker's mappings are left out, as
 * if they did not exist: the call is made for each part between them, until it fails.
 */
int map_beside_own(int call(void *, size_t, int), void *at, size_t size, int arg);

/* In chunk.c: the log. An event for which there is no room is counted. */

void log_lost(uint64_t events);
void log_death_slow(struct thread *t, uint64_t ticks, uint64_t address);
void log_birth_slow(struct thread *t, uint64_t ticks, uint64_t address, uint64_t size,
		    enum tl_function fn, unsigned cpu, uint32_t stack);

/*
 * Records that realloc has replaced block `old`, which died at the time `died`, with the block at
 * `address`, born at `ticks`.
 */
void log_realloc(struct thread *t, uint64_t died, uint64_t old, uint64_t ticks, uint64_t address,
		 uint64_t size, enum tl_function fn, uint32_t stack);

/* Records that a call of `fn`, which is not free(), has freed the block. */
void log_end_by(struct thread *t, uint64_t ticks, uint64_t address, enum tl_function fn);

/* Writes the nodes of stacks that are not in the log yet. */
void log_nodes(struct thread *t);

/* Records t->tid, the tid of the thread that has taken over the stream and writes it from now
 * on. */
void log_thread(struct thread *t);

/* Writes a long record of an event. `extra` points to ev->extra entries of entry_bytes each; NULL
 * if there are no entries. Entries beyond TRACK_EXTRA_WORDS are dropped. */
void log_event(struct thread *t, struct track_event *ev, enum tl_kind kind, enum tl_function fn,
	       const void *extra, size_t entry_bytes);

/* If the thread still writes to the short chunk of a slot, moves it to a larger chunk, which has
 * more room before the next system call is needed. */
void log_leave_slot(struct thread *t);

/* Begins the stream's first chunk, or tries again after a failure. Returns false if there is no
 * chunk. */
bool log_begin(struct thread *t);

/* Compares and swaps in one instruction. It is atomic only for the signal handlers of this
 * thread, so it needs no bus lock. */
static inline __attribute__((always_inline)) bool local_cas(uint64_t *p, uint64_t old, uint64_t to)
{
#if defined(__x86_64__)
	bool done;

	__asm__ volatile("cmpxchg %3, %1"
			 : "=@ccz"(done), "+m"(*p), "+a"(old)
			 : "r"(to)
			 : "memory");
	return done;
#else
	return __atomic_compare_exchange_n(p, &old, to, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
#endif
}

static inline uint64_t load_pos(const struct thread *t)
{
	uint64_t pos = __atomic_load_n(&t->pos, __ATOMIC_RELAXED);

	__atomic_signal_fence(__ATOMIC_SEQ_CST); /* base and limit must be read after pos */
	return pos;
}

/* Is there room for this many bytes between pos and the end of its chunk? The end is the next
 * multiple of TRACK_CHUNK. Returns false if pos is 0 or at the end. */
static inline bool log_fits(uint64_t pos, uint64_t bytes)
{
	return ((pos - 1) & (TRACK_CHUNK - 1)) < TRACK_CHUNK - bytes;
}

static inline bool log_is_short(uint64_t address)
{
	return !(address & ~TRACK_ADDRESS_MASK);
}

/* Returns the first word of a short record; `since` is the record's time minus t->base, in
 * ticks. */
static inline uint64_t log_word(enum track_type type, uint64_t since, uint64_t address)
{
	return TRACK_WORD(type) | TRACK_PUT(SHORT_TIME, since >> image.shift) |
	       address >> TRACK_ADDRESS_SHIFT;
}

/* Records the end of a heap block. Takes about 3 ns. */
static inline __attribute__((always_inline)) void log_death(struct thread *t, uint64_t ticks,
							    uint64_t address)
{
	uint64_t pos, since;

	do {
		pos = load_pos(t);
		since = ticks - t->base;
		if (unlikely(since > t->limit || !log_fits(pos, 8) || !log_is_short(address))) {
			log_death_slow(t, ticks, address);
			return;
		}
	} while (unlikely(!local_cas(&t->pos, pos, pos + 8)));
	__atomic_store_n((uint64_t *)pos, log_word(TRACK_DEATH, since, address), __ATOMIC_RELEASE);
}

/* Returns the second word of a TRACK_BIRTH record. */
static inline uint64_t log_birth_word(enum tl_function fn, unsigned cpu, uint64_t size,
				      uint32_t stack)
{
	if (cpu > TRACK_BIRTH_CPU_NONE)
		cpu = TRACK_BIRTH_CPU_NONE;
	return TRACK_WORD(TRACK_BODY) | TRACK_PUT(BIRTH_FUNCTION, fn) | TRACK_PUT(BIRTH_CPU, cpu) |
	       TRACK_PUT(BIRTH_SIZE, size) | TRACK_PUT(BIRTH_STACK, stack);
}

/* Records a new heap block. Takes about 4 ns. */
static inline __attribute__((always_inline)) void log_birth(struct thread *t, uint64_t ticks,
							    uint64_t address, uint64_t size,
							    enum tl_function fn, unsigned cpu,
							    uint32_t stack)
{
	uint64_t pos, since;

	do {
		pos = load_pos(t);
		since = ticks - t->base;
		if (unlikely(since > t->limit || !log_fits(pos, 16) || !log_is_short(address) ||
			     size >= TRACK_BIRTH_SIZE_LIMIT || stack >= TRACK_BIRTH_STACK_LIMIT)) {
			log_birth_slow(t, ticks, address, size, fn, cpu, stack);
			return;
		}
	} while (unlikely(!local_cas(&t->pos, pos, pos + 16)));
	((uint64_t *)pos)[1] = log_birth_word(fn, cpu, size, stack);
	__atomic_store_n((uint64_t *)pos, log_word(TRACK_BIRTH, since, address), __ATOMIC_RELEASE);
}

#endif
