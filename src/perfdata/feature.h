/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions that read single header features. The comments say which file defines them. */
#ifndef MEMDB_PERFDATA_FEATURE_H
#define MEMDB_PERFDATA_FEATURE_H

#include "perfdata/internal.h"

/* Numbers of features in tools/perf/util/header.h. Those that memdb does not use are missing. */
enum {
	HEADER_TRACING_DATA = 1,
	HEADER_BUILD_ID = 2,
	HEADER_HOSTNAME = 3,
	HEADER_OSRELEASE = 4,
	HEADER_VERSION = 5,
	HEADER_ARCH = 6,
	HEADER_NRCPUS = 7,
	HEADER_CPUDESC = 8,
	HEADER_CPUID = 9,
	HEADER_TOTAL_MEM = 10,
	HEADER_CMDLINE = 11,
	HEADER_EVENT_DESC = 12,
	HEADER_CPU_TOPOLOGY = 13,
	HEADER_NUMA_TOPOLOGY = 14,
	HEADER_PMU_MAPPINGS = 16,
	HEADER_GROUP_DESC = 17,
	HEADER_CACHE = 20,
	HEADER_SAMPLE_TIME = 21,
	HEADER_MEM_TOPOLOGY = 22,
	HEADER_CLOCKID = 23,
	HEADER_CPU_PMU_CAPS = 28,
	HEADER_CLOCK_DATA = 29,
	HEADER_HYBRID_TOPOLOGY = 30,
	HEADER_PMU_CAPS = 31,
};

/* Reads a string: its length (u32), then its bytes. Returns NULL with c->failed set if it is longer
 * than the section, or NULL with c->failed clear when out of memory. The arena owns the copy. */
const char *pd_feature_string(struct pd_file *f, struct cursor *c);

/* The functions pd_read_…() read one section each. They return 0 or MD_ENOMEM, and set c->failed if
 * the section is damaged. */

/* In feature_machine.c. */
/* must be called after HEADER_NRCPUS was read */
int pd_read_cpu_topology(struct pd_file *f, struct cursor *c);
int pd_read_numa_topology(struct pd_file *f, struct cursor *c);
int pd_read_mem_topology(struct pd_file *f, struct cursor *c);
int pd_read_caches(struct pd_file *f, struct cursor *c);
int pd_read_pmu_mappings(struct pd_file *f, struct cursor *c);
/* must be called after HEADER_PMU_MAPPINGS was read */
int pd_read_hybrid_topology(struct pd_file *f, struct cursor *c);
int pd_read_cpu_pmu_caps(struct pd_file *f, struct cursor *c);
int pd_read_pmu_caps(struct pd_file *f, struct cursor *c);
/* Sets the node of each CPU. Called after all features were read, because it needs several of them.
 * Returns 0 or MD_ENOMEM. */
int pd_finish_machine(struct pd_file *f);
const struct pd_pmu *pd_pmu_of_type(const struct pd_file *f, uint32_t type);

/* In feature_event.c. Must be called when all events have been added. */
int pd_read_event_desc(struct pd_file *f, struct cursor *c);
int pd_read_group_desc(struct pd_file *f, struct cursor *c);
/* sets the PMUs of the events; must be called after HEADER_PMU_MAPPINGS was read */
void pd_finish_events(struct pd_file *f);

#endif
