/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plans the events that each sampler needs on this machine: as text for perf's command line, and as
 * attributes for perf_event_open(2).
 */
#ifndef MEMDB_RECORD_SAMPLER_H
#define MEMDB_RECORD_SAMPLER_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "perfdata/samplers.h"
#include "record/machine.h"

/*
 * Options of the user. At most one of period and frequency is not 0. If both are 0, the sampler
 * uses its default.
 */
struct sampling {
	/* number of events between two samples. timer: ns of CPU time; exact, soft: accesses */
	uint64_t period;
	uint64_t frequency; /* samples per second and thread */
	/* accesses that take fewer cycles are not sampled. Only for pebs (loads) and spe (loads and
	 * stores) */
	unsigned latency;
	bool latency_given; /* whether the user has set this limit */
	bool model;         /* exact, soft: whether to simulate the caches */
	/* sizes of the simulated caches in bytes; 0 means this machine's sizes */
	uint64_t caches[MACHINE_CACHES];
	bool faults; /* whether to record page faults, too */
	bool kernel; /* whether to sample kernel mode, too, if the user may */
};

#define SAMPLING_DEFAULT ((struct sampling){ .latency = 30, .faults = true, .kernel = true })

/* Default period of the samplers "exact" and "soft": average number of accesses between two
 * samples. */
#define EXACT_PERIOD 1000

#define SAMPLER_MAX_EVENTS 12

struct sampler_event {
	/* argument of perf record -e, without the braces of a group */
	char perf[160];
	struct perf_event_attr attr; /* attributes that suffice to test whether the event opens */
	enum event_role role;        /* how the import interprets its samples */
	bool leads;                  /* whether this event and the next one form a group */
	bool optional; /* whether it is left out of the recording if it does not open */
};

struct sampler_plan {
	enum sampler sampler;
	struct sampler_event events[SAMPLER_MAX_EVENTS];
	unsigned count;
	bool kernel; /* whether samples are taken in kernel mode, too */
	/* whether physical addresses are recorded: in page faults and, if `addresses` is set, in
	 * samples */
	bool phys_data;
	/* whether samples have data addresses, so that the sizes of their pages are recorded,
	 * too */
	bool addresses;
	/* whether the recording contains an AUX trace, which perf inject must decode */
	bool inject;
};

/* A sampler. Each has a file sampler_NAME.c. */
struct sampler_kind {
	const char *caution; /* warning that doctor prints; NULL means none */
	/* whether the user must name it, because the choice `auto` does not try it */
	bool on_demand;
	/* whether its period is CPU time in ns, and its samples contain no data addresses */
	bool timed;
	bool branches; /* whether it can record branches (--call-graph lbr) */
	bool latency;  /* whether it can leave out fast accesses (--ldlat) */

	/*
	 * Adds the events of the sampler to the plan, whose `kernel` is set already. Returns the
	 * same values as sampler_plan().
	 */
	int (*plan)(struct sampler_plan *plan, const struct machine *m, const struct sampling *o,
		    struct md_err *err);

	/* Checks that the plan works on this machine. Samplers that use perf set this member to
	 * sampler_probe(). */
	int (*open)(struct sampler_plan *plan, const struct machine *m, struct md_err *err);
};

#define SAMPLER_DECLARATION(NAME, name, pmu, run) extern const struct sampler_kind sampler_##name;
SAMPLERS_OF(SAMPLER_DECLARATION)

/* Returns the description of a sampler. For SAMPLER_AUTO and SAMPLERS all its members are 0. */
const struct sampler_kind *sampler_kind(enum sampler s);

/* Returns MD_EUSAGE if one of the options makes no sense with this sampler, on any machine.
 * sampler_plan() checks this, too; for SAMPLER_AUTO, only that can. */
int sampler_check_options(enum sampler s, const struct sampling *o, struct md_err *err);

/*
 * Plans the events of a sampler, which must not be SAMPLER_AUTO. Returns 0, or
 *   MD_ENOTSUP  this machine has no such PMU, or this user may not use it as asked
 *   MD_EUSAGE   the requested rate or another option makes no sense with this sampler
 *   MD_ENOENT   the PMU lacks a needed event or field
 *   MD_EFORMAT  sysfs describes the PMU in a way that makes no sense
 */
int sampler_plan(enum sampler s, const struct machine *m, const struct sampling *o,
		 struct sampler_plan *plan, struct md_err *err);

/*
 * Opens the events of the plan on this thread, disabled, and closes them. Optional events that do
 * not open are removed from the plan. Returns 0, or MD_ENOTSUP for the first required event that
 * does not open. Then err->sys is the errno, and the sentence says why it failed and, if known,
 * what helps.
 */
int sampler_probe(struct sampler_plan *plan, const struct machine *m, struct md_err *err);

/* Plans a sampler and tests whether its events open. For SAMPLER_AUTO, tries the samplers in the
 * order of the enum, beginning with `first` and without those that run only on demand, and chooses
 * the first one whose events open. Returns 0, or the error of the requested sampler or, for
 * SAMPLER_AUTO, of the last sampler that was tried. */
int sampler_choose(enum sampler s, enum sampler first, const struct machine *m,
		   const struct sampling *o, struct sampler_plan *plan, struct md_err *err);

/*
 * Writes one sentence without a full stop: what this errno of perf_event_open(2) means, and what
 * helps. `kernel` means that the event should count in kernel mode, too.
 */
void sampler_explain_errno(int sys, const struct machine *m, bool kernel, char *out, size_t len);

/*
 * Writes the argument of perf record -e for event *i, or for the group that it leads. Advances *i.
 * Returns false when there are no more events.
 */
bool sampler_event_argument(const struct sampler_plan *plan, unsigned *i, char *out, size_t len);

#endif
