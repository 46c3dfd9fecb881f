/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stores the sampler's state for each thread of the program. In the emulator, each of these threads
 * is also a thread of the emulator. While a thread runs, only the thread itself changes its
 * state. */
#ifndef MEMDB_ACCESS_THREAD_H
#define MEMDB_ACCESS_THREAD_H

#include "cache.h"
#include "count.h"
#include "stream.h"
#include "turns.h"

enum { CALLS_MOST = 512 };

struct thread {
	struct thread *next;
	/* below HOLDERS; living threads have different numbers, unless there are more than HOLDERS
	 * of them */
	unsigned number;
	struct stream stream;
	struct counts counts;
	/* the simulated caches of this thread: [0] first level, [1] second level */
	struct cache cache[2];

	/*
	 * The calls that have not returned, the outermost first: `slot` is the address in the stack
	 * at which the return address is stored, `back` is the return address. Calls deeper than
	 * CALLS_MOST are not stored.
	 */
	uint32_t depth;
	struct {
		uint64_t slot, back;
	} calls[CALLS_MOST];

	/* Return address of a call from the tracker into another library; 0 means that there is no
	 * such call. Until the call returns, the thread's accesses do not count as the program's.
	 */
	uint64_t away;

	/* Whether the tracker's code is running. memdb registers no callbacks for accesses of this
	 * code, but QEMU before 8.0 may call the callbacks of the previous block. These calls are
	 * ignored while in_tracker is true. */
	bool in_tracker;

	/* How the current execution of an instruction with a wide operand has accessed it so far:
	 * ACCESS_LOAD, ACCESS_STORE. The emulator accesses such an operand in several parts. */
	unsigned operand_kinds;
	struct {
		uint64_t ip, address;
		/* bytes of the operand's first part, and load or store; kind is 0 if no operand
		 * waits to be completed by sampler_finish() */
		unsigned bytes, kind;
		/* the level at which the simulated caches found the parts so far; if they differ,
		 * the level farthest from the core */
		enum level level;
	} parts;

	uint64_t left; /* number of accesses until the next sample */
	/* While `left` is greater than this, the next access cannot be sampled, so sampler_skip()
	 * is enough if its page was accessed before. UINT64_MAX means that each access must be
	 * handled by sampler_look(). */
	uint64_t least;
	uint64_t random; /* state of the random numbers (xorshift64) */
	/* number of instructions executed since the last sample of ACCESS_EVENT_INSTRUCTIONS */
	uint64_t instructions;
	uint64_t flushed;   /* when the buffer was written last, ns */
	struct turns turns; /* used only if all accesses are counted (period 1) */
	/* The frame of the sampler function that this thread is executing; 0 if it is not in the
	 * sampler. If a signal handler interrupts the sampler, accesses of the handler are
	 * ignored. */
	uintptr_t busy;
	/* whether the thread is changing its counts and records, see thread_enter() */
	volatile bool entered;
	/* whether the mapping of this thread's stack was written, or need not be, because this is
	 * not the main thread */
	bool stack_known;
};

struct thread_options {
	/* average number of accesses per sample; 1 means that all accesses are counted
	 * (access/count.h) and none is sampled */
	uint64_t period;
	uint64_t seed;
	/* offset in the file of the count of lost records, or 0; see stream_open() */
	uint64_t lost_at;
	bool model;
	bool first_accesses; /* whether the first access to a page is reported like a page fault */
	struct cache_shape shapes[3];
	/* addresses [low, high) of the tracker's library; set only in the emulator */
	uint64_t tracker_low, tracker_high;
};

extern struct thread_options thread_options;
extern __thread struct thread *thread_self __attribute__((tls_model("initial-exec")));

/* Is this an address of the tracker's library? */
static inline bool thread_is_trackers(uint64_t address)
{
	return address - thread_options.tracker_low <
	       thread_options.tracker_high - thread_options.tracker_low;
}

/* Number of threads that are ending the process or executing another program. Each of them writes
 * the data of all threads, so while the number is not 0, no thread may change its data. */
extern volatile unsigned thread_stopped;

/* Must be called before the thread changes its counts or records, and thread_leave() after that.
 * Returns false if it must not change them, because another thread writes them. That thread waits
 * for those that have entered. */
static inline bool thread_enter(struct thread *t)
{
	t->entered = true;
	__atomic_signal_fence(__ATOMIC_SEQ_CST); /* see stop() for the order in other threads */
	if (__builtin_expect(!thread_stopped, 1))
		return true;
	t->entered = false;
	return false;
}

static inline void thread_leave(struct thread *t)
{
	__atomic_store_n(&t->entered, false, __ATOMIC_RELEASE);
}

/* Must be called before the first access. Returns false if memory or other resources are
 * missing. */
bool thread_begin_all(void);

/*
 * Creates the state of the calling thread. Unless it is the main thread, also writes its start to
 * the stream. When out of memory, ends the process.
 */
struct thread *thread_begin(void);

/* Accesses a cache line (address >> CACHE_LINE_BITS) in the simulated third-level cache, which all
 * threads share. Returns true if it was in the cache. Otherwise puts it there. */
bool thread_use_shared(uint64_t line);

/* Stores in callers[0..n) the return addresses of those calls of `t` that have not returned yet,
 * the innermost first. Returns the number of stored addresses. */
uint32_t thread_callers(const struct thread *t, uint64_t *callers, uint32_t n);

/* Prints that there is not enough memory, and ends the process. */
void thread_no_memory(void) __attribute__((noreturn));

/* Stops sampling and writes the counts of all threads. Must be called before the process executes
 * another program. If that fails, thread_resume() continues. */
void thread_flush_all(void);
void thread_resume(void);

/* Does this process own the sampler's data? A vfork() child does not: it borrows its parent's
 * memory. Neither does a child that the program creates with a system call of its own. */
bool thread_is_own_process(void);

/* Like thread_flush_all(), but also writes the end of each thread to the stream. Called before the
 * process ends; sampling never continues. */
void thread_end_all(void);

#endif
