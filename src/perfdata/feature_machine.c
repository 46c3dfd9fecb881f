/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the header features that describe the machine: CPUs, nodes, memory, PMUs. */
#include <stdio.h>
#include <stdlib.h>

#include "base/idlist.h"
#include "perfdata/feature.h"

enum {
	/* maximum number of CPUs, eight times the kernel's. A file without a topology may claim any
	 * number of CPUs, and memory is allocated for them */
	MAX_CPUS = 65536,
	/* maximum number of PMUs; large machines have several hundred, because each unit outside
	 * the cores (of a memory controller, for example) is a PMU of its own */
	MAX_PMUS = 4096,
	MAX_NODES = 1024, /* the kernel's own limit */
	KIB = 1024,
};

static void skip_strings(struct cursor *c)
{
	uint32_t n = cursor_u32(c);

	for (uint32_t i = 0; i < n && !c->failed; i++)
		cursor_skip(c, cursor_u32(c));
}

static struct pd_cpu *new_cpus(struct pd_file *f, uint32_t n)
{
	struct pd_cpu *cpus = arena_alloc(&f->arena, (size_t)n * sizeof(*cpus));

	for (uint32_t i = 0; cpus && i < n; i++)
		cpus[i] = (struct pd_cpu){ .core = -1, .socket = -1, .node = -1 };
	return cpus;
}

/* Skips the lists of siblings, then reads core and socket of each CPU. Old files contain only the
 * lists. */
int pd_read_cpu_topology(struct pd_file *f, struct cursor *c)
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

