/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the data address of a sample, and how it is accessed (load, store). */
#ifndef MEMDB_IMPORT_ADDRESS_H
#define MEMDB_IMPORT_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "database/sample_columns.h"
#include "import/events.h"
#include "perfdata/perfdata.h"

struct import;

/* Facts about one sample or page fault. They are computed once, because several steps need them. */
struct sample_context {
	const struct pd_sample *s;
	enum event_role role;
	uint32_t process, thread;
	bool kernel, user;
	uint32_t location, symbol, dso;
	uint64_t sp; /* user stack pointer; 0 means unknown */
};

/* The instruction that accesses the data address of a sample. */
struct accessor {
	bool known;
	/* whether `insn` is relative to the start of the function; otherwise to the sample's ip */
	bool from_start;
	int32_t insn; /* offset of the instruction, bytes */
};

/* Sets in *row the data address of a sample and its source, or the reason why there is none. Also
 * sets the kind of access and whether the thread waited for it. If only the object is known
 * (ADDR_OBJECT), sets the object and, if possible, an address in the same heap block. Sets *by to
 * the instruction that made the access. If the thread certainly waited for the instruction that ran
 * before the one at ip, the sample's cost belongs to that instruction: then returns the bytes from
 * ip to its last byte, otherwise 0. */
int32_t address_find(struct import *im, const struct sample_context *c, struct row_sample *row,
		     struct accessor *by);

/* Returns the instruction pointer in the program's own code, also for a sample in the kernel; 0
 * means unknown. */
uint64_t address_user_ip(struct import *im, const struct pd_sample *s);

/* For a sample in the kernel's page-fault handler: sets in *row the address that the instruction at
 * the user address ip tried to access when it faulted. If that instruction has several operands,
 * sets no address. */
void address_of_fault(struct import *im, const struct sample_context *c, uint64_t ip,
		      struct row_sample *row);

/* Returns the memory_opcodes.id of the access that caused the page fault *c; -1 means unknown.
 * `path` is the call_paths.id of the fault, 0 if it has none. */
int32_t address_opcode(struct import *im, const struct sample_context *c, uint32_t path);

#endif
