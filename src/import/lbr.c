/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts branch records to call chains (perf record --call-graph lbr). In this mode the CPU keeps
 * its branch records as a stack of the calls that have not returned. The innermost call comes
 * first. The records show where each call was made, even in code without frame pointers. The CPU
 * has 8 to 32 records, so the outer part of a deep chain is missing.
 */
#include "import/lbr.h"

#include <string.h>

#include "import/pipeline.h"

enum { ENTRY_BYTES = 24 }; /* an entry has three words: from, to, flags */

/* Branch records of other modes are not a stack of calls, because they contain jumps and returns,
 * too. */
bool lbr_has(const struct pd_sample *s)
{
	return s->nbranches && s->evsel->attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK;
}

/* An entry means that the instruction at `from` calls the function at `to`. The caller's address in
 * the chain is the return address, after `from`. */
uint32_t lbr_walk(struct import *im, const struct pd_sample *s, uint64_t innermost, uint64_t *ips,
		  uint32_t max)
{
	struct cursor c = cursor_make(s->branches, (size_t)s->nbranches * ENTRY_BYTES,
				      pd_swapped(im->in.perf));
	uint32_t n = 0;

	while (cursor_left(&c) && n < max) {
		uint64_t from = cursor_u64(&c), to = cursor_u64(&c);

		cursor_skip(&c, 8);
		/* where in the innermost function the thread is may be unknown; then the start of
		 * the function stands for it */
		if (!n)
			ips[n++] = innermost ? innermost : to;
		if (!from) /* the CPU has not filled this record since the thread began */
			break;
		if (n < max)
			/* a return address is looked up one byte before it, so from + 1 yields
			 * the call instruction */
			ips[n++] = from + 1;
	}
	return n;
}
