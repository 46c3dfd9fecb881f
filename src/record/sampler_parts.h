/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions with which the files sampler_NAME.c plan the events of their samplers. */
#ifndef MEMDB_RECORD_SAMPLER_PARTS_H
#define MEMDB_RECORD_SAMPLER_PARTS_H

#include "record/sampler.h"

enum {
	/* samples per second and thread if the user does not set the rate */
	DEFAULT_FREQUENCY = 1000,
	INSTRUCTION_PERIOD = 10000000, /* instructions; yields a few hundred samples per second */
};

/* Adds an event for user mode, and for kernel mode too if plan->kernel is set. The caller fills in
 * the rest. */
struct sampler_event *sampler_add_event(struct sampler_plan *plan, enum event_role role);

/* Adds a software event of the kernel. */
void sampler_add_software(struct sampler_plan *plan, const char *name, uint64_t config,
			  uint64_t period, enum event_role role);

/*
 * Adds a PMU event for memory samples, "PMU/terms,rate/", with the modifier p repeated `precise`
 * times. Returns the same values as sampler_plan().
 */
int sampler_add_pmu(struct sampler_plan *plan, const struct machine *m, const char *pmu,
		    const char *terms, const char *rate, unsigned precise, struct md_err *err);

/* Adds an event for the sampler "exact" or "soft" (record/exact.h), which perf does not open. */
void sampler_add_access_event(struct sampler_plan *plan, const char *name, uint64_t config,
			      enum event_role role);

/* Writes the rate of one event, "period=N" or "freq=N". perf's option -c is not used, because it
 * would apply to tracepoints, too. If the user chose neither, uses `period`, or DEFAULT_FREQUENCY
 * if `period` is 0. */
void sampler_rate_term(const struct sampling *o, uint64_t period, char *out, size_t len);

#endif