int pd_read_numa_topology(struct pd_file *f, struct cursor *c)
{
	uint32_t n = cursor_u32(c);
	struct pd_node *nodes;

	/* a node takes at least 24 bytes: its number, two sizes, the length of a string */
	if (n > cursor_left(c) / 24) {
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

/* Reads which blocks of physical memory each node has: one bitmap of block numbers for each
 * node. */
int pd_read_mem_topology(struct pd_file *f, struct cursor *c)
{
	uint64_t version = cursor_u64(c), block = cursor_u64(c), n = cursor_u64(c);
	struct pd_memory *m;

	if (c->failed || version != 1 || !block)
		return 0;
	if (n > MAX_NODES || n > cursor_left(c) / 24) {
		c->failed = true;
		return 0;
	}
	m = arena_alloc(&f->arena, (size_t)n * sizeof(*m));
	if (!m)
		return MD_ENOMEM;
	for (uint64_t i = 0; i < n && !c->failed; i++) {
		uint64_t node = cursor_u64(c), bits, words;

		cursor_skip(c, 8); /* skips the size of the bitmap, which the bitmap repeats */
		bits = cursor_u64(c);
		words = bits / 64 + !!(bits % 64);
		m[i].node = node < INT32_MAX ? (int32_t)node : -1;
		m[i].blocks = words > cursor_left(c) / 8 ? (c->failed = true, NULL)
							 : cursor_bytes(c, words * 8);
		m[i].nblocks = m[i].blocks ? bits : 0;
	}
	f->features.memories = m;
	f->features.nmemories = c->failed ? 0 : (uint32_t)n;
	f->features.memory_block_bytes = block;
	return 0;
}

/* Parses the size of a cache as the kernel writes it, such as "1024K". Returns bytes; 0 if the
 * text is not a size. */
static uint64_t kib_bytes(const char *text)
{
	char *end;
	unsigned long long n = strtoull(text, &end, 10);

	return *end == 'K' && !end[1] && n < UINT32_MAX ? n * KIB : 0;
}

int pd_read_caches(struct pd_file *f, struct cursor *c)
{
	uint32_t version = cursor_u32(c), n = cursor_u32(c);

	if (version != 1)
		return 0;
	for (uint32_t i = 0; i < n && !c->failed; i++) {
		uint32_t level = cursor_u32(c);
		const char *type, *size;
		uint64_t bytes;

		cursor_skip(c, 3 * sizeof(uint32_t)); /* skips line size, sets and ways */
		type = pd_feature_string(f, c);
		size = type ? pd_feature_string(f, c) : NULL;
		if (!size)
			return c->failed ? 0 : MD_ENOMEM;
		cursor_skip(c, cursor_u32(c)); /* skips the CPUs that share the cache */
		bytes = kib_bytes(size);
		if (level - 1 < PD_CACHE_LEVELS && strcmp(type, "Instruction") &&
		    bytes > f->features.cache_bytes[level - 1])
			f->features.cache_bytes[level - 1] = bytes;
	}
	return 0;
}

static uint64_t word_of(const struct pd_file *f, const struct pd_memory *m, uint64_t block)
{
	uint64_t word;

	memcpy(&word, m->blocks + block / 64 * 8, sizeof(word));
	return f->swap ? __builtin_bswap64(word) : word;
}

/* Returns the first block of the node's bitmap at or after `block` whose bit has the value `there`;
 * m->nblocks if there is none. */
static uint64_t seek_block(const struct pd_file *f, const struct pd_memory *m, uint64_t block,
			   bool there)
{
	while (block < m->nblocks) {
		uint64_t word = word_of(f, m, block);

		word = (there ? word : ~word) >> block % 64;
		if (word) {
			block += (uint64_t)__builtin_ctzll(word);
			break;
		}
		block += 64 - block % 64;
	}
	return block < m->nblocks ? block : m->nblocks;
}

bool pd_memory_next(const struct pd_file *f, const struct pd_memory *m, uint64_t *block,
		    uint64_t *start, uint64_t *end)
{
	const uint64_t bytes = f->features.memory_block_bytes;
	uint64_t first = seek_block(f, m, *block, true), behind = seek_block(f, m, first, false);

	*block = behind;
	*start = first * bytes;
	*end = behind * bytes;
	return first < behind && behind <= UINT64_MAX / bytes;
}

uint64_t pd_memory_bytes(const struct pd_file *f, const struct pd_memory *m)
{
	struct cursor c = cursor_make(m->blocks, (m->nblocks + 63) / 64 * 8, f->swap);
	uint64_t n = 0;

	while (cursor_left(&c))
		n += (uint64_t)__builtin_popcountll(cursor_u64(&c));
	return n * f->features.memory_block_bytes;
}

static int by_type(const void *a, const void *b)
{
	uint32_t x = ((const struct pd_pmu *)a)->type, y = ((const struct pd_pmu *)b)->type;

	return (x > y) - (x < y);
}

int pd_read_pmu_mappings(struct pd_file *f, struct cursor *c)
{
	uint32_t n = cursor_u32(c), i;

	if (n > MAX_PMUS || n > cursor_left(c) / 8) {
		c->failed = true;
		return 0;
	}
	f->pmus = arena_alloc(&f->arena, (size_t)n * sizeof(*f->pmus));
	if (!f->pmus)
		return MD_ENOMEM;
	for (i = 0; i < n; i++) {
		f->pmus[i].type = cursor_u32(c);
		f->pmus[i].name = pd_feature_string(f, c);
		if (!f->pmus[i].name)
			break;
	}
	if (i < n && !c->failed)
		return MD_ENOMEM;
	qsort(f->pmus, i, sizeof(*f->pmus), by_type);
	f->features.pmus = f->pmus;
	f->features.npmus = i;
	return 0;
}

/* Reads a name of a PMU. Returns the PMU of f that has this name, or NULL. */
static struct pd_pmu *next_pmu(struct pd_file *f, struct cursor *c)
{
	uint32_t n = cursor_u32(c);
	const char *name = cursor_bytes(c, n);
	size_t len = name ? strnlen(name, n) : 0;

	for (uint32_t i = 0; name && i < f->features.npmus; i++) {
		if (strlen(f->pmus[i].name) == len && !memcmp(f->pmus[i].name, name, len))
			return &f->pmus[i];
	}
	return NULL;
}

/* Reads which CPUs each core PMU of a hybrid machine has. */
int pd_read_hybrid_topology(struct pd_file *f, struct cursor *c)
{
	uint32_t n = cursor_u32(c);

	for (uint32_t i = 0; i < n && i < MAX_PMUS && !c->failed; i++) {
		struct pd_pmu *pmu = next_pmu(f, c);
		const char *cpus = pd_feature_string(f, c);

		if (!cpus)
			return c->failed ? 0 : MD_ENOMEM;
		if (pmu)
			pmu->cpus = cpus;
	}
	return 0;
}

/* Reads n pairs of name and value. Returns "name=value name=value". Returns NULL with c->failed set
 * if a pair is longer than the section, or NULL with c->failed clear when out of memory. */
static const char *read_caps(struct pd_file *f, struct cursor *c, uint32_t n)
{
	struct cursor measure = *c;
	size_t size = 1, used = 0;
	char *text;

	for (uint32_t i = 0; i < n && !measure.failed; i++) {
		size += cursor_left(&measure);
		cursor_skip(&measure, cursor_u32(&measure));
		cursor_skip(&measure, cursor_u32(&measure));
		/* `measure` also skipped the two words with the lengths; these 8 bytes leave room
		 * for "=" and the space */
		size -= cursor_left(&measure);
	}
	c->failed |= measure.failed;
	text = c->failed ? NULL : arena_alloc(&f->arena, size);
	for (uint32_t i = 0; i < n && text; i++) {
		uint32_t name = cursor_u32(c), value;
		const char *s = cursor_bytes(c, name), *v;

		value = cursor_u32(c);
		v = cursor_bytes(c, value);
		used += (size_t)snprintf(text + used, size - used, "%s%.*s=%.*s", i ? " " : "",
					 (int)strnlen(s, name), s, (int)strnlen(v, value), v);
	}
	return text;
}

/* Reads the capabilities of the PMU "cpu". Those of all other PMUs are in the feature PMU_CAPS. */
int pd_read_cpu_pmu_caps(struct pd_file *f, struct cursor *c)
{
	const char *caps = read_caps(f, c, cursor_u32(c));

	if (!caps)
		return c->failed ? 0 : MD_ENOMEM;
	for (uint32_t i = 0; i < f->features.npmus; i++) {
		if (!strcmp(f->pmus[i].name, "cpu"))
			f->pmus[i].caps = caps;
	}
	return 0;
}

int pd_read_pmu_caps(struct pd_file *f, struct cursor *c)
{
	uint32_t n = cursor_u32(c);

	for (uint32_t i = 0; i < n && i < MAX_PMUS && !c->failed; i++) {
		const char *caps = read_caps(f, c, cursor_u32(c));
		struct pd_pmu *pmu = caps ? next_pmu(f, c) : NULL;

		if (!caps)
			return c->failed ? 0 : MD_ENOMEM;
		if (pmu)
			pmu->caps = caps;
	}
	return 0;
}

const struct pd_pmu *pd_pmu_of_type(const struct pd_file *f, uint32_t type)
{
	struct pd_pmu key = { .type = type };

	return f->features.npmus ? bsearch(&key, f->pmus, f->features.npmus, sizeof(key), by_type)
				 : NULL;
}

/* Sets cpus[cpu].node for each CPU of a list, but at most `budget` times, and returns the rest of
 * the budget. In an intact file each CPU is in one list only, so a budget of ncpus is enough for
 * all lists. The budget is needed because a damaged file with long lists could take forever. */
static uint32_t set_nodes(struct pd_cpu *cpus, uint32_t ncpus, uint32_t budget, const char *list,
			  int32_t node)
{
	struct idlist l = idlist_make(list);
	uint32_t first, last;

	while (idlist_range(&l, &first, &last))
		for (uint32_t i = first; i <= last && i < ncpus && budget; i++, budget--)
			cpus[i].node = node;
	return budget;
}

int pd_finish_machine(struct pd_file *f)
{
	struct pd_features *t = &f->features;
	uint32_t n = t->nrcpus_available < MAX_CPUS ? t->nrcpus_available : MAX_CPUS;
	uint32_t budget;

	if (!t->nnodes || !n)
		return 0;
	if (!f->cpus) {
		f->cpus = new_cpus(f, n);
		if (!f->cpus)
			return MD_ENOMEM;
		t->cpus = f->cpus;
		t->ncpus = n;
	}
	budget = t->ncpus;
	for (uint32_t i = 0; i < t->nnodes && budget; i++)
		budget = set_nodes(f->cpus, t->ncpus, budget, t->nodes[i].cpus,
				   (int32_t)t->nodes[i].id);
	return 0;
}
