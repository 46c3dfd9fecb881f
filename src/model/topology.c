/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stores nodes, CPUs, distances and memory of the recorded machine. Each source describes only a
 * part: perf's header, the follower's log, nodes that policies name. So facts are added one by one;
 * a fact that no source contains stays unknown.
 *
 * Numbers come from files: a node or CPU number beyond the limits is refused (MD_EFORMAT).
 */
#include "model/topology.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/idlist.h"
#include "base/index.h"

/* Greater numbers of CPUs and nodes count as damage. The kernel's own limits are 8192 and 1024. */
enum { MAX_CPUS = 1 << 16, MAX_NODES = 1 << 10 };

void topology_init(struct topology *t)
{
	memset(t, 0, sizeof(*t));
	t->page_bytes = 4096;
}

void topology_release(struct topology *t)
{
	for (uint32_t i = 0; i < t->nodes.n; i++)
		free(t->nodes.at[i].cpus);
	free(t->nodes.at);
	free(t->cpus.at);
	free(t->distances.at);
	index_release(&t->distance_index);
	ranges_release(&t->memory);
	memset(t, 0, sizeof(*t));
}

/* Is `id` a valid node number? The limit keeps masks and loops small. */
static bool is_node(int32_t id)
{
	return id >= 0 && id < MAX_NODES;
}

/* Returns a node; NULL if no source has described or mentioned it. */
static struct topology_node *find_node(const struct topology *t, int32_t id)
{
	for (uint32_t i = 0; i < t->nodes.n; i++)
		if (t->nodes.at[i].id == id)
			return &t->nodes.at[i];
	return NULL;
}

bool topology_has(const struct topology *t, int32_t node)
{
	return find_node(t, node) != NULL;
}

bool topology_described(const struct topology *t, int32_t node)
{
	const struct topology_node *n = find_node(t, node);

	return n && n->cpus;
}

int topology_name(struct topology *t, int32_t node)
{
	if (!is_node(node))
		return MD_EFORMAT;
	if (find_node(t, node))
		return 0;
	if (!VEC_ROOM(&t->nodes))
		return MD_ENOMEM;
	t->nodes.at[t->nodes.n++] = (struct topology_node){ .id = node };
	return 0;
}

/* Adds facts about a CPU. -1 means unknown and does not replace a known number. */
int topology_cpu(struct topology *t, uint32_t cpu, int32_t node, int32_t core, int32_t socket)
{
	struct topology_cpu *c;
	int ret = cpu >= MAX_CPUS ? MD_EFORMAT : node >= 0 ? topology_name(t, node) : 0;

	if (ret)
		return ret;
	while (t->cpus.n <= cpu) {
		if (!VEC_ROOM(&t->cpus))
			return MD_ENOMEM;
		t->cpus.at[t->cpus.n] = (struct topology_cpu){
			.id = (int32_t)t->cpus.n, .node = -1, .core = -1, .socket = -1
		};
		t->cpus.n++;
	}
	c = &t->cpus.at[cpu];
	c->node = node >= 0 ? node : c->node;
	c->core = core >= 0 ? core : c->core;
	c->socket = socket >= 0 ? socket : c->socket;
	return 0;
}

/* Sets the node of the CPUs in a list ("0-3,8"). The list comes from a file. A damaged file may
 * repeat CPUs very often, so the number of entries is limited. */
static int set_cpus(struct topology *t, int32_t node, const char *cpus)
{
	struct idlist l = idlist_make(cpus);
	uint32_t cpu, named = 0;
	int ret = 0;

	while (!ret && idlist_next(&l, &cpu))
		ret = named++ < MAX_CPUS ? topology_cpu(t, cpu, node, -1, -1) : MD_EFORMAT;
	return l.bad ? MD_EFORMAT : ret;
}

int topology_node(struct topology *t, int32_t id, const char *cpus, uint64_t mem_total,
		  uint64_t mem_free)
{
	int ret = topology_name(t, id);
	struct topology_node *n;
	char *copy;

	if (ret)
		return ret;
	copy = strdup(cpus);
	if (!copy)
		return MD_ENOMEM;
	n = find_node(t, id);
	free(n->cpus);
	*n = (struct topology_node){
		.id = id, .cpus = copy, .mem_total_bytes = mem_total, .mem_free_bytes = mem_free
	};
	return set_cpus(t, id, cpus);
}

/* An observation takes some time, so those of two reports may overlap. So the greatest
 * overflows_until of all reports counts. */
void topology_observed(struct topology *t, int32_t node, uint64_t overflows_until)
{
	struct topology_node *n = find_node(t, node);

	if (!n)
		return;
	n->observed = true;
	if (n->overflows_until < overflows_until)
		n->overflows_until = overflows_until;
}

