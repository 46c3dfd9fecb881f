/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The data address of a sample, and what is done there. */
#ifndef MEMDB_IMPORT_ADDRESS_H
#define MEMDB_IMPORT_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "database/sample_columns.h"
#include "import/events.h"
#include "perfdata/perfdata.h"

struct import;

/* What a sample is about, worked out once for samples and faults alike. */
struct sample_context {
	const struct pd_sample *s;
	enum event_role role;
	uint32_t process, thread;
	bool kernel, user;
	uint32_t location, symbol, dso;
	uint64_t sp; /* the user's stack pointer, 0 unknown */
};

/* Sets the address and where it comes from, or why there is none; what the access does, and whether
 * the thread waited for it. Sets the object where only that is known. True where the sample is for
 * certain about the instruction before ip: that waited. */
bool address_find(struct import *im, const struct sample_context *c, struct row_sample *row);

/* Where the user's code stood, 0 unknown. */
uint64_t address_user_ip(struct import *im, const struct pd_sample *s);

/* Sets the address that the instruction at ip faulted at, while the kernel works for the fault. */
void address_of_fault(struct import *im, const struct sample_context *c, uint64_t ip,
		      struct row_sample *row);

/* What a page fault did at its address, memory_opcodes.id; -1 unknown. path: call_paths.id. */
int32_t address_opcode(struct import *im, const struct sample_context *c, uint32_t path);

#endif
