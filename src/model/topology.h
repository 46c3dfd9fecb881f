/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine: which CPU belongs to which node, and which nodes have memory.
 */
#ifndef MEMDB_MODEL_TOPOLOGY_H
#define MEMDB_MODEL_TOPOLOGY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/index.h"
#include "model/ranges.h"

struct topology_cpu {
	int32_t id, node, core, socket; /* -1 unknown */
};

struct topology_node {
	int32_t id;
	char *cpus;                               /* list format; NULL: not described */
	uint64_t mem_total_bytes, mem_free_bytes; /* likewise 0 */
	uint64_t reserve_bytes; /* free ones that programs get only when no other node has any */
	uint64_t room_bytes;    /* that it surely has for new pages */
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
	uint64_t page_bytes;  /* 4096 where not said */
};

void topology_init(struct topology *t);
void topology_release(struct topology *t);

/* A node with its CPUs in list format ("0-3,8"); what was said before of the same node is replaced.
 * MD_ENOMEM; MD_EFORMAT where cpus is no list or there can be no such node. */
int topology_node(struct topology *t, int32_t id, const char *cpus, uint64_t mem_total,
		  uint64_t mem_free);
/* Something else names the node: it exists, even if nothing describes it. Likewise. */
int topology_name(struct topology *t, int32_t node);
/* Is it one that was described or named? */
bool topology_has(const struct topology *t, int32_t node);
/* Was it described? */
bool topology_described(const struct topology *t, int32_t node);
int topology_cpu(struct topology *t, uint32_t cpu, int32_t node, int32_t core, int32_t socket);
/* Likewise. MD_EFORMAT where there can be no such node. */
int topology_distance(struct topology *t, int32_t from, int32_t to, uint32_t distance);

/* The node has the physical addresses [start, end). Likewise; an empty range is ignored. */
int topology_memory(struct topology *t, int32_t node, uint64_t start, uint64_t end);

/* The node keeps so many free bytes back; 0: not known. */
void topology_reserve(struct topology *t, int32_t node, uint64_t bytes);
/* From now on the node has at least so many free bytes but for what is taken. */
void topology_set_room(struct topology *t, int32_t node, uint64_t free_bytes);
/* Has it surely room for a new page of so many bytes (0: of the system's)? True where nothing is
 * known of its memory. */
bool topology_has_room(const struct topology *t, int32_t node, uint64_t bytes);
/* Such a page is put there. */
void topology_take(struct topology *t, int32_t node, uint64_t bytes);

/* The nodes in a list ("0-3") are all whose memory the program may use. */
void topology_allow(struct topology *t, const char *nodes);

/* The node of a physical address, -1 unknown. */
int32_t topology_node_of_physical(const struct topology *t, uint64_t address);

/* The node of a CPU, -1 unknown. */
int32_t topology_node_of(const struct topology *t, int64_t cpu);

/* Where a node's CPUs get memory from by default: the node itself, or the nearest one where it has
 * none; -1 where several are as near. Where nothing is known of the node, it is taken to have some.
 */
int32_t topology_memory_of(const struct topology *t, int32_t node);

/* The only node with memory, or -1 where there are several or none is known, or one is not
 * described. */
int32_t topology_single_node(const struct topology *t);

/* The only node of the CPUs in a list ("0-3"), or -1 where they span several or one is unknown. */
int32_t topology_node_of_list(const struct topology *t, const char *cpus);

#endif
