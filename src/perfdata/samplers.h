/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The list of samplers, and the roles of their events. `memdb record` and `memdb doctor` open a
 * sampler's events. capture.json contains the role of each event, from which the import knows what
 * its samples mean.
 *
 * To add a sampler, add one row here and one file record/sampler_NAME.c, which defines
 * sampler_NAME.
 */
#ifndef MEMDB_PERFDATA_SAMPLERS_H
#define MEMDB_PERFDATA_SAMPLERS_H

#include <stdbool.h>
#include <stddef.h>

/* Which program or library records the samples. */
enum sampler_run {
	RUN_PERF,
	RUN_EMULATED,     /* an emulator that executes the program; see record/exact.h */
	RUN_INSTRUMENTED, /* the program itself, which was built for the sampler soft; see
			   * record/exact.h */
};

/* X(NAME, name, pmu, run), in the order in which `auto` tries those that it may choose. Users write
 * `name`. pmu: all samples of this PMU are memory samples, even if the user has recorded them with
 * perf; "" means that there is no such PMU. If `pmu` ends with '_', the names of such PMUs begin
 * with it, as in "arm_spe_0". */
#define SPE_PMU "arm_spe_"
#define SAMPLERS_OF(X)                    \
	X(IBS, ibs, "ibs_op", RUN_PERF)   \
	X(PEBS, pebs, "", RUN_PERF)       \
	X(SPE, spe, SPE_PMU, RUN_PERF)    \
	X(TIMER, timer, "", RUN_PERF)     \
	X(EXACT, exact, "", RUN_EMULATED) \
	X(SOFT, soft, "", RUN_INSTRUMENTED)

#define SAMPLER_ID(NAME, name, pmu, run) SAMPLER_##NAME,
enum sampler {
	SAMPLERS_OF(SAMPLER_ID) SAMPLERS, /* number of samplers; also used for "no sampler" */
	SAMPLER_AUTO,
};

/* Returns the name with which users choose the sampler ("ibs", "auto"), or "none" if s is
 * SAMPLERS. */
const char *sampler_name(enum sampler s);

/* Returns the sampler that users choose with this name; SAMPLERS if the name is unknown. */
enum sampler sampler_by_name(const char *name);

/* Returns how the sampler records; RUN_PERF for a sampler that is not in the list, such as
 * SAMPLER_AUTO. */
enum sampler_run sampler_run(enum sampler s);

/* Is name[0..len) the name of a PMU in the list of samplers? */
bool sampler_has_pmu(const char *name, size_t len);

/* The role of an event: what its samples mean. */
enum event_role {
	/* memory accesses with their addresses; samples of the hardware also have latency and data
	 * source */
	ROLE_ACCESS,
	/* samples of a timer, whose period is in ns; their addresses are computed from registers */
	ROLE_TIME,
	ROLE_CYCLES,       /* like ROLE_TIME, but the period is in cycles */
	ROLE_FAULT,        /* page faults; with the sampler exact: first accesses to pages */
	ROLE_INSTRUCTIONS, /* counts instructions, for lpi (latency per instruction) */
	ROLE_TRACEPOINT,
	ROLE_OTHER,
};

const char *event_role_name(enum event_role r);

/* Returns ROLE_OTHER for an unknown name. */
enum event_role event_role_by_name(const char *name);

#endif
