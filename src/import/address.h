/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the data address of a sample, and whether the access there is a load or a store. */
#ifndef MEMDB_IMPORT_ADDRESS_H
#define MEMDB_IMPORT_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "database/sample_columns.h"
#include "import/events.h"
#include "import/learned.h"
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

/* Which instruction accesses the data address of a sample. */
struct accessor {
	bool known;
	/* whether `insn` counts from the start of the function; if not, it counts from the sample's
	 * ip */
	bool from_start;
	int32_t insn; /* offset of the instruction, bytes */
	/* the accessed address is unknown; the address is that of the operand's base, which is
	 * usually, but not always, in the accessed object */
	bool is_base;
	/* the operand of the access, if its object may become known later (learned.h) */
	struct lost_operand lost;
};

/* Sets in *row the data address of a sample and its source, or the reason why there is none. For a
 * timer sample without a recorded address, also sets the kind of access, and whether the thread
 * waited for it, as far as known. If only the object is known (ADDR_OBJECT), sets the object and,
 * if possible, an address in the same heap block. Sets *by to the instruction that made the access,
 * if known. If the thread certainly waited for the instruction that ran before the one at ip, the
 * sample's cost belongs to that instruction. Then returns the offset of that instruction's last
 * byte from ip; otherwise returns 0. */
int32_t address_find(struct import *im, const struct sample_context *c, struct row_sample *row,
		     struct accessor *by);

/* Sets in *row the access of a wait whose address is lost, but whose object is known (ADDR_OBJECT):
 * everything but the object itself. */
void address_of_object(struct row_sample *row, const struct lost_operand *lost);

/* Returns the instruction pointer in the program's own code, also for a sample in the kernel; 0
 * means unknown. */
uint64_t address_user_ip(struct import *im, const struct pd_sample *s);

/* For a sample in the kernel's page-fault handler: sets in *row the address that the instruction at
 * the user address ip tried to access when it faulted. Sets no address if the operand of that
 * instruction, or a register that it needs, is unknown. */
void address_of_fault(struct import *im, const struct sample_context *c, uint64_t ip,
		      struct row_sample *row);

/* Returns the memory_opcodes.id of the access that caused the page fault *c; -1 means unknown.
 * `path` is the call_paths.id of the fault, 0 if it has none. */
int32_t address_opcode(struct import *im, const struct sample_context *c, uint32_t path);

#endif
