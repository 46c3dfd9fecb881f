/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the header features (tools/perf/Documentation/perf.data-file-format.txt). pd_note_feature()
 * only stores where each feature is. When all events and features are known, the features are read
 * in the order of their numbers. So the order of their records in a pipe does not matter. */
#include <inttypes.h>

#include "perfdata/feature.h"

enum { KIB = 1024 };

const char *pd_feature_string(struct pd_file *f, struct cursor *c)
{
	uint32_t n = cursor_u32(c);
	const char *s = cursor_bytes(c, n);

	/* the string is padded with zeros */
	return s ? arena_copy(&f->arena, s, strnlen(s, n)) : NULL;
}

static int read_cmdline(struct pd_file *f, struct cursor *c)
{
	uint32_t n = cursor_u32(c);
	const char **words;

	if (n > cursor_left(c) / 4) {
		c->failed = true;
		return 0;
	}
	words = arena_alloc(&f->arena, ((size_t)n + 1) * sizeof(*words));
	if (!words)
		return MD_ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		words[i] = pd_feature_string(f, c);
		if (!words[i])
			return c->failed ? 0 : MD_ENOMEM;
	}
	f->features.cmdline = words;
	f->features.ncmdline = n;
	return 0;
}

/* Reads the time of one moment on two clocks: the clock of the recording and the wall clock. */
static int read_clock_data(struct pd_file *f, struct cursor *c)
{
	uint32_t version = cursor_u32(c);
	int32_t clockid = (int32_t)cursor_u32(c);
	uint64_t wall = cursor_u64(c), ref = cursor_u64(c);

	if (c->failed || version != 1)
		return 0;
	f->features.has_clockid = true;
	f->features.clockid = clockid;
	f->features.clock_ref_realtime_ns = wall;
	f->features.clock_ref_ns = ref;
	return 0;
}

static int read_nrcpus(struct pd_file *f, struct cursor *c)
{
	f->features.nrcpus_available = cursor_u32(c);
	f->features.nrcpus_online = cursor_u32(c);
	return 0;
}

static int read_total_mem(struct pd_file *f, struct cursor *c)
{
	f->features.total_mem_bytes = cursor_u64(c) * KIB;
	return 0;
}

static int read_sample_time(struct pd_file *f, struct cursor *c)
{
	f->features.first_sample_ns = cursor_u64(c);
	f->features.last_sample_ns = cursor_u64(c);
	return 0;
}

static int read_clockid(struct pd_file *f, struct cursor *c)
{
	f->features.clock_resolution_ns = cursor_u64(c);
	return 0;
}

/* Stores where in the file the formats of tracepoints are. In a pipe they come in a record of their
 * own; if that record was read before, its position is kept. */
static int read_tracing_data(struct pd_file *f, struct cursor *c)
{
	if (f->features.tracing_data)
		return 0;
	f->features.tracing_data = c->p;
	f->features.tracing_data_size = cursor_left(c);
	return 0;
}

static int read_build_ids(struct pd_file *f, struct cursor *c)
{
	return pd_read_build_ids(f, *c, NULL);
}

static const char **string_feature(struct pd_features *t, uint64_t feature)
{
	switch (feature) {
	case HEADER_HOSTNAME:
		return &t->hostname;
	case HEADER_OSRELEASE:
		return &t->osrelease;
	case HEADER_VERSION:
		return &t->version;
	case HEADER_ARCH:
		return &t->arch;
	case HEADER_CPUDESC:
		return &t->cpudesc;
	case HEADER_CPUID:
		return &t->cpuid;
	default:
		return NULL;
	}
}

/* The function that reads each feature. NULL means that the feature is a single string
 * (string_feature()), or that memdb does not use it. */
static int (*const readers[PD_FEATURES])(struct pd_file *, struct cursor *) = {
	[HEADER_TRACING_DATA] = read_tracing_data,
	[HEADER_BUILD_ID] = read_build_ids,
	[HEADER_NRCPUS] = read_nrcpus,
	[HEADER_TOTAL_MEM] = read_total_mem,
	[HEADER_CMDLINE] = read_cmdline,
	[HEADER_EVENT_DESC] = pd_read_event_desc,
	[HEADER_CPU_TOPOLOGY] = pd_read_cpu_topology,
	[HEADER_NUMA_TOPOLOGY] = pd_read_numa_topology,
	[HEADER_PMU_MAPPINGS] = pd_read_pmu_mappings,
	[HEADER_GROUP_DESC] = pd_read_group_desc,
	[HEADER_CACHE] = pd_read_caches,
	[HEADER_SAMPLE_TIME] = read_sample_time,
	[HEADER_MEM_TOPOLOGY] = pd_read_mem_topology,
	[HEADER_CLOCKID] = read_clockid,
	[HEADER_CPU_PMU_CAPS] = pd_read_cpu_pmu_caps,
	[HEADER_CLOCK_DATA] = read_clock_data,
	[HEADER_HYBRID_TOPOLOGY] = pd_read_hybrid_topology,
	[HEADER_PMU_CAPS] = pd_read_pmu_caps,
};

void pd_note_feature(struct pd_file *f, uint64_t feature, struct cursor bytes)
{
	if (feature >= PD_FEATURES)
		f->losses.unknown_features++;
	else if (!f->sections[feature].p)
		f->sections[feature] = bytes; /* if a feature occurs twice, the first one is used */
}

static int read_string(struct pd_file *f, struct cursor *c, const char **to)
{
	*to = pd_feature_string(f, c);
	return *to || c->failed ? 0 : MD_ENOMEM;
}

static int read_feature(struct pd_file *f, unsigned feature, struct cursor c, struct md_err *err)
{
	const char **string = string_feature(&f->features, feature);
	int ret = 0;

	if (string)
		ret = read_string(f, &c, string);
	else if (readers[feature])
		ret = readers[feature](f, &c);
	if (ret)
		return md_nomem(err);
	if (c.failed)
		pd_damage(f, "header feature %u is shorter than what it holds", feature);
	return 0;
}

int pd_read_features(struct pd_file *f, struct md_err *err)
{
	int ret = 0;

	for (unsigned i = 0; i < PD_FEATURES && !ret; i++) {
		/* an empty section is skipped: old versions of perf write one for data that the
		 * machine does not have */
		if (cursor_left(&f->sections[i]))
			ret = read_feature(f, i, f->sections[i], err);
	}
	if (!ret && pd_finish_machine(f))
		ret = md_nomem(err);
	pd_finish_events(f);
	return ret ? ret : pd_name_tracepoints(f, err);
}
