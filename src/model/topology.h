/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Describes the machine: the node of each CPU, and the memory of each node. */
#ifndef MEMDB_MODEL_TOPOLOGY_H
#define MEMDB_MODEL_TOPOLOGY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/index.h"
#include "model/ranges.h"

struct topology_cpu {
	int32_t id, node, core, socket; /* -1 means unknown */
};

struct topology_node {
	int32_t id;
	/* list of its CPUs, such as "0-3,8"; NULL means that it is not described */
	char *cpus;
	uint64_t mem_total_bytes, mem_free_bytes; /* 0 means not described */
	bool forbidden;                           /* the program may not use memory of this node */
	bool observed;                            /* topology_observed() was called */
	/* until this time, pages that belong on this node may be placed on other nodes */
	uint64_t overflows_until;
};

struct topology_distance {
	int32_t from, to;
	uint32_t distance;
};

struct topology {
	struct {
		struct topology_cpu *at;
		uint32_t n, cap;
	} cpus; /* at[i].id == i */
	struct {
		struct topology_node *at;
		uint32_t n, cap;
	} nodes;
	struct {
		struct topology_distance *at;
		uint32_t n, cap;
	} distances;
	struct index distance_index;
	struct ranges memory; /* the value of each range of physical addresses is its node + 1 */
	uint64_t page_bytes;  /* 4096 if the recording does not contain the page size */
};

void topology_init(struct topology *t);
void topology_release(struct topology *t);

/* Describes a node with its CPUs in list format ("0-3,8"); replaces an earlier description.
 * Returns 0, MD_ENOMEM, or MD_EFORMAT if cpus is not a list or the node number is impossible. */
int topology_node(struct topology *t, int32_t id, const char *cpus, uint64_t mem_total,
		  uint64_t mem_free);
/* Adds a node of which only the number is known, for example because a policy names it. Returns the
 * same errors as topology_node(). */
int topology_name(struct topology *t, int32_t node);
/* Has a source described the node or mentioned its number? */
bool topology_has(const struct topology *t, int32_t node);
/* Has a source described the node and its CPUs? */
bool topology_described(const struct topology *t, int32_t node);
int topology_cpu(struct topology *t, uint32_t cpu, int32_t node, int32_t core, int32_t socket);
/* Sets the distance of two nodes, in the unit of the kernel (10 from a node to itself). Returns the
 * same errors as topology_node(). */
int topology_distance(struct topology *t, int32_t from, int32_t to, uint32_t distance);

/* Assigns the physical addresses [start, end) to a node. Ignores an empty range. Returns the
 * same errors as topology_node(). */
int topology_memory(struct topology *t, int32_t node, uint64_t start, uint64_t end);

/* Reports whether the node has free memory. If it has none, the kernel places pages on other nodes;
 * this may be so until the time `overflows_until`. 0 means that the node has free memory.
 * UINT64_MAX means that nothing is known from now on. Of several reports, the one with the greatest
 * overflows_until counts. */
void topology_observed(struct topology *t, int32_t node, uint64_t overflows_until);

enum topology_room {
	ROOM_CERTAIN,    /* the kernel placed on the node all pages that belong there */
	ROOM_MISSING,    /* the kernel may have placed some of these pages on other nodes */
	ROOM_UNOBSERVED, /* the recording does not show where the kernel placed them */
};

/* Returns what is known about free memory of the node at this time, which must not be before the
 * last report by topology_observed(). */
enum topology_room topology_room(const struct topology *t, int32_t node, uint64_t time);

/* Marks the nodes that are not in the list `nodes` ("0-3") as forbidden for the program's memory.
 */
void topology_allow(struct topology *t, const char *nodes);

/* Returns the node of a physical address, -1 if unknown. */
int32_t topology_node_of_physical(const struct topology *t, uint64_t address);

/* Returns the node of a CPU, -1 if unknown. */
int32_t topology_node_of(const struct topology *t, int64_t cpu);

/* Returns the node that by default serves allocations of the CPUs of `node`: the node itself, or
 * the nearest one with memory. Returns -1 if several are equally near, or if no such node is known.
 * A node about which nothing is known is assumed to have memory. */
int32_t topology_memory_of(const struct topology *t, int32_t node);

/* Returns the only node with memory; -1 if there are several, if none is known, or if a node is
 * not described. */
int32_t topology_single_node(const struct topology *t);

/* Returns the node of the CPUs in a list ("0-3"); -1 if they belong to several nodes, if no node is
 * known, or if the list is damaged or has a CPU with a greater number than all described ones.
 * Other CPUs without a known node are ignored: they are not present. */
int32_t topology_node_of_list(const struct topology *t, const char *cpus);

#endif
