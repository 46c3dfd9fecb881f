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
 * The user's options. At most one of period and frequency is not 0. If both are 0, the sampler's
 * default applies.
 */
struct sampling {
	uint64_t period;    /* events between two samples; timer: ns of thread time; exact, soft:
			       accesses */
	uint64_t frequency; /* samples per second and thread */
	unsigned latency;   /* pebs, spe: loads faster than this many cycles are not sampled */
	bool model;         /* exact, soft: simulate caches for each access */
	uint64_t caches[MACHINE_CACHES]; /* cache sizes of the simulation, bytes; 0 means those of
					    this machine */
	bool faults;                     /* sample page faults too */
	bool kernel;                     /* sample kernel mode too, if allowed */
};

#define SAMPLING_DEFAULT ((struct sampling){ .latency = 30, .faults = true, .kernel = true })

#define EXACT_PERIOD 1000 /* accesses between two samples, on average */

#define SAMPLER_MAX_EVENTS 12

struct sampler_event {
	char perf[160];              /* for perf record -e, without the modifiers of a group */
	struct perf_event_attr attr; /* enough attributes to test whether it opens */
	enum event_role role;        /* how the import reads its samples */
	bool leads;                  /* forms a group with the next event */
	bool optional;               /* is left out if it does not open */
};

struct sampler_plan {
	enum sampler sampler;
	struct sampler_event events[SAMPLER_MAX_EVENTS];
	unsigned count;
	bool kernel;    /* kernel mode is sampled too */
	bool phys_data; /* ask for physical addresses */
	bool addresses; /* the samples have data addresses: ask for the sizes of their pages */
	bool inject;    /* the recording is an AUX trace that perf inject has to decode */
};

/* Who records the samples. */
enum sampler_run {
	RUN_PERF,
	RUN_EMULATED,     /* an emulator that runs the program, see record/exact.h */
	RUN_INSTRUMENTED, /* the program itself, built for it, see record/exact.h */
};

/* A sampler. Each has a file sampler_NAME.c. */
struct sampler_kind {
	const char *caution; /* for doctor: a warning before its use; NULL means none */
	bool on_demand;      /* `auto` does not try it */
	enum sampler_run run;
	bool timed;    /* the period is CPU time, ns; samples have no hardware address */
	bool branches; /* can record branches: --call-graph lbr */

	/*
	 * Adds the sampler's events. plan->kernel is already set. Returns the errors of
	 * sampler_plan().
	 */
	int (*plan)(struct sampler_plan *plan, const struct machine *m, const struct sampling *o,
		    struct md_err *err);

	/* Checks that the plan works on this machine. For perf's events this is sampler_probe(). */
	int (*open)(struct sampler_plan *plan, const struct machine *m, struct md_err *err);
};

#define SAMPLER_DECLARATION(NAME, name, pmu) extern const struct sampler_kind sampler_##name;
SAMPLERS_OF(SAMPLER_DECLARATION)

/* Returns the description of a sampler. For SAMPLER_AUTO and SAMPLERS all its members are 0. */
const struct sampler_kind *sampler_kind(enum sampler s);

/*
 * Plans the events of a sampler (not SAMPLER_AUTO). Returns 0, or
 *   MD_ENOTSUP  this machine has no such PMU, or this user may not use it as asked
 *   MD_EUSAGE   the requested rate makes no sense with it
 *   MD_ENOENT   the PMU lacks a needed event or field
 *   MD_EFORMAT  sysfs describes the PMU in a way that makes no sense
 */
int sampler_plan(enum sampler s, const struct machine *m, const struct sampling *o,
		 struct sampler_plan *plan, struct md_err *err);

/*
 * Tries to open the plan's events on this thread, disabled, and closes them. Removes optional
 * events that do not open from the plan. Returns 0, or MD_ENOTSUP for the first required event that
 * does not open: err->sys is set, and the sentence says why and, if known, what helps.
 */
int sampler_probe(struct sampler_plan *plan, const struct machine *m, struct md_err *err);

/*
 * Resolves SAMPLER_AUTO to the first sampler from `first` on that opens. Plans and opens any other
 * sampler. Returns 0, or the error of the requested sampler or of the last one tried.
 */
int sampler_choose(enum sampler s, enum sampler first, const struct machine *m,
		   const struct sampling *o, struct sampler_plan *plan, struct md_err *err);

/*
 * Writes what an errno of perf_event_open(2) means here and what helps: one sentence without a full
 * stop. kernel: the event should count in kernel mode too.
 */
void sampler_explain_errno(int sys, const struct machine *m, bool kernel, char *out, size_t len);

/*
 * Writes the value of `perf record -e` for event *i, or for the group that it leads. Moves *i past
 * it. False at the end.
 */
bool sampler_event_argument(const struct sampler_plan *plan, unsigned *i, char *out, size_t len);

#endif
