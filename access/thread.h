/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The threads of the program. Each is a thread of the emulator, and nobody else writes its state
 * while it runs. */
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

	/* Calls that have not returned: where their return addresses lie, and these. The outermost
	 * first; what is deeper than CALLS_MOST is left out. */
	uint32_t depth;
	struct {
		uint64_t slot, back;
	} calls[CALLS_MOST];

	/* The operand of a wide instruction, which comes in parts. */
	uint64_t operand; /* the instruction */
	uint64_t operand_end;
	unsigned operand_kind;

	uint64_t left;         /* accesses until the next sample */
	uint64_t least;        /* with more left nothing is to be done: 2, or all are looked at */
	uint64_t random;       /* of xorshift64 */
	uint64_t instructions; /* since the last sample of them */
	uint64_t flushed;      /* when the stream was flushed, ns */
	bool busy;             /* in the sampler: a signal handler may come between */
	bool stack_known;      /* the main thread's stack is written */
};

struct thread_options {
	uint64_t period; /* one in this number of accesses becomes a sample; 1: all are counted */
	uint64_t seed;
	bool model;
	bool first_accesses; /* to pages: they become faults */
	struct cache_shape shapes[3];
};

extern struct thread_options thread_options;
extern __thread struct thread *thread_self __attribute__((tls_model("initial-exec")));

/* True while the process comes to its end: no thread may write its state any more. */
extern volatile bool thread_stopped;

/* False: no memory, or no way to learn of the end of threads. */
bool thread_begin_all(void);

/* The calling thread's state: made, and its beginning written. Ends the process where there is no
 * memory. */
struct thread *thread_begin(void);

/* Accesses until the next sample: geometric, so each access has the same chance. */
uint64_t thread_gap(struct thread *t);

/* Uses the level of the cache that all threads share. True: the line was there. */
bool thread_use_shared(uint64_t line);

/* Return addresses of the calls that have not returned, the innermost first, into callers[0..n).
 * Returns how many. */
uint32_t thread_callers(const struct thread *t, uint64_t *callers, uint32_t n);

/* Prints that memory is out, and ends the process. */
void thread_no_memory(void) __attribute__((noreturn));

/* Writes what all threads have counted. Before the process is gone, or its program replaced. */
void thread_flush_all(void);

#endif
