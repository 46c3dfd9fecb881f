/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tracker's state, per process image and per thread, and what its files offer each other.
 *
 * Rules of this folder: no call that allocates, prints, exits, sets errno or is a cancellation
 * point; no lock; every function may be interrupted at any instruction by a signal handler that
 * allocates or leaves by longjmp, and by fork. What cannot be recorded is counted.
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
 * One stream of records and the thread that writes it. In pages that the kernel wipes in a forked
 * child, so that pos = 0 there sends the child's first event to thread_attach().
 */
struct thread {
	uint64_t pos;   /* address of the next free word; at a chunk's end when full; 0 none */
	uint64_t base;  /* ticks of the chunk's last TIME or PAIR; 0: one must be written first */
	uint64_t limit; /* ticks after base that a short record may have */
	uint64_t rebase_sp; /* stack pointer of a log_rebase() that is under way, else 0 */
	uint64_t last_pair; /* ticks of the stream's last pair */
	uint64_t pair_gap;  /* ticks until the next */
	struct stack_thread *stack;
	uint64_t pointer; /* the thread pointer, which is also its pthread_t */
	uint32_t tid;     /* 0: the place is free */
	uint32_t stream;
	uint32_t chunks;          /* taken so far */
	uint32_t skipped;         /* events lost since the last attempt to get a chunk */
	uint64_t random;          /* see sample_birth() */
	uint64_t born, freed;     /* see layer_enter() */
	uint64_t own[THREAD_OWN]; /* see ticks_of_birth() */
};

/* The image; one per process, filled by image_start(), in a forked child by one of its threads. */
struct image {
	struct track_header *header; /* where the log begins; NULL while there is none */
	struct track_header *log;    /* of its own file; NULL while it has none */
	uint64_t capacity;           /* bytes of its own file that may be used */
	uint64_t min_size;
	uint64_t sample_bytes; /* of smaller blocks one in sample_every is recorded */
	uint32_t sample_every; /* 0: all blocks are */
	uint64_t homes_size;   /* blocks from this size on have their homes asked */
	uint64_t affinity;     /* hash of what the image's first thread began with; 0: none yet */
	uint32_t shift;
	bool tsc;
	bool threaded;      /* more than one thread has allocated */
	bool foreign_pids;  /* /proc counts pids in another namespace than getpid() */
	bool blind_threads; /* some thread was set blind, see thread_set_blind() */
	uint32_t pid;       /* as getpid() says */
};

extern struct image image __attribute__((visibility("hidden")));
extern __thread struct thread *thread_self __attribute__((visibility("hidden")))
__attribute__((tls_model("initial-exec")));

/* image.c: the process. */

/* Begins the image if that has not been tried: reads the environment, makes the log. Returns
 * whether there is a log. Signals must be blocked. */
bool image_start(void);

/* Nothing is or will be recorded in this process (nobody asked for it, or no log could be made). */
bool image_is_off(void);

/* A vfork child runs in its parent's memory. A system call. */
bool image_is_parents(void);

/* Makes room for the log to grow, where it has none: in the file that all share, or in a file of
 * its own. Returns whether there is room. */
bool image_grow(void);

/* Gives the log the file of its own now, before the program limits or locks its memory, or forbids
 * itself system calls. Returns whether it has one. */
bool image_own_file(void);

/* life.c: how the image ends. Records nothing for a vfork child, which runs in its parent's memory,
 * nor for a forked child that has logged nothing. */
void record_end(const char *how);

/* thread.c */

/* A word in the pages that the kernel wipes in a forked child; NULL where there are none. */
volatile uint32_t *thread_wiped_word(void);

/* Asks libc to be told of threads' ends. Once, in a constructor: the first keys are free there. */
void thread_watch_ends(void);

/* The threads that had places were the parent's. Called while no thread of the child has one. */
void thread_forget_all(void);

/* The calling thread's state with room to write, made now if needed; NULL where nothing can be
 * recorded: then the event is counted. */
struct thread *thread_attach(void);

/* Blocks all signals and gives them back: around what a handler of this thread must not see half
 * done. To be given back only where blocking them succeeded. */
bool signals_block(uint64_t *saved);
void signals_restore(const uint64_t *saved);

/* The calling thread may not read the clock any more, or may again: in between its events are only
 * counted. */
void thread_set_blind(bool blind);

/* The state of the live thread with this pthread_t; its tid, or 0 where it is not known. */
uint32_t thread_tid_of(uint64_t pointer);

/* The tid of a thread by what libc has in its pthread_t, without a system call; 0 not known. */
uint32_t thread_tid_by_libc(uint64_t pointer);

static inline __attribute__((always_inline)) struct thread *thread_get(void)
{
	struct thread *t = thread_self;

	if (likely(t && t->pos))
		return t;
	return thread_attach();
}

/* chunk.c: the log. None fails: what finds no room is counted. */

void log_lost(uint64_t events);
void log_death_slow(struct thread *t, uint64_t ticks, uint64_t address);
void log_birth_slow(struct thread *t, uint64_t ticks, uint64_t address, uint64_t size,
		    enum tl_function fn, unsigned cpu, uint32_t stack);

/* One block takes the place of another: the death at the time died, the birth at the time ticks. */
void log_realloc(struct thread *t, uint64_t died, uint64_t old, uint64_t ticks, uint64_t address,
		 uint64_t size, enum tl_function fn, uint32_t stack);

/* A block ends by this function. */
void log_end_by(struct thread *t, uint64_t ticks, uint64_t address, enum tl_function fn);

/* The stack nodes that the log does not have yet. */
void log_nodes(struct thread *t);

/* The stream has a new thread. */
void log_thread(struct thread *t);

/* A long record of an event; extra is ev->extra entries of entry_bytes each (NULL with 0), of which
 * what is too much is cut. ev->head is filled in here. */
void log_event(struct thread *t, struct track_event *ev, enum tl_kind kind, enum tl_function fn,
	       const void *extra, size_t entry_bytes);

/* Goes on from the short chunk of a slot to one that has more room until a system call is needed.
 */
void log_leave_slot(struct thread *t);

/* The stream's first chunk, or the next attempt after none could be had. */
bool log_begin(struct thread *t);

/* Compare and swap against this thread's own signal handlers only: one instruction, no bus lock. */
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

	__atomic_signal_fence(__ATOMIC_SEQ_CST); /* base and limit are read after it */
	return pos;
}

/* Room for so many bytes from pos to the end of its chunk; false for 0 and at the end. */
static inline bool log_fits(uint64_t pos, uint64_t bytes)
{
	return ((pos - 1) & (TRACK_CHUNK - 1)) < TRACK_CHUNK - bytes;
}

static inline bool log_is_short(uint64_t address)
{
	return !(address & ~(TRACK_ADDRESS_MASK << 4));
}

/* The first word of a short record; since is ticks after t->base. */
static inline uint64_t log_word(enum track_type type, uint64_t since, uint64_t address)
{
	return TRACK_WORD(type) | (since >> image.shift) << 44 | address >> 4;
}

/* A heap block ends. About 3 ns. */
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

/* The second word of a birth. */
static inline uint64_t log_birth_word(enum tl_function fn, unsigned cpu, uint64_t size,
				      uint32_t stack)
{
	if (cpu > TRACK_BIRTH_CPU_NONE)
		cpu = TRACK_BIRTH_CPU_NONE;
	return TRACK_WORD(TRACK_BODY) | (uint64_t)fn << 56 | (uint64_t)cpu << 46 | size << 24 |
	       stack;
}

/* A heap block begins. About 4 ns. */
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
