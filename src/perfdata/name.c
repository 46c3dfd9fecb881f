/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes perf's name for an event to which the file gives none, like evsel__name() in
 * tools/perf/util/evsel.c. */
#include <inttypes.h>
#include <linux/hw_breakpoint.h>
#include <stdio.h>

#include "base/count.h"
#include "perfdata/internal.h"

static const char *const hardware[] = {
	[PERF_COUNT_HW_CPU_CYCLES] = "cycles",
	[PERF_COUNT_HW_INSTRUCTIONS] = "instructions",
	[PERF_COUNT_HW_CACHE_REFERENCES] = "cache-references",
	[PERF_COUNT_HW_CACHE_MISSES] = "cache-misses",
	[PERF_COUNT_HW_BRANCH_INSTRUCTIONS] = "branches",
	[PERF_COUNT_HW_BRANCH_MISSES] = "branch-misses",
	[PERF_COUNT_HW_BUS_CYCLES] = "bus-cycles",
	[PERF_COUNT_HW_STALLED_CYCLES_FRONTEND] = "stalled-cycles-frontend",
	[PERF_COUNT_HW_STALLED_CYCLES_BACKEND] = "stalled-cycles-backend",
	[PERF_COUNT_HW_REF_CPU_CYCLES] = "ref-cycles",
};
ASSERT_NAMES(hardware, PERF_COUNT_HW_REF_CPU_CYCLES);

static const char *const software[] = {
	[PERF_COUNT_SW_CPU_CLOCK] = "cpu-clock",
	[PERF_COUNT_SW_TASK_CLOCK] = "task-clock",
	[PERF_COUNT_SW_PAGE_FAULTS] = "page-faults",
	[PERF_COUNT_SW_CONTEXT_SWITCHES] = "context-switches",
	[PERF_COUNT_SW_CPU_MIGRATIONS] = "cpu-migrations",
	[PERF_COUNT_SW_PAGE_FAULTS_MIN] = "minor-faults",
	[PERF_COUNT_SW_PAGE_FAULTS_MAJ] = "major-faults",
	[PERF_COUNT_SW_ALIGNMENT_FAULTS] = "alignment-faults",
	[PERF_COUNT_SW_EMULATION_FAULTS] = "emulation-faults",
	[PERF_COUNT_SW_DUMMY] = "dummy",
	[PERF_COUNT_SW_BPF_OUTPUT] = "bpf-output",
	[11] = "cgroup-switches", /* PERF_COUNT_SW_CGROUP_SWITCHES, Linux 5.13 */
};
ASSERT_NAMES(software, 11);

static const char *const cache[] = {
	[PERF_COUNT_HW_CACHE_L1D] = "L1-dcache", [PERF_COUNT_HW_CACHE_L1I] = "L1-icache",
	[PERF_COUNT_HW_CACHE_LL] = "LLC",        [PERF_COUNT_HW_CACHE_DTLB] = "dTLB",
	[PERF_COUNT_HW_CACHE_ITLB] = "iTLB",     [PERF_COUNT_HW_CACHE_BPU] = "branch",
	[PERF_COUNT_HW_CACHE_NODE] = "node",
};
ASSERT_NAMES(cache, PERF_COUNT_HW_CACHE_NODE);
/* For each operation, two words: perf uses the singular for an event that counts misses
 * (L1-dcache-load-misses), and the plural for an event that counts all accesses
 * (L1-dcache-loads). */
static const char *const cache_op[][2] = {
	[PERF_COUNT_HW_CACHE_OP_READ] = { "load", "loads" },
	[PERF_COUNT_HW_CACHE_OP_WRITE] = { "store", "stores" },
	[PERF_COUNT_HW_CACHE_OP_PREFETCH] = { "prefetch", "prefetches" },
};
ASSERT_NAMES(cache_op, PERF_COUNT_HW_CACHE_OP_PREFETCH);

/* Which operations each cache supports: bit n stands for cache_op[n], as in perf's
 * evsel__hw_cache_stat[]. */
