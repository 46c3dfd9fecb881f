/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The header features that memdb uses: tools/perf/Documentation/perf.data-file-format.txt. */
#include <inttypes.h>
#include <stdio.h>

#include "perfdata/internal.h"

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
	HEADER_SAMPLE_TIME = 21,
	HEADER_CLOCK_DATA = 29,
	/* A CPU count without a topology behind it is only a number: more CPUs than this, eight
	 * times the kernel's own limit, are not listed. */
	MAX_CPUS = 65536,
	KIB = 1024,
};

const char *pd_feature_string(struct pd_file *f, struct cursor *c)
{
	uint32_t n = cursor_u32(c);
	const char *s = cursor_bytes(c, n);

	return s ? arena_copy(&f->arena, s, strnlen(s, n)) : NULL; /* padded with zeros */
}

static void skip_strings(struct cursor *c)
{
	uint32_t n = cursor_u32(c);

	for (uint32_t i = 0; i < n && !c->failed; i++)
		cursor_skip(c, cursor_u32(c));
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

static void set_name(struct evsel *e, const char *name)
{
	e->pub.name = name;
	e->unnamed = false;
}

/* The name perf gave each event, in the order of the attributes. */
static int read_event_desc(struct pd_file *f, struct cursor *c)
{
	uint32_t n = cursor_u32(c), attr_bytes = cursor_u32(c);

	for (uint32_t i = 0; i < n && !c->failed; i++) {
		const char *name;
		uint32_t nids;

		cursor_skip(c, attr_bytes);
		nids = cursor_u32(c);
		name = pd_feature_string(f, c);
		if (!name)
			return c->failed ? 0 : MD_ENOMEM;
		cursor_skip(c, (uint64_t)nids * 8);
		if (i < f->nevsels && *name)
			set_name(f->evsels[i], name);
	}
	return 0;
}

static struct pd_cpu *new_cpus(struct pd_file *f, uint32_t n)
{
	struct pd_cpu *cpus = arena_alloc(&f->arena, (size_t)n * sizeof(*cpus));

	for (uint32_t i = 0; cpus && i < n; i++)
		cpus[i] = (struct pd_cpu){ .core = -1, .socket = -1, .node = -1 };
	return cpus;
}

/* The lists of siblings, then core and socket of each CPU (since Linux 4.1). */
static int read_cpu_topology(struct pd_file *f, struct cursor *c)
{
	uint32_t n = f->features.nrcpus_available;

	skip_strings(c);
	skip_strings(c);
	if (c->failed || !cursor_left(c))
		return 0;
	if (n > cursor_left(c) / 8) {
		c->failed = true;
		return 0;
	}
	f->cpus = new_cpus(f, n);
	if (!f->cpus)
		return MD_ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		f->cpus[i].core = (int32_t)cursor_u32(c);
		f->cpus[i].socket = (int32_t)cursor_u32(c);
	}
	f->features.cpus = f->cpus;
	f->features.ncpus = n;
	return 0;
}

static int read_numa_topology(struct pd_file *f, struct cursor *c)
{
	uint32_t n = cursor_u32(c);
	struct pd_node *nodes;

	if (n > cursor_left(c) / 24) { /* number, two sizes, a string's length */
		c->failed = true;
		return 0;
	}
	nodes = arena_alloc(&f->arena, (size_t)n * sizeof(*nodes));
	if (!nodes)
		return MD_ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		nodes[i].id = cursor_u32(c);
		nodes[i].mem_total_bytes = cursor_u64(c) * KIB;
		nodes[i].mem_free_bytes = cursor_u64(c) * KIB;
		nodes[i].cpus = pd_feature_string(f, c);
		if (!nodes[i].cpus)
			return c->failed ? 0 : MD_ENOMEM;
	}
	f->features.nodes = nodes;
	f->features.nnodes = n;
	return 0;
}

static int read_pmu_mappings(struct pd_file *f, struct cursor *c)
{
	uint32_t n = cursor_u32(c);
	/* "4294967295:" and a blank are 12 bytes for 8 in the file */
	size_t size = cursor_left(c) * 2 + 1, used = 0;
	char *text = arena_alloc(&f->arena, size);

	if (!text)
		return MD_ENOMEM;
	for (uint32_t i = 0; i < n && !c->failed; i++) {
		uint32_t type = cursor_u32(c), len = cursor_u32(c);
		const char *name = cursor_bytes(c, len);

		if (name)
			used += (size_t)snprintf(text + used, size - used, "%s%u:%.*s",
						 i ? " " : "", type, (int)strnlen(name, len), name);
	}
	f->features.pmu_mappings = text;
	return 0;
}

