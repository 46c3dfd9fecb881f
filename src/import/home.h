/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds out where the page of a sample lives. */
#ifndef MEMDB_IMPORT_HOME_H
#define MEMDB_IMPORT_HOME_H

#include <stdbool.h>
#include <stdint.h>

#include "database/sample_columns.h"
#include "model/objects.h"

struct import;

/* An access to memory: the facts about its page. */
struct access {
	uint32_t process, thread; /* 0 means unknown */
	uint64_t address, time;
	uint64_t physical;   /* 0 means unknown */
	uint64_t page_bytes; /* as recorded, 0 means unknown */
	int32_t cpu_node;    /* -1: unknown */
	int32_t opcode;      /* memory_opcodes.id, -1: unknown */
	bool major;          /* a fault for which the kernel read from a disk */
	bool kernel;         /* made by the kernel, on behalf of a system call */
	bool no_page;        /* the record has the field for a physical address, but no value */
};

/* Passes a page fault at the place p to the model. Returns true if it is the first touch of the
 * page. */
bool home_fault(struct import *im, const struct access *a, const struct place *p);
/* Tells the model that the last touch of the page belongs to a block born at `time`. */
void home_born(struct import *im, uint32_t process, uint64_t address, uint64_t time);
/* Fills in what is known about the page: its home, who chose it, its size. These columns of *out
 * must be NULL before. */
void home_find(struct import *im, const struct access *a, const struct place *p,
	       struct access_kind *out);

#endif