static const uint8_t cache_has[] = {
	[PERF_COUNT_HW_CACHE_L1D] = 7,  [PERF_COUNT_HW_CACHE_L1I] = 5,
	[PERF_COUNT_HW_CACHE_LL] = 7,   [PERF_COUNT_HW_CACHE_DTLB] = 7,
	[PERF_COUNT_HW_CACHE_ITLB] = 1, [PERF_COUNT_HW_CACHE_BPU] = 1,
	[PERF_COUNT_HW_CACHE_NODE] = 7,
};
ASSERT_NAMES(cache_has, PERF_COUNT_HW_CACHE_NODE);

static void cache_name(char *buf, size_t size, uint64_t config)
{
	unsigned type = config & 0xff, op = config >> 8 & 0xff, result = config >> 16 & 0xff;

	if (type >= COUNT_OF(cache))
		snprintf(buf, size, "unknown-ext-hardware-cache-type");
	else if (op >= COUNT_OF(cache_op))
		snprintf(buf, size, "unknown-ext-hardware-cache-op");
	else if (result > 1)
		snprintf(buf, size, "unknown-ext-hardware-cache-result");
	else if (!(cache_has[type] & 1 << op))
		snprintf(buf, size, "invalid-cache");
	else if (result)
		snprintf(buf, size, "%s-%s-misses", cache[type], cache_op[op][0]);
	else
		snprintf(buf, size, "%s-%s", cache[type], cache_op[op][1]);
}

static void base_name(char *buf, size_t size, const struct perf_event_attr *a)
{
	uint32_t config = (uint32_t)a->config; /* the upper half is the PMU of a hybrid CPU */

	switch (a->type) {
	case PERF_TYPE_HARDWARE:
		snprintf(buf, size, "%s",
			 config < COUNT_OF(hardware) ? hardware[config] : "unknown-hardware");
		break;
	case PERF_TYPE_SOFTWARE:
		snprintf(buf, size, "%s",
			 a->config < COUNT_OF(software) ? software[config] : "unknown-software");
		break;
	case PERF_TYPE_HW_CACHE:
		cache_name(buf, size, a->config);
		break;
	case PERF_TYPE_RAW:
		snprintf(buf, size, "raw 0x%" PRIx64, (uint64_t)a->config);
		break;
	case PERF_TYPE_TRACEPOINT:
		snprintf(buf, size, "unknown tracepoint");
		break;
	case PERF_TYPE_BREAKPOINT:
		snprintf(buf, size, "mem:0x%" PRIx64 ":%s%s%s", (uint64_t)a->bp_addr,
			 a->bp_type & HW_BREAKPOINT_R ? "r" : "",
			 a->bp_type & HW_BREAKPOINT_W ? "w" : "",
			 a->bp_type & HW_BREAKPOINT_X ? "x" : "");
		break;
	default:
		snprintf(buf, size, "unknown attr type: %u", a->type);
	}
}

/* Writes the modifiers, such as ":u" or ":ppp": which of user, kernel, hypervisor, host and guest
 * the event counts, and how precise it is. */
static void name_modifiers(char buf[16], const struct perf_event_attr *a)
{
	bool part = a->exclude_kernel || a->exclude_user || a->exclude_hv;
	char *p = buf;

	*p++ = ':';
	if (part) {
		if (!a->exclude_kernel)
			*p++ = 'k';
		if (!a->exclude_user)
			*p++ = 'u';
		if (!a->exclude_hv)
			*p++ = 'h';
	}
	for (unsigned i = 0; i < a->precise_ip; i++)
		*p++ = 'p';
	if (a->exclude_host || a->exclude_guest == (part || a->precise_ip)) {
		if (!a->exclude_host)
			*p++ = 'H';
		if (!a->exclude_guest)
			*p++ = 'G';
	}
	if (p == buf + 1)
		p = buf; /* without a modifier there is no colon either */
	*p = 0;
}

static bool takes_modifiers(uint32_t type)
{
	return type <= PERF_TYPE_BREAKPOINT && type != PERF_TYPE_TRACEPOINT;
}

const char *pd_event_name(struct arena *a, const struct perf_event_attr *attr)
{
	char buf[96], mods[16] = "";
	int n;

	base_name(buf, sizeof(buf) - sizeof(mods), attr);
	if (takes_modifiers(attr->type))
		name_modifiers(mods, attr);
	n = (int)strlen(buf);
	n += snprintf(buf + n, sizeof(buf) - (size_t)n, "%s", mods);
	return arena_copy(a, buf, (size_t)n);
}
