/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects the frames of a stack of a log, which tl_frame() returns one by one. */
#ifndef MEMDB_TESTS_TRACKLOG_STACK_H
#define MEMDB_TESTS_TRACKLOG_STACK_H

#include "tracklog/tracklog.h"
#include "track_format.h"

struct log_stack {
	uint64_t pcs[STACK_MAX_DEPTH]; /* return addresses, innermost first */
	uint32_t n;
	bool truncated; /* outer frames are missing, or the stack is unknown */
};

static inline struct log_stack log_stack(const struct tl_log *l, uint32_t stack)
{
	struct log_stack s = { .n = 0 };
	const bool known = stack > TL_STACK_TRUNCATED;

	while (s.n < STACK_MAX_DEPTH && tl_frame(l, stack, &s.pcs[s.n], &stack))
		s.n++;
	s.truncated = !known || !s.n || stack != TL_STACK_WHOLE;
	return s;
}

#endif
