/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts the CPU's branch records (LBR) to call chains, for perf record --call-graph lbr. In this
 * mode the records are a stack of the calls that have not returned, the innermost first. They show
 * where each call was made, even in code without frame pointers. The CPU has few records (usually
 * 16 or 32), so the outer part of a deep chain is missing. */
#include "import/lbr.h"

#include <string.h>

#include "import/pipeline.h"

enum { ENTRY_BYTES = 24 }; /* bytes of a branch record, three words: from, to, flags */

/* In other modes, the branch records also contain jumps and returns, and are not a stack of
 * calls. */
bool lbr_has(const struct pd_sample *s)
{
	return s->nbranches && s->evsel->attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK;
}

/* A record means that the instruction at `from` has called the function at `to`. The caller's
 * address in a chain is the return address, which is after `from`. */
uint32_t lbr_walk(struct import *im, const struct pd_sample *s, uint64_t innermost, uint64_t *ips,
		  uint32_t max)
{
	struct cursor c = cursor_make(s->branches, (size_t)s->nbranches * ENTRY_BYTES,
				      pd_swapped(im->in.perf));
	uint32_t n = 0;

	while (cursor_left(&c) && n < max) {
		uint64_t from = cursor_u64(&c), to = cursor_u64(&c);

		cursor_skip(&c, 8);
		/* if it is unknown where the thread was in the innermost function, the start of
		 * that function is used */
		if (!n)
			ips[n++] = innermost ? innermost : to;
		if (!from) /* the CPU has not filled this record since the thread began */
			break;
		if (n < max)
			/* used as the return address. The byte before a return address is looked
			 * up, and it must be in the call instruction */
			ips[n++] = from + 1;
	}
	return n;
}
