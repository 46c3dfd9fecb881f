/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the sampler's state of each thread of the program. Under the emulator each is also a thread
 * of the emulator. While a thread runs, only the thread itself writes its state.
 */
#ifndef MEMDB_ACCESS_THREAD_H
#define MEMDB_ACCESS_THREAD_H

#include "cache.h"
#include "count.h"
#include "stream.h"

enum { CALLS_MOST = 512 };

struct thread {
	struct thread *next;
	struct stream stream;
	struct counts counts;
	struct cache cache[2]; /* first and second level */

	/*
	 * Calls that have not returned, the outermost first: the address of each return address,
	 * and its value. Calls deeper than CALLS_MOST are not stored.
	 */
	uint32_t depth;
	struct {
		uint64_t slot, back;
	} calls[CALLS_MOST];

	/*
	 * The tracker has called a function of another library, which returns to this address. What
	 * it does until then is not the program's. 0: there is none.
	 */
	uint64_t away;

	/*
	 * The tracker's code runs. Its blocks have no callbacks for accesses, but QEMU before 8.0
	 * calls the callback of the last instruction that left a block, until another one is set.
	 */
	bool in_tracker;

	/* The operand of a wide instruction, which arrives in parts. */
	uint64_t operand; /* address of the instruction */
	uint64_t operand_end;
	unsigned operand_kind;

	uint64_t left;   /* accesses until the next sample */
	uint64_t least;  /* if more are left, an access to a known page needs no look; UINT64_MAX
			    means  look at all */
	uint64_t random; /* state of xorshift64 */
	uint64_t instructions; /* since their last sample */
	uint64_t flushed;      /* time of the last flush, ns */
	bool busy;             /* inside the sampler, which a signal handler may interrupt */
	bool stack_known;      /* the main thread's stack is written */
};

struct thread_options {
	uint64_t period; /* one in this many accesses becomes a sample, on average; 1: counts all */
	uint64_t seed;
	uint64_t lost_at; /* see stream_open() */
	bool model;
	bool first_accesses; /* reports first accesses to pages, as faults */
	struct cache_shape shapes[3];
	uint64_t tracker_low, tracker_high; /* addresses of the tracker's library, inside the
					       emulator only */
};

extern struct thread_options thread_options;
extern __thread struct thread *thread_self __attribute__((tls_model("initial-exec")));

/* Is this an address of the tracker's library? */
static inline bool thread_is_trackers(uint64_t address)
{
	return address - thread_options.tracker_low <
	       thread_options.tracker_high - thread_options.tracker_low;
}

/* True while the process ends or executes another program. No thread may change its state then. */
extern volatile bool thread_stopped;

/* Prepares the sampler for all threads. False when out of memory or other resources. */
bool thread_begin_all(void);

/*
 * Creates the calling thread's state and writes that the thread began. Ends the process when out of
 * memory.
 */
struct thread *thread_begin(void);

/*
 * Returns the number of accesses until the next sample. It is geometrically distributed, so each
 * access has the same chance.
 */
uint64_t thread_gap(struct thread *t);

/*
 * Uses a line in the cache level that all threads share. Returns true if the line was in the cache.
 */
bool thread_use_shared(uint64_t line);

/*
 * Stores the return addresses of the calls that have not returned in callers[0..n), the innermost
 * first. Returns how many.
 */
uint32_t thread_callers(const struct thread *t, uint64_t *callers, uint32_t n);

/* Prints that memory ran out, and ends the process. */
void thread_no_memory(void) __attribute__((noreturn));

/*
 * Stops the sampling and writes the counts of all threads. Call it before the process executes
 * another program.
 */
void thread_flush_all(void);

/* The same before the process ends, and writes that its threads ended. */
void thread_end_all(void);

#endif
