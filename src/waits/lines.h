/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds out whether a thread waits for a cache line because another thread uses it.
 *
 * If one thread writes a line that another thread uses, the line moves between their caches, and
 * each move costs each of them one miss. That holds for different bytes of the line too (false
 * sharing). Samples do not show moves: they show which threads used the line, and when. So each use
 * of a line by another thread, not older than LINES_NS, pays for one use by this thread. Threads
 * that use the line equally often wait with each use. A thread that uses it all the time waits only
 * as often as the others come.
 *
 * A thread that does not run does not wait. So a use pays only for threads that run at that time:
 * those with a sample, of any code, shortly before. Threads that use a line in turn, and sleep in
 * between, hand it over once in each turn, and at most about one use in each turn counts as a wait.
 *
 * A line has the last LINES_USERS threads that used it; if more threads use it, each use counts as
 * a wait. The table has room for LINES_MOST lines, so lines that are used rarely replace each
 * other.
 */
#ifndef MEMDB_WAITS_LINES_H
#define MEMDB_WAITS_LINES_H

#include <stdbool.h>
#include <stdint.h>

enum {
	LINES_NS = 30000000, /* ns after which a use by another thread counts no more */
	LINES_CREDIT = 8,    /* limit: uses by others that are counted and not yet paid for */
	LINES_USERS = 4,     /* limit: threads of one line */
	LINES_MOST = 1 << 15 /* limit: lines; a power of two */
};

struct lines;

/* Reports that a thread has a sample, so it runs. Its next sample is due after `period` ns of its
 * time. Call it for each sample, before lines_use(). Returns false when out of memory. */
bool lines_ran(struct lines *l, uint32_t thread, uint64_t time, uint64_t period);

/* One access of a thread to memory. Accesses must come in the order of time. */
struct line_use {
	uint32_t process, thread;
	int32_t cpu; /* -1 means unknown. Threads on one CPU share its caches */
	uint64_t address;
	uint64_t time; /* ns */
	bool store;
	/* this use never counts as a wait for the line, because the thread waits for something
	 * else; it only counts as a use by another thread for the others */
	bool free;
};

enum line_state {
	LINE_PRIVATE, /* no other thread used the line lately, or none of them writes it */
	/* another thread used it, but not often enough that this use counts as a wait */
	LINE_SHARED,
	LINE_MOVED, /* the thread waits for the line */
};

/* Returns an empty table, which the caller frees with lines_free(); NULL when out of memory. */
struct lines *lines_new(void);
void lines_free(struct lines *l); /* l may be NULL */

/* Adds a use. Returns whether the thread waited for the line. Several uses of a line by a thread at
 * the same time count as one. */
enum line_state lines_use(struct lines *l, const struct line_use *u);

#endif
