/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The readers of single header features. A comment names the file that defines them. */
#ifndef MEMDB_PERFDATA_FEATURE_H
#define MEMDB_PERFDATA_FEATURE_H

#include "perfdata/internal.h"

/* From tools/perf/util/header.h. Unused features are left out. */
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

/* Reads a string: a u32 length, then the bytes. Returns NULL with c->failed set if the string does
 * not fit, or NULL without it if out of memory. The arena owns the copy. */
const char *pd_feature_string(struct pd_file *f, struct cursor *c);

/* Each reads one section. Returns 0 or MD_ENOMEM, and sets c->failed if the section is damaged. */

/* feature_machine.c */
int pd_read_cpu_topology(struct pd_file *f, struct cursor *c); /* after HEADER_NRCPUS */
int pd_read_numa_topology(struct pd_file *f, struct cursor *c);
int pd_read_mem_topology(struct pd_file *f, struct cursor *c);
int pd_read_caches(struct pd_file *f, struct cursor *c);
int pd_read_pmu_mappings(struct pd_file *f, struct cursor *c);
/* after HEADER_PMU_MAPPINGS */
int pd_read_hybrid_topology(struct pd_file *f, struct cursor *c);
int pd_read_cpu_pmu_caps(struct pd_file *f, struct cursor *c);
int pd_read_pmu_caps(struct pd_file *f, struct cursor *c);
/* Sets the node of each CPU, for which several features are needed. Returns 0 or MD_ENOMEM. */
int pd_finish_machine(struct pd_file *f);
const struct pd_pmu *pd_pmu_of_type(const struct pd_file *f, uint32_t type);

/* feature_event.c; call these after all events are added */
int pd_read_event_desc(struct pd_file *f, struct cursor *c);
int pd_read_group_desc(struct pd_file *f, struct cursor *c);
void pd_finish_events(struct pd_file *f); /* sets their PMUs; after HEADER_PMU_MAPPINGS */

#endif
