/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "waits/cache_lines.h"

#include <stdlib.h>

#include "base/index.h"
#include "waits/reach.h"

/* A thread that has used a cache line. */
struct user {
	uint32_t thread; /* 0 marks an unused entry */
	int32_t cpu;
	uint64_t used, stored; /* times of the last use and of the last store; 0 means none */
	/* number of uses by other threads for which this thread has not yet waited (cache_lines.h)
	 */
	uint8_t credit;
	uint8_t state; /* what lines_use() returned for the thread's last use */
};

struct line {
	uint64_t number; /* address / CACHE_LINE */
	uint32_t process;
	struct user users[LINES_USERS];
};

struct lines {
	struct line at[LINES_MOST];
	struct {
		uint64_t *at; /* indexed by thread: time (ns) until which the thread is assumed
			       * to run */
		uint32_t n, cap;
	} threads;
};

struct lines *lines_new(void)
{
	return calloc(1, sizeof(struct lines));
}

void lines_free(struct lines *l)
{
	if (l)
		free(l->threads.at);
	free(l);
}

bool lines_ran(struct lines *l, uint32_t thread, uint64_t time, uint64_t period)
{
	if (!VEC_REACH(&l->threads, thread + 1))
		return false;
	/* the thread's next sample is due after `period`; a timer may be late by part of a
	 * period */
	l->threads.at[thread] = time + period + period / 2;
	return true;
}

static bool is_running(const struct lines *l, uint32_t thread, uint64_t now)
{
	return thread < l->threads.n && now <= l->threads.at[thread];
}

/* Returns the element of l->at for the cache line that *u uses. Each line has only one possible
 * element; if the element holds a different line, that line is forgotten. */
static struct line *find_line(struct lines *l, const struct line_use *u)
{
	const uint64_t number = u->address / CACHE_LINE;
	struct line *at = &l->at[index_hash(number, u->process) & (LINES_MOST - 1)];

	if (at->number != number || at->process != u->process)
		*at = (struct line){ .number = number, .process = u->process };
	return at;
}

static bool is_recent(uint64_t time, uint64_t now)
{
	return time && now - time <= LINES_NS;
}

/* Returns the entry for a thread in *line. A new thread takes the entry of the thread that has not
 * used the line for the longest time. If even that thread used the line within LINES_NS, more
 * threads use the line than there are entries. The new thread then starts with a credit, so that
 * its use may count as a wait. */
static struct user *find_user(struct line *line, uint32_t thread, uint64_t now)
{
	struct user *oldest = &line->users[0];

	for (int i = 0; i < LINES_USERS; i++) {
		struct user *x = &line->users[i];

		if (x->thread == thread)
			return x;
		if (x->used < oldest->used)
			oldest = x;
	}
	*oldest = (struct user){ .thread = thread, .credit = is_recent(oldest->used, now) };
	return oldest;
}

/* Does the line move between the caches of the threads a and b? It does if b used the line within
 * LINES_NS on a different CPU (or on an unknown one), and if one of the two stored to it within
 * LINES_NS. */
static bool is_contended(const struct user *a, const struct user *b, uint64_t now)
{
	return is_recent(b->used, now) && (a->cpu != b->cpu || a->cpu < 0) &&
	       (is_recent(a->stored, now) || is_recent(b->stored, now));
}

enum line_state lines_use(struct lines *l, const struct line_use *u)
{
	struct line *line = find_line(l, u);
	struct user *self = find_user(line, u->thread, u->time);
	const bool again = self->used == u->time;
	bool shared = false;

	self->cpu = u->cpu;
	self->used = u->time;
	if (u->store)
		self->stored = u->time;
	if (again)
		return (enum line_state)self->state;
	for (int i = 0; i < LINES_USERS; i++) {
		struct user *other = &line->users[i];

		if (!other->thread || other == self || !is_contended(self, other, u->time))
			continue;
		shared = true;
		if (other->credit < LINES_CREDIT && is_running(l, other->thread, u->time))
			other->credit++;
	}
	self->state = shared ? LINE_SHARED : LINE_PRIVATE;
	if (!shared)
		self->credit = 0;
	else if (self->credit && !u->free) {
		self->credit--;
		self->state = LINE_MOVED;
	}
	return (enum line_state)self->state;
}
