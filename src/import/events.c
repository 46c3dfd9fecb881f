/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/pipeline.h"

#include <string.h>

static bool named(const struct pd_evsel *e, const char *part)
{
	return strstr(e->name, part) != NULL;
}

static enum event_role software_role(uint64_t config)
{
	switch (config) {
	case PERF_COUNT_SW_CPU_CLOCK:
	case PERF_COUNT_SW_TASK_CLOCK:
		return ROLE_TIME;
	case PERF_COUNT_SW_PAGE_FAULTS:
	case PERF_COUNT_SW_PAGE_FAULTS_MIN:
	case PERF_COUNT_SW_PAGE_FAULTS_MAJ:
		return ROLE_FAULT;
	default:
		return ROLE_OTHER;
	}
}

/* An event's numbers differ between CPUs and its name is what perf's user chose, so hardware memory
 * sampling is known by what only it has: addresses with a data source or a latency. */
enum event_role event_role(const struct pd_evsel *e)
{
	const uint64_t latency = PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT;
	uint64_t type = e->attr.sample_type;

	if (e->attr.type == PERF_TYPE_SOFTWARE)
		return software_role(e->attr.config);
	if (e->attr.type == PERF_TYPE_TRACEPOINT)
		return ROLE_TRACEPOINT;
	/* no event is sampled without a period: perf made it of an AUX trace */
	if (!e->attr.sample_period && (type & PERF_SAMPLE_ADDR) && (type & PERF_SAMPLE_DATA_SRC))
		return ROLE_ACCESS;
	if (e->attr.type == PERF_TYPE_HARDWARE) {
		uint64_t config = e->attr.config & 0xffffffff; /* above: the PMU of a hybrid CPU */

		if (config == PERF_COUNT_HW_INSTRUCTIONS)
			return ROLE_INSTRUCTIONS;
		if (config == PERF_COUNT_HW_CPU_CYCLES || config == PERF_COUNT_HW_REF_CPU_CYCLES)
			return ROLE_CYCLES;
	}
	if (named(e, "mem-loads") || named(e, "mem-stores") || named(e, "ibs_op") ||
	    named(e, "spe") || named(e, "mem_trans_retired") || named(e, "MEM_TRANS_RETIRED"))
		return ROLE_ACCESS;
	if ((type & PERF_SAMPLE_ADDR) && (type & PERF_SAMPLE_DATA_SRC) && (type & latency) &&
	    e->attr.precise_ip)
		return ROLE_ACCESS;
	return ROLE_OTHER;
}

const char *event_role_name(enum event_role r)
{
	static const char *const names[] = { "access",       "time",       "cycles", "fault",
					     "instructions", "tracepoint", "other" };

	return names[r];
}
