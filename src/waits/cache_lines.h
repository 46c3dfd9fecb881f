/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Estimates whether a thread waits for a cache line because another thread uses it.
 *
 * If one thread writes a line that another thread uses, the line moves between their caches, and
 * each move costs each of them one miss. This happens even if the threads use different bytes of
 * the line (false sharing). Samples do not show these moves. They only show which threads used the
 * line, and when. So each use by one thread gives a credit to each other thread that has used the
 * line on another CPU within LINES_NS, if one of the two has stored to it in that time. A use by a
 * thread that has a credit consumes one credit and counts as a wait. If threads use the line
 * equally often, each use is a wait. A thread that uses the line all the time waits only as often
 * as the others use it.
 *
 * A thread that does not run does not wait. So only running threads get a credit: those of which a
 * sample, in any code, was taken shortly before. If threads use a line in turn, and sleep in
 * between, the line moves once in each turn, and at most about one use in each turn counts as a
 * wait.
 *
 * For each line, the last LINES_USERS threads that used it are stored. If a new thread replaces one
 * that used the line within LINES_NS, the new thread starts with a credit. The hash of a line
 * determines its place in a table of LINES_MOST places; a different line in this place is
 * forgotten.
 */
#ifndef MEMDB_WAITS_CACHE_LINES_H
#define MEMDB_WAITS_CACHE_LINES_H

#include <stdbool.h>
#include <stdint.h>

enum {
	LINES_NS = 30000000, /* ns; older uses by other threads do not count */
	LINES_CREDIT = 8,    /* maximum number of credits that a thread has for a line */
	LINES_USERS = 4,     /* maximum number of threads that are stored for a line */
	LINES_MOST = 1 << 15 /* maximum number of lines; a power of two */
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
	/* whether the use cannot be a wait for the line, because the thread waits for something
	 * else. Such a use still gives credits to other threads */
	bool free;
};

enum line_state {
	LINE_PRIVATE, /* no thread on another CPU used the line lately, or no thread writes it */
	/* another thread uses the line, but not often enough for this use to count as a wait, or
	 * line_use.free is set */
	LINE_SHARED,
	LINE_MOVED, /* the thread waits for the line */
};

/* Returns an empty table, which the caller must free with lines_free(). NULL means out of memory.
 */
struct lines *lines_new(void);
void lines_free(struct lines *l); /* l may be NULL */

/* Adds a use. Returns LINE_MOVED if the thread waited for the line. Several uses of a line by one
 * thread at the same time count as one. */
enum line_state lines_use(struct lines *l, const struct line_use *u);

#endif
