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

/* Adds the tracepoints of a group that this kernel has and this user may record. Returns 0, or
 * MD_ENOTSUP if one could not be added: the sentence names the first such one and says what helps.
 * Tracepoints about NUMA balancing may be missing without an error. */
int trace_plan_add(struct trace_plan *plan, enum trace_group g, const struct machine *m,
		   struct md_err *err);

#endif
