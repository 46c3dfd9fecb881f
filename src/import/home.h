/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the NUMA node on which the page of a sample is. */
#ifndef MEMDB_IMPORT_HOME_H
#define MEMDB_IMPORT_HOME_H

#include <stdbool.h>
#include <stdint.h>

#include "database/sample_columns.h"
#include "model/objects.h"

struct import;

/* An access to memory, and facts about its page from the sample. */
struct access {
	uint32_t process, thread; /* 0 means unknown */
	uint64_t address, time;
	uint64_t physical;   /* physical address; 0 means unknown */
	uint64_t page_bytes; /* size of the page, if the record has it; 0 means unknown */
	int32_t cpu_node;    /* node of the CPU that makes the access; -1 means unknown */
	int32_t opcode;      /* memory_opcodes.id; -1 means unknown */
	bool major;          /* whether the kernel read the page from disk for this fault */
	bool kernel; /* whether the kernel made the access, in a system call of the thread */
	/* the record has a field for the physical address, but its value is 0: the kernel found no
	 * page there */
	bool no_page;
};

/* Passes a page fault to the model; *p is what objects_find() returned for its address. Returns
 * false if the access certainly is not the first one to its page, or if the process is unknown. */
bool home_fault(struct import *im, const struct access *a, const struct place *p);
/* Must be called when a block is born at `time` and malloc has touched its page at `address`
 * before. Sets the time of this first touch to `time`, because touches before the birth do not
 * count for the block. */
void home_born(struct import *im, uint32_t process, uint64_t address, uint64_t time);
/* Sets the columns of *out that describe the accessed page: its home node, the source of this fact,
 * whether the node was chosen or came by chance and, if known, page_bytes and reused. *p is what
 * objects_find() returned for the address. The caller has set all these columns to NULL
 * (ACCESS_KIND_NULL). */
void home_find(struct import *im, const struct access *a, const struct place *p,
	       struct access_kind *out);

#endif