enum topology_room topology_room(const struct topology *t, int32_t node, uint64_t time)
{
	const struct topology_node *n = find_node(t, node);

	if (!n || !n->observed || n->overflows_until == UINT64_MAX)
		return ROOM_UNOBSERVED;
	return time < n->overflows_until ? ROOM_MISSING : ROOM_CERTAIN;
}

/* Marks all nodes that are not in the list `nodes` as forbidden. If the list is damaged, marks no
 * node. */
void topology_allow(struct topology *t, const char *nodes)
{
	struct idlist l = idlist_make(nodes);
	uint64_t in[MAX_NODES / 64] = { 0 };
	uint32_t node, named = 0;

	while (idlist_next(&l, &node)) {
		l.bad |= node >= MAX_NODES || named++ == MAX_NODES;
		if (!l.bad)
			in[node / 64] |= 1ull << node % 64;
	}
	for (uint32_t i = 0; i < t->nodes.n; i++)
		t->nodes.at[i].forbidden =
			!l.bad && !(in[t->nodes.at[i].id / 64] >> t->nodes.at[i].id % 64 & 1);
}

/* A later report of a distance replaces an earlier one. */
int topology_distance(struct topology *t, int32_t from, int32_t to, uint32_t distance)
{
	uint32_t hash = index_hash((uint32_t)from, (uint32_t)to), place = hash, i;
	int ret = is_node(to) ? topology_name(t, from) : MD_EFORMAT;

	if (!ret)
		ret = topology_name(t, to);
	if (ret)
		return ret;
	while ((i = index_next(&t->distance_index, hash, &place))) {
		struct topology_distance *d = &AT_ID(t->distances, i);

		if (d->from != from || d->to != to)
			continue;
		d->distance = distance;
		return 0;
	}
	if (!VEC_ROOM(&t->distances) || !index_add(&t->distance_index, hash, t->distances.n + 1))
		return MD_ENOMEM;
	t->distances.at[t->distances.n++] =
		(struct topology_distance){ .from = from, .to = to, .distance = distance };
	return 0;
}

/* Stores node + 1, because the value 0 of struct ranges means unknown. */
int topology_memory(struct topology *t, int32_t node, uint64_t start, uint64_t end)
{
	int ret = topology_name(t, node);

	if (ret)
		return ret;
	return ranges_set(&t->memory, start, end, (uint64_t)node + 1) ? 0 : MD_ENOMEM;
}

int32_t topology_node_of_physical(const struct topology *t, uint64_t address)
{
	return (int32_t)ranges_get(&t->memory, address) - 1;
}

int32_t topology_node_of(const struct topology *t, int64_t cpu)
{
	return cpu >= 0 && cpu < t->cpus.n ? t->cpus.at[cpu].node : -1;
}

/* May the node have memory? A node may if only its number is known. */
static bool has_memory(const struct topology *t, int32_t node)
{
	const struct topology_node *n = find_node(t, node);

	return !n || !n->cpus || n->mem_total_bytes > 0;
}

/* Searches for the nearest node that has memory, as the kernel does when it allocates a page. */
int32_t topology_memory_of(const struct topology *t, int32_t node)
{
	uint32_t least = UINT32_MAX;
	int32_t nearest = -1;

	if (node < 0 || has_memory(t, node))
		return node;
	for (uint32_t i = 0; i < t->distances.n; i++) {
		const struct topology_distance *d = &t->distances.at[i];

		if (d->from != node || d->distance > least || !has_memory(t, d->to))
			continue;
		nearest = d->distance < least ? d->to : -1;
		least = d->distance;
	}
	return nearest;
}

int32_t topology_single_node(const struct topology *t)
{
	int32_t node = -1;

	for (uint32_t i = 0; i < t->nodes.n; i++) {
		if (!has_memory(t, t->nodes.at[i].id))
			continue;
		if (node >= 0 || !t->nodes.at[i].cpus)
			return -1;
		node = t->nodes.at[i].id;
	}
	return node;
}

int32_t topology_node_of_list(const struct topology *t, const char *cpus)
{
	struct idlist l = idlist_make(cpus);
	int32_t node = -1;
	uint32_t cpu;

	while (idlist_next(&l, &cpu)) {
		int32_t n = topology_node_of(t, cpu);

		if (n < 0 && cpu < t->cpus.n)
			/* the list may also contain CPUs that are possible, but not present */
			continue;
		if (n < 0 || (node >= 0 && n != node))
			return -1;
		node = n;
	}
	return l.bad ? -1 : node;
}
