/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the samplers share. */
#ifndef MEMDB_RECORD_SAMPLER_PARTS_H
#define MEMDB_RECORD_SAMPLER_PARTS_H

#include "record/sampler.h"

enum {
	DEFAULT_FREQUENCY = 1000,      /* samples per second */
	INSTRUCTION_PERIOD = 10000000, /* a few hundred samples a second */
};

/* Adds an event for the user's modes, which the caller completes. */
struct sampler_event *sampler_add_event(struct sampler_plan *plan, enum event_role role);

/* Adds a software event of perf's. */
void sampler_add_software(struct sampler_plan *plan, const char *name, uint64_t config,
			  uint64_t period, enum event_role role);

/* Adds an event of a PMU for memory samples: "PMU/terms,rate/" with `precise` times the modifier p.
 * Errors as sampler_plan(). */
int sampler_add_pmu(struct sampler_plan *plan, const struct machine *m, const char *pmu,
		    const char *terms, const char *rate, unsigned precise, struct md_err *err);

/* Adds the event of every access, see record/exact.h. MD_EUSAGE where a frequency is asked for. */
int sampler_add_accesses(struct sampler_plan *plan, const struct sampling *o, struct md_err *err);
void sampler_add_access_event(struct sampler_plan *plan, const char *name, uint64_t config,
			      enum event_role role);

/* "period=N" or "freq=N", set for each event: a global -c would apply to page faults too. period:
 * used if the user chose neither; 0: DEFAULT_FREQUENCY. */
void sampler_rate_term(const struct sampling *o, uint64_t period, char *out, size_t len);

#endif
