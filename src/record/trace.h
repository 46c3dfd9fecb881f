/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracepoints that can be recorded together with the samples, grouped by topic. */
#ifndef MEMDB_RECORD_TRACE_H
#define MEMDB_RECORD_TRACE_H

#include "base/err.h"
#include "record/machine.h"

enum trace_group {
	TRACE_SCHED,   /* where threads run, and when they migrate */
	TRACE_MIGRATE, /* which pages migrate between nodes */
	TRACE_FAULTS,  /* page faults with their error codes */
	TRACE_GROUPS,
};

#define TRACE_MAX_EVENTS 8

struct trace_plan {
	/* argument of perf record -e, such as "sched:sched_switch" */
	const char *events[TRACE_MAX_EVENTS];
	unsigned count;
};

const char *trace_group_name(enum trace_group g);

/* Parses names of groups, separated by commas, into a set: bit g stands for group g. Returns 0
 * or MD_EUSAGE. */
int trace_parse(const char *list, unsigned *groups, struct md_err *err);

/* Adds the tracepoints of a group that this kernel has and this user may record. If one is missing,
 * returns MD_ENOTSUP; the sentence names the first missing one and says what helps. The others are
 * added nevertheless. */
int trace_plan_add(struct trace_plan *plan, enum trace_group g, const struct machine *m,
		   struct md_err *err);

#endif
