/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Describes the machine: which CPU belongs to which node, and which nodes have memory.
 */
#ifndef MEMDB_MODEL_TOPOLOGY_H
#define MEMDB_MODEL_TOPOLOGY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/index.h"
#include "model/ranges.h"

struct topology_cpu {
	int32_t id, node, core, socket; /* -1: unknown */
};

struct topology_node {
	int32_t id;
	char *cpus;                               /* list format; NULL means not described */
	uint64_t mem_total_bytes, mem_free_bytes; /* 0 means not described */
	uint64_t reserve_bytes; /* free memory that programs get only if no other node has any */
	uint64_t room_bytes;    /* free memory that is surely available for new pages */
	bool room_known;
	bool forbidden; /* the program may not use its memory */
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
	struct ranges memory; /* physical addresses -> node + 1 */
	uint64_t page_bytes;  /* 4096 if not recorded */
};

void topology_init(struct topology *t);
void topology_release(struct topology *t);

/* Describes a node with its CPUs in list format ("0-3,8"), replacing an earlier description.
 * Returns 0, MD_ENOMEM, or MD_EFORMAT if cpus is not a list or the node number is impossible. */
int topology_node(struct topology *t, int32_t id, const char *cpus, uint64_t mem_total,
		  uint64_t mem_free);
/* Adds a node that another source mentions, even if no source describes it. Errors as above. */
int topology_name(struct topology *t, int32_t node);
/* Was the node described or mentioned? */
bool topology_has(const struct topology *t, int32_t node);
/* Was the node described? */
bool topology_described(const struct topology *t, int32_t node);
int topology_cpu(struct topology *t, uint32_t cpu, int32_t node, int32_t core, int32_t socket);
/* Errors as above. */
int topology_distance(struct topology *t, int32_t from, int32_t to, uint32_t distance);

/* Gives the physical addresses [start, end) to a node. Ignores an empty range. Errors as above. */
int topology_memory(struct topology *t, int32_t node, uint64_t start, uint64_t end);

/* Sets the number of bytes that the node keeps free for the kernel. 0 means unknown. */
void topology_reserve(struct topology *t, int32_t node, uint64_t bytes);
/* Sets the node's number of free bytes, from which topology_take() subtracts. */
void topology_set_room(struct topology *t, int32_t node, uint64_t free_bytes);
/* Does the node surely have room for a new page of this size (0 means the base page size)? True if
 * nothing is known about its memory. */
bool topology_has_room(const struct topology *t, int32_t node, uint64_t bytes);
/* Claims a page of this size on the node. */
void topology_take(struct topology *t, int32_t node, uint64_t bytes);

/* Restricts the program's memory to the nodes in a list ("0-3"). */
void topology_allow(struct topology *t, const char *nodes);

/* Returns the node of a physical address, -1 if unknown. */
int32_t topology_node_of_physical(const struct topology *t, uint64_t address);

/* Returns the node of a CPU, -1 if unknown. */
int32_t topology_node_of(const struct topology *t, int64_t cpu);

/* Returns the node from which a node's CPUs get memory by default: the node itself, or the nearest
 * node with memory. Returns -1 if several are equally near. A node about which nothing is known is
 * assumed to have memory. */
int32_t topology_memory_of(const struct topology *t, int32_t node);

/* Returns the only node with memory. -1 if there are several, if none is known, or if a node is not
 * described. */
int32_t topology_single_node(const struct topology *t);

/* Returns the node of the CPUs in a list ("0-3"). -1 if they belong to several nodes, or if a node
 * is unknown. */
int32_t topology_node_of_list(const struct topology *t, const char *cpus);

#endif
