/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds out whether a thread waits for a cache line because another thread uses it.
 *
 * If one thread writes a line that another thread uses, the line moves between their caches, and
 * each move costs each of them one miss. That also holds if they use different bytes of the line
 * (false sharing). Samples do not show moves: they show which threads used the line, and when. So
 * each use of a line by another thread, not older than LINES_NS, lets one use by this thread count
 * as a wait. Threads that use the line equally often wait with each use. A thread that uses it all
 * the time waits only as often as the others use it.
 *
 * A thread that does not run does not wait. So a use counts only for threads that run at that time:
 * those with a sample, of any code, shortly before. Threads that use a line in turn, and sleep in
 * between, pass it on once in each turn, and at most about one use in each turn counts as a wait.
 *
 * Of each line, the last LINES_USERS threads that used it are stored; if more threads use it, each
 * use counts as a wait. The table has room for LINES_MOST lines, so lines that are used rarely
 * replace each other.
 */
#ifndef MEMDB_WAITS_LINES_H
#define MEMDB_WAITS_LINES_H

#include <stdbool.h>
#include <stdint.h>

enum {
	LINES_NS = 30000000, /* ns after which a use by another thread no longer counts */
	LINES_CREDIT = 8,    /* limit: number of uses by others that have not yet let a use count
			      * as a wait */
	LINES_USERS = 4,     /* limit: number of threads that are stored for a line */
	LINES_MOST = 1 << 15 /* limit: number of lines; a power of two */
};

struct lines;

/* Must be called for each sample, before lines_use(): the sample shows that its thread runs. The
 * thread's next sample is due after it has run for `period` ns. Returns false when out of memory.
 */
bool lines_ran(struct lines *l, uint32_t thread, uint64_t time, uint64_t period);

/* One access of a thread to memory, called a use of its cache line. Uses must be passed in the
 * order of time. */
struct line_use {
	uint32_t process, thread;
	int32_t cpu; /* -1 means unknown; threads on one CPU share its caches */
	uint64_t address;
	uint64_t time; /* ns */
	bool store;
	/* this use cannot be a wait for the line, because the thread waits for something else; it
	 * still counts as a use for the other threads */
	bool free;
};

enum line_state {
	LINE_PRIVATE, /* no other thread used the line lately, or none of them writes it */
	/* another thread uses it, but not often enough for this use to count as a wait */
	LINE_SHARED,
	LINE_MOVED, /* the thread waits for the line */
};

/* Returns an empty table, which the caller must free with lines_free(). NULL means out of memory.
 */
struct lines *lines_new(void);
void lines_free(struct lines *l); /* l may be NULL */

/* Adds a use. Returns whether the thread waited for the line (LINE_MOVED). Several uses of a line
 * by one thread at the same time count as one. */
enum line_state lines_use(struct lines *l, const struct line_use *u);

#endif
