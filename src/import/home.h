/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the page of a sample lives. */
#ifndef MEMDB_IMPORT_HOME_H
#define MEMDB_IMPORT_HOME_H

#include <stdbool.h>
#include <stdint.h>

#include "database/sample_columns.h"
#include "model/objects.h"

struct import;

/* An access to memory, as far as its page goes. */
struct access {
	uint32_t process, thread; /* 0 unknown */
	uint64_t address, time;
	uint64_t physical;   /* 0 unknown */
	uint64_t page_bytes; /* as recorded, 0 unknown */
	int32_t cpu_node;    /* -1 unknown */
	int32_t opcode;      /* memory_opcodes.id, -1 unknown */
	bool major;          /* a fault for which the kernel read from a disk */
	bool kernel;         /* the kernel made it, for a call */
	bool no_page;        /* the kernel told no physical address where it tells others */
};

/* A page fault at the place p: to the model. True where it is the first touch of the page. */
bool home_fault(struct import *im, const struct access *a, const struct place *p);
/* The first touch of a page was for a block that is born at that time: it counts as the block's. */
void home_born(struct import *im, uint32_t process, uint64_t address, uint64_t time);
/* What is known of its page: the home, what placed it, its size. The columns of *out are NULL. */
void home_find(struct import *im, const struct access *a, const struct place *p,
	       struct access_kind *out);

#endif
