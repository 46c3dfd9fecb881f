/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The samplers: the events that each needs on this machine, in the syntax of perf's command line
 * and as attributes of perf_event_open(2).
 */
#ifndef MEMDB_RECORD_SAMPLER_H
#define MEMDB_RECORD_SAMPLER_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "perfdata/samplers.h"
#include "record/machine.h"

/* The user's options. At most one of period and frequency is not 0; both 0: the sampler's
 * default. */
struct sampling {
	uint64_t period;    /* events between two samples; timer: ns of thread time; exact,
			     * soft: accesses */
	uint64_t frequency; /* samples per second and thread */
	unsigned latency;   /* pebs, spe: loads faster than this many cycles are not sampled */
	bool model;         /* exact, soft: put each access through a model of caches */
	uint64_t caches[MACHINE_CACHES]; /* its sizes, bytes; 0: those of this machine */
	bool faults;                     /* sample page faults too */
	bool kernel;                     /* sample kernel mode too, if allowed */
};

#define SAMPLING_DEFAULT ((struct sampling){ .latency = 30, .faults = true, .kernel = true })

#define EXACT_PERIOD 1000 /* accesses between two samples, on average */

#define SAMPLER_MAX_EVENTS 12

struct sampler_event {
	char perf[160];              /* for perf record -e, without the modifiers of a group */
	struct perf_event_attr attr; /* enough of it to test if it opens */
	enum event_role role;        /* how the import reads its samples */
	bool leads;                  /* makes a group with the next event */
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
	RUN_EMULATED,     /* an emulator in which the program runs, see record/exact.h */
	RUN_INSTRUMENTED, /* the program itself, which was built for it: likewise */
};

/* What a sampler is; each has a file sampler_NAME.c. */
struct sampler_kind {
	const char *caution; /* for doctor: what to know before it is used; NULL: nothing */
	bool on_demand;      /* `auto` does not try it */
	enum sampler_run run;
	bool timed;    /* its period is CPU time, ns; its samples have no hardware address */
	bool branches; /* it can record branches: --call-graph lbr */

	/* Adds its events. plan->kernel is set. Errors as sampler_plan(). */
	int (*plan)(struct sampler_plan *plan, const struct machine *m, const struct sampling *o,
		    struct md_err *err);

	/* Checks that the plan can be carried out here: sampler_probe(), for events of perf's. */
	int (*open)(struct sampler_plan *plan, const struct machine *m, struct md_err *err);
};

#define SAMPLER_DECLARATION(NAME, name, pmu) extern const struct sampler_kind sampler_##name;
SAMPLERS_OF(SAMPLER_DECLARATION)

/* Of SAMPLER_AUTO and SAMPLERS all members are 0. */
const struct sampler_kind *sampler_kind(enum sampler s);

/*
 * Lists the events of a sampler (not SAMPLER_AUTO). Returns 0, or
 *   MD_ENOTSUP  this machine has no such PMU, or this user may not use it as asked
 *   MD_EUSAGE   the rate asked for makes no sense with it
 *   MD_EFORMAT  sysfs describes the PMU in a way that makes no sense
 */
int sampler_plan(enum sampler s, const struct machine *m, const struct sampling *o,
		 struct sampler_plan *plan, struct md_err *err);

/*
 * Opens all events of the plan on this thread, disabled, and closes them. Optional events that do
 * not open are taken out of the plan. Returns 0, or MD_ENOTSUP with err->sys set and a sentence
 * that says what did not open, why, and what helps.
 */
int sampler_probe(struct sampler_plan *plan, const struct machine *m, struct md_err *err);

/*
 * Resolves SAMPLER_AUTO to the first sampler from `first` on that opens; plans and opens any other
 * sampler. Returns 0, MD_EUSAGE, or MD_ENOTSUP with the sentence of the requested sampler, or of
 * the last one tried.
 */
int sampler_choose(enum sampler s, enum sampler first, const struct machine *m,
		   const struct sampling *o, struct sampler_plan *plan, struct md_err *err);

/* What an errno of perf_event_open(2) means here, and what helps: one sentence without a full
 * stop. kernel: the event should count in kernel mode too. */
void sampler_explain_errno(int sys, const struct machine *m, bool kernel, char *out, size_t len);

/* Writes the value of `perf record -e` for event *i and moves *i past it, or past its whole
 * group. False at the end. */
bool sampler_event_argument(const struct sampler_plan *plan, unsigned *i, char *out, size_t len);

#endif
