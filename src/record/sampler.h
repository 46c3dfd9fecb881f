/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The samplers: which events each needs on this machine, as perf's command line wants them and as
 * perf_event_open(2) does.
 */
#ifndef MEMDB_RECORD_SAMPLER_H
#define MEMDB_RECORD_SAMPLER_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "record/machine.h"

/* In the order in which `auto` tries them. */
enum sampler {
	SAMPLER_IBS,
	SAMPLER_PEBS,
	SAMPLER_SPE,
	SAMPLER_TIMER,
	SAMPLERS,
	SAMPLER_AUTO,
};

/* The user's wishes. Of period and frequency at most one is not 0; both 0: the sampler's default.
 */
struct sampling {
	uint64_t period;    /* events between two samples; timer: ns of thread time */
	uint64_t frequency; /* samples per second and thread */
	unsigned latency;   /* pebs, spe: loads faster than this many cycles are not sampled */
	bool faults;        /* page faults too */
	bool kernel;        /* sample kernel mode too, where that is allowed */
};

#define SAMPLING_DEFAULT ((struct sampling){ .latency = 30, .faults = true, .kernel = true })

#define SAMPLER_MAX_EVENTS 12

struct sampler_event {
	char perf[160];              /* for perf record -e, without the modifiers of a group */
	struct perf_event_attr attr; /* enough of it to try whether it opens */
	const char *role;            /* what its samples are, as selected_events.role has it */
	bool leads;                  /* makes a group with the next event */
	bool optional;               /* is left out where it does not open */
};

struct sampler_plan {
	enum sampler sampler;
	struct sampler_event events[SAMPLER_MAX_EVENTS];
	unsigned count;
	bool kernel;    /* kernel mode is sampled too */
	bool phys_data; /* ask perf for physical addresses */
	bool page_size; /* ask perf for the page size of data addresses */
	bool inject;    /* the recording is an AUX trace that perf inject has to decode */
};

const char *sampler_name(enum sampler s);

/* SAMPLERS for an unknown name. */
enum sampler sampler_by_name(const char *name);

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
 * Resolves SAMPLER_AUTO to the first sampler from `first` on that opens, or plans and probes the
 * one asked for. Returns 0, MD_EUSAGE, or MD_ENOTSUP with the sentence of the one asked for, or of
 * the last one.
 */
int sampler_choose(enum sampler s, enum sampler first, const struct machine *m,
		   const struct sampling *o, struct sampler_plan *plan, struct md_err *err);

/* What an errno of perf_event_open(2) means here and what helps, one sentence without a full stop.
 * kernel: the event was to count in kernel mode too. */
void sampler_explain_errno(int sys, const struct machine *m, bool kernel, char *out, size_t len);

/* Value of `perf record -e` for event *i, which moves past a whole group; false at the end. */
bool sampler_event_argument(const struct sampler_plan *plan, unsigned *i, char *out, size_t len);

#endif
