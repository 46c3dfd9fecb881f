/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes threads that may run only on the same CPU take turns after few accesses. The kernel alone
 * would let each of them run for milliseconds. In this time a thread may make all its accesses to a
 * line, so the line would hardly move between threads (holders.h), although it would on several
 * CPUs.
 *
 * At the end of a turn, the thread wakes the one that has waited longest, and then waits until
 * another thread wakes it. sched_yield() would give the CPU to other processes, too. If nobody
 * wakes the thread for TURN_WAIT_NS, the others are assumed to wait for something else. The thread
 * then runs without turns for some time, so that it does not spend most of its time waiting.
 */
#ifndef MEMDB_ACCESS_TURNS_H
#define MEMDB_ACCESS_TURNS_H

#include <stdbool.h>
#include <stdint.h>

struct turns {
	/* 1 + the number of the only CPU on which the thread may run; 0 means that it may run on
	 * several CPUs */
	int cpu;
	uint32_t accesses; /* counted accesses so far */
	uint64_t next;     /* earliest time at which the thread ends its turn, ns; 0: no limit */
};

enum { TURN_ACCESSES = 128 };
#define TURN_WAIT_NS    UINT64_C(20000000)
#define TURN_WITHOUT_NS (4 * TURN_WAIT_NS)

/* Finds out on which CPUs the thread may run. Called at its start, and from time to time, because
 * this may change. */
void turns_look(struct turns *t);

/* Must be called when the thread ends. */
void turns_end(struct turns *t);

/* Forgets all threads, in a forked child, which has one thread. `t`, the turns of this thread, is
 * NULL if it has none. */
void turns_forget(struct turns *t);

/* Ends the thread's turn and waits for its next one, if other threads may run only on its CPU. */
void turns_change(struct turns *t);

/* Wakes a thread that waits for its turn, because the calling thread may soon wait for something
 * else. */
void turns_pass(const struct turns *t);

/* Called for each counted access. */
static inline void turns_count(struct turns *t)
{
	if (t->cpu && ++t->accesses % TURN_ACCESSES == 0)
		turns_change(t);
}

#endif