/* The recording clock and the wall clock at the same moment. */
static void read_clock_data(struct pd_file *f, struct cursor *c)
{
	uint32_t version = cursor_u32(c);
	int32_t clockid = (int32_t)cursor_u32(c);
	uint64_t wall = cursor_u64(c), ref = cursor_u64(c);

	if (c->failed || version != 1)
		return;
	f->features.has_clockid = true;
	f->features.clockid = clockid;
	f->features.clock_ref_realtime_ns = wall;
	f->features.clock_ref_ns = ref;
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

static void read_numbers(struct pd_features *t, uint64_t feature, struct cursor *c)
{
	if (feature == HEADER_NRCPUS) {
		t->nrcpus_available = cursor_u32(c);
		t->nrcpus_online = cursor_u32(c);
	} else if (feature == HEADER_TOTAL_MEM) {
		t->total_mem_bytes = cursor_u64(c) * KIB;
	} else if (feature == HEADER_SAMPLE_TIME) {
		t->first_sample_ns = cursor_u64(c);
		t->last_sample_ns = cursor_u64(c);
	} else if (feature == HEADER_TRACING_DATA) {
		t->tracing_data = c->p;
		t->tracing_data_size = cursor_left(c);
	}
}

static int read_lists(struct pd_file *f, uint64_t feature, struct cursor *c, struct md_err *err)
{
	switch (feature) {
	case HEADER_BUILD_ID:
		return pd_read_build_ids(f, *c, err);
	case HEADER_CMDLINE:
		return read_cmdline(f, c);
	case HEADER_EVENT_DESC:
		return read_event_desc(f, c);
	case HEADER_CPU_TOPOLOGY:
		return read_cpu_topology(f, c);
	case HEADER_NUMA_TOPOLOGY:
		return read_numa_topology(f, c);
	case HEADER_PMU_MAPPINGS:
		return read_pmu_mappings(f, c);
	case HEADER_CLOCK_DATA:
		read_clock_data(f, c);
		return 0;
	default: /* of no use here */
		return 0;
	}
}

int pd_read_feature(struct pd_file *f, uint64_t feature, struct cursor bytes, struct md_err *err)
{
	const char **string = string_feature(&f->features, feature);
	int ret = 0;

	/* old perfs left an empty section where the machine had no answer */
	if (feature >= 64 || f->features_read >> feature & 1 || !cursor_left(&bytes))
		return 0;
	if (feature == HEADER_TRACING_DATA && f->pipe)
		return 0; /* a pipe has a record of its own for it, whose bytes stay */
	f->features_read |= UINT64_C(1) << feature;
	if (string) {
		*string = pd_feature_string(f, &bytes);
		if (!*string && !bytes.failed)
			ret = MD_ENOMEM;
	} else {
		read_numbers(&f->features, feature, &bytes);
		ret = read_lists(f, feature, &bytes, err);
	}
	if (ret)
		return md_fail(err, ret, "out of memory for feature %" PRIu64, feature);
	if (bytes.failed)
		pd_damage(f, "header feature %" PRIu64 " is shorter than what it holds", feature);
	return 0;
}

int pd_finish_features(struct pd_file *f, struct md_err *err)
{
	struct pd_features *t = &f->features;
	uint32_t n = t->nrcpus_available < MAX_CPUS ? t->nrcpus_available : MAX_CPUS;
	uint32_t budget;

	if (f->nodes_set || !t->nnodes || !n)
		return 0;
	if (!f->cpus) {
		f->cpus = new_cpus(f, n);
		if (!f->cpus)
			return md_fail(err, MD_ENOMEM, "out of memory for %u CPUs", n);
		t->cpus = f->cpus;
		t->ncpus = n;
	}
	budget = t->ncpus;
	for (uint32_t i = 0; i < t->nnodes && budget; i++)
		budget = pd_set_nodes(f->cpus, t->ncpus, budget, t->nodes[i].cpus,
				      (int32_t)t->nodes[i].id);
	f->nodes_set = true;
	return 0;
}

int pd_read_event_update(struct pd_file *f, const struct pd_raw *rec, struct md_err *err)
{
	enum { UPDATE_NAME = 2 };
	struct cursor c = cursor_make(rec->body, rec->size, f->swap);
	uint64_t what = cursor_u64(&c), id = cursor_u64(&c);
	struct evsel *e = pd_ids_find(&f->ids, id);
	size_t n = cursor_left(&c);
	const char *name;

	if (c.failed)
		return MD_EFORMAT;
	if (what != UPDATE_NAME || !e)
		return 0;
	name = arena_copy(&f->arena, (const char *)c.p, strnlen((const char *)c.p, n));
	if (!name)
		return md_fail(err, MD_ENOMEM, "out of memory for an event's name");
	if (*name)
		set_name(e, name);
	return 0;
}
