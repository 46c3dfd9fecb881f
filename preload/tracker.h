/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tracker's state, per process image and per thread, and the functions that its files share.
 *
 * Rules of this folder: nothing may allocate, print, exit, set errno or be a cancellation point.
 * There are no locks. At any instruction, a function may be interrupted by fork, or by a signal
 * handler that allocates or leaves by longjmp. Events that cannot be recorded are counted.
 */
#ifndef MEMDB_PRELOAD_TRACKER_H
#define MEMDB_PRELOAD_TRACKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stack.h"
#include "track_format.h"

#define EXPORT      __attribute__((visibility("default")))
#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

enum { THREAD_OWN = 512 }; /* 2 to the power of 64 - 55 */

/*
 * One stream of records and the thread that writes it. It is in pages that the kernel wipes in a
 * forked child, so that pos = 0 there sends the child's first event to thread_attach().
 */
struct thread {
	uint64_t pos;   /* address of the next free word; if the chunk is full, its end; 0 means no
			 * chunk */
	uint64_t base;  /* ticks of the chunk's last TIME or PAIR; 0 means one must be written first
			 */
	uint64_t limit; /* greatest ticks after base for a short record */
	uint64_t rebase_sp; /* stack pointer of a rebase() in progress, else 0 */
	uint64_t last_pair; /* ticks of the stream's last pair */
	uint64_t pair_gap;  /* ticks between the last pair and the next */
	struct stack_thread *stack;
	uint64_t pointer; /* thread pointer, equal to its pthread_t */
	uint32_t tid;     /* 0 means the place is unused */
	uint32_t stream;
	uint32_t chunks;          /* claimed so far */
	uint32_t skipped;         /* events lost since the last attempt to get a chunk */
	uint64_t random;          /* see sample_birth() */
	uint64_t born, freed;     /* see layer_enter() */
	uint64_t own[THREAD_OWN]; /* see ticks_of_birth() */
};

/* The image. There is one per process. image_start() fills it in; in a forked child, one of the
 * child's threads does. */
struct image {
	struct track_header *header; /* start of the log; NULL means there is none */
	struct track_header *log;    /* header of the log's own file; NULL means it has none */
	uint64_t capacity;           /* usable bytes of its own file */
	uint64_t min_size;
	uint64_t sample_bytes; /* smaller blocks are sampled, one in sample_every */
	uint32_t sample_every; /* 0 means all blocks are recorded */
	uint64_t homes_size;   /* homes are looked up for blocks of at least this size */
	/* hash of the initial affinity of the image's first thread; 0 means none yet */
	uint64_t affinity;
	uint32_t shift;
	bool tsc;
	bool threaded;      /* more than one thread has allocated */
	bool foreign_pids;  /* /proc counts pids in another namespace than getpid() */
	bool blind_threads; /* some thread is blind, see thread_set_blind() */
	uint32_t pid;       /* result of getpid() */
};

extern struct image image __attribute__((visibility("hidden")));
extern __thread struct thread *thread_self __attribute__((visibility("hidden")))
__attribute__((tls_model("initial-exec")));

/* image.c: the process */

/* Starts the image unless that was tried before: reads the environment, creates the log. Returns
 * whether there is a log. Signals must be blocked. */
bool image_start(void);

/* Is nothing recorded in this process, now and later? It was not requested, or no log could be
 * created. */
bool image_is_off(void);

/* Is this a vfork child, which runs in its parent's memory? Costs a system call. */
bool image_is_parents(void);

/* Makes room for the log to grow if it has none: in the shared file, or in a file of its own.
 * Returns whether there is room. */
bool image_grow(void);

/* Gives the log a file of its own now, before the program limits or locks its memory, or forbids
 * itself system calls. Returns whether the log has one. */
bool image_own_file(void);

/* life.c: records how the image ends. Records nothing in a vfork child, which runs in its parent's
 * memory, nor in a forked child that has logged nothing. */
void record_end(const char *how);

/* thread.c */

/* Returns a word in the pages that the kernel wipes in a forked child; NULL if there are no such
 * pages. */
volatile uint32_t *thread_wiped_word(void);

/* Registers with libc for the ends of threads. Call it once, in a constructor, while the first keys
 * are unused. */
void thread_watch_ends(void);

/* Frees all places in a forked child, because they belong to threads of the parent. Called while no
 * thread of the child has a place. */
void thread_forget_all(void);

/* Returns the calling thread's state, created if necessary, with room to write. NULL if nothing can
 * be recorded: then the event is counted. */
struct thread *thread_attach(void);

/* Block all signals and restore them, around changes that a handler of this thread must not see
 * half done. Restore only if blocking succeeded. */
bool signals_block(uint64_t *saved);
void signals_restore(const uint64_t *saved);

/* Records whether the calling thread may read the clock. While it may not (blind), its events are
 * only counted. */
void thread_set_blind(bool blind);

/* Returns the tid of the live thread with this pthread_t; 0 if unknown. */
uint32_t thread_tid_of(uint64_t pointer);

/*
 * Returns the tid that libc knows for a thread's pthread_t, read without a system call; 0 means
 * unknown.
 */
uint32_t thread_tid_by_libc(uint64_t pointer);

static inline __attribute__((always_inline)) struct thread *thread_get(void)
{
	struct thread *t = thread_self;

	if (likely(t && t->pos))
		return t;
	return thread_attach();
}

/* chunk.c: the log. An event without room is counted. */

void log_lost(uint64_t events);
void log_death_slow(struct thread *t, uint64_t ticks, uint64_t address);
void log_birth_slow(struct thread *t, uint64_t ticks, uint64_t address, uint64_t size,
		    enum tl_function fn, unsigned cpu, uint32_t stack);

/*
 * Records that one block replaces another: the death is at time `died`, the birth at time `ticks`.
 */
void log_realloc(struct thread *t, uint64_t died, uint64_t old, uint64_t ticks, uint64_t address,
		 uint64_t size, enum tl_function fn, uint32_t stack);

/* Records that this function ends a block. */
void log_end_by(struct thread *t, uint64_t ticks, uint64_t address, enum tl_function fn);

/* Writes the stack nodes that the log does not have yet. */
void log_nodes(struct thread *t);

/* Records that the stream has a new thread. */
void log_thread(struct thread *t);

/* Writes a long record of an event. extra has ev->extra entries of entry_bytes each (NULL if there
 * are none). Drops entries beyond TRACK_EXTRA_WORDS. */
void log_event(struct thread *t, struct track_event *ev, enum tl_kind kind, enum tl_function fn,
	       const void *extra, size_t entry_bytes);

/* Leaves the short chunk of a slot, for a chunk that has more room until the next system call is
 * needed. */
void log_leave_slot(struct thread *t);

/* Starts the stream's first chunk, or tries again after that failed. Returns false if there is no
 * chunk. */
bool log_begin(struct thread *t);

/* Compares and swaps atomically, but only with respect to this thread's signal handlers: one
 * instruction, no bus lock. */
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

/* Is there room for this many bytes from pos to the end of its chunk? False for pos 0 and at the
 * end. */
static inline bool log_fits(uint64_t pos, uint64_t bytes)
{
	return ((pos - 1) & (TRACK_CHUNK - 1)) < TRACK_CHUNK - bytes;
}

static inline bool log_is_short(uint64_t address)
{
	return !(address & ~TRACK_ADDRESS_MASK);
}

/* Returns the first word of a short record; since is ticks after t->base. */
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

/* Returns the second word of a birth. */
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
