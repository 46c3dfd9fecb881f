/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts branch records to call chains (perf record --call-graph lbr). The CPU keeps its branch
 * records as a stack of calls that have not returned, innermost first. They show where each call
 * was made, even in code without frame pointers. The CPU keeps 8 to 32 of them, so the outer part
 * of a deep chain is missing.
 */
#include "import/lbr.h"

#include <string.h>

#include "import/pipeline.h"

enum { ENTRY_BYTES = 24 }; /* from, to, flags */

/* Records of another kind, such as all branches, are not a call stack. */
bool lbr_has(const struct pd_sample *s)
{
	return s->nbranches && s->evsel->attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK;
}

/* Converts each entry, a call from an instruction to a function, to a return address. */
uint32_t lbr_walk(struct import *im, const struct pd_sample *s, uint64_t innermost, uint64_t *ips,
		  uint32_t max)
{
	struct cursor c = cursor_make(s->branches, (size_t)s->nbranches * ENTRY_BYTES,
				      pd_swapped(im->in.perf));
	uint32_t n = 0;

	while (cursor_left(&c) && n < max) {
		uint64_t from = cursor_u64(&c), to = cursor_u64(&c);

		cursor_skip(&c, 8);
		if (!n) /* if the innermost position is unknown, use the start of its function */
			ips[n++] = innermost ? innermost : to;
		if (!from) /* never filled since the thread began */
			break;
		if (n < max)
			ips[n++] = from + 1; /* as a return address: its frame is one byte before */
	}
	return n;
}
