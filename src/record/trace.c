/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plans tracepoints, by groups that a user can name. Each tracepoint is tested before the
 * recording, because not every kernel has all of them, and the user may not be able to read
 * tracefs. */
#include "record/trace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/count.h"
#include "record/sampler.h"

static const char *const groups[] = {
	[TRACE_SCHED] = "sched",
	[TRACE_MIGRATE] = "migrate",
	[TRACE_FAULTS] = "faults",
};
ASSERT_NAMES(groups, TRACE_GROUPS - 1);

/* All tracepoints that memdb can record. perf traces only the program's threads. The kernel's load
 * balancer mostly runs in other threads, so sched_migrate_task shows only those migrations that the
 * program's own calls cause. sched_switch shows on which CPU each of the program's threads runs, no
 * matter what moved the thread. */
static const struct tracepoint {
	enum trace_group group;
	bool balancing; /* whether it exists only in kernels with NUMA balancing */
	const char *name;
} tracepoints[] = {
	{ TRACE_SCHED, false, "sched:sched_migrate_task" },
	{ TRACE_SCHED, false, "sched:sched_switch" },
	{ TRACE_SCHED, true, "sched:sched_move_numa" },
	{ TRACE_SCHED, true, "sched:sched_swap_numa" },
	{ TRACE_SCHED, true, "sched:sched_stick_numa" },
	{ TRACE_MIGRATE, false, "migrate:mm_migrate_pages" },
	{ TRACE_FAULTS, false, "exceptions:page_fault_user" },
};

_Static_assert(COUNT_OF(tracepoints) <= TRACE_MAX_EVENTS, "a plan has room for all of them");

const char *trace_group_name(enum trace_group g)
{
	return groups[g];
}

/* An unknown name is refused, with a list of the groups. */
int trace_parse(const char *list, unsigned *set, struct md_err *err)
{
	*set = 0;
	for (;;) {
		size_t n = strcspn(list, ",");
		unsigned g = 0;

		while (g < TRACE_GROUPS && (strlen(groups[g]) != n || memcmp(groups[g], list, n)))
			g++;
		if (g == TRACE_GROUPS)
			return md_fail(err, MD_EUSAGE,
				       "there is no group of tracepoints '%.*s': sched, migrate "
				       "and faults there are",
				       (int)n, list);
		*set |= 1u << g;
		if (!list[n])
			return 0;
		list += n + 1;
	}
}

/* Returns the folder at which tracefs is mounted, or NULL. In newer kernels it is the first of the
 * two folders. */
static const char *find_tracefs(const struct machine *m)
{
	static const char *const places[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	char path[256];

	for (size_t i = 0; i < COUNT_OF(places); i++) {
		snprintf(path, sizeof(path), "%s%s/events", m->root, places[i]);
		if (!access(path, F_OK) || errno == EACCES)
			return places[i];
	}
	return NULL;
}

/* Returns the id of a tracepoint, or -1 with errno. */
static int read_id(const struct machine *m, const char *tracefs, const char *name)
{
	char path[256], text[32];
	int system = (int)strcspn(name, ":");

	snprintf(path, sizeof(path), "%s/events/%.*s/%s/id", tracefs, system, name,
		 name + system + 1);
	if (machine_read_line(m->root, path, text, sizeof(text)) < 0)
		return -1;
	errno = EINVAL;
	return atoi(text) > 0 ? atoi(text) : -1;
}

/* Opens the tracepoint as perf will, and closes it. Returns 0 or the errno. */
static int try_event(const struct machine *m, const char *name, int id)
{
	struct sampler_plan plan = { .count = 1 };
	struct sampler_event *e = &plan.events[0];
	struct md_err err = { 0 };

	snprintf(e->perf, sizeof(e->perf), "%s", name);
	e->attr.size = sizeof(e->attr);
	e->attr.type = PERF_TYPE_TRACEPOINT;
	e->attr.config = (uint64_t)id;
	e->attr.sample_period = 1;
	e->attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_RAW;
	e->attr.disabled = 1;
	if (!sampler_probe(&plan, m, &err))
		return 0;
	return err.sys ? err.sys : EINVAL;
}

/*
 * Reports why a tracepoint does not open. The kernel demands more rights for tracepoints than for
 * other events.
 */
static int explain_refusal(const char *name, const struct machine *m, const char *tracefs, int sys,
			   struct md_err *err)
{
	char why[512];

	switch (sys) {
	case EACCES:
	case EPERM:
		if (m->perfmon && !geteuid())
			break;
		return md_fail(err, MD_ENOTSUP,
			       "no tracepoint %s: it takes root, or %s readable (`sudo mount -o "
			       "remount,mode=755,gid=%u %s`) and `sudo sysctl "
			       "kernel.perf_event_paranoid=-1`",
			       name, tracefs, (unsigned)getegid(), tracefs);
	case ENOENT:
		return md_fail(err, MD_ENOTSUP,
			       "no tracepoint %s: this kernel has none of that "
			       "name",
			       name);
	default:
		break;
	}
	sampler_explain_errno(sys, m, true, why, sizeof(why));
	return md_fail(err, MD_ENOTSUP, "no tracepoint %s: %s", name, why);
}

/* Tracepoints about NUMA balancing are left out without an error if the kernel does not have them.
 */
int trace_plan_add(struct trace_plan *plan, enum trace_group g, const struct machine *m,
		   struct md_err *err)
{
	const char *tracefs = find_tracefs(m);
	int ret = 0;

	if (!tracefs)
		return md_fail(err, MD_ENOTSUP,
			       "no tracepoints of %s: tracefs is not mounted (`sudo mount -t "
			       "tracefs nodev /sys/kernel/tracing`), or the kernel has none",
			       groups[g]);
	for (size_t i = 0; i < COUNT_OF(tracepoints); i++) {
		const struct tracepoint *t = &tracepoints[i];
		int id, sys;

		if (t->group != g || plan->count == TRACE_MAX_EVENTS)
			continue;
		id = read_id(m, tracefs, t->name);
		sys = id < 0 ? errno : try_event(m, t->name, id);
		if (!sys)
			plan->events[plan->count++] = t->name;
		else if (!ret && !(t->balancing && sys == ENOENT))
			ret = explain_refusal(t->name, m, tracefs, sys, err);
	}
	return ret;
}
