/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the access that a timer sample waited for. The library in waits/ lists the candidates of
 * each instruction: the accesses that a sample there may have waited for. The registers of the
 * sample help to choose among them. */
#ifndef MEMDB_IMPORT_WAITS_H
#define MEMDB_IMPORT_WAITS_H

#include "import/learned.h"
#include "waits/account.h"
#include "waits/cache_lines.h"

struct import;
struct pd_sample;

enum { WAIT_STEPS = 256 };

struct import_waits {
	struct waits *code;      /* NULL means that the architecture is not supported */
	struct account *account; /* NULL means that the architecture is not supported */
	struct {
		/* indexed by locations.id - 1: 1 + result of account_place() for the instruction
		 * there. 0 means not looked up yet */
		uint32_t *at;
		uint32_t n, cap;
	} places;
	struct lines *lines; /* NULL means that the architecture is not supported */
	/* indexed by objects.id - 1: Σ period of samples that may have waited for the object, but
	 * are not charged to it */
	struct {
		uint64_t *at;
		uint32_t n, cap;
	} uncharged;
	/* the first steps that waits_find() has reported; see known_step() */
	int64_t steps[WAIT_STEPS];
	uint32_t nsteps;
	/* number of samples that were attributed to the operand of the instruction before ip,
	 * because the account (waits/account.h) had no room for another wait */
	uint64_t unshared;
};

/* A timer sample with registers, taken in user code of a 64-bit program. For process and thread, 0
 * means unknown. */
struct waiter {
	const struct pd_sample *sample;
	uint32_t process, thread, location, path; /* path: the call path; 0 means unknown */
	uint64_t sp, period;                      /* sp is the stack pointer; 0 means unknown */
	/* the code waits for other threads (at a fence, a lock or a flag) or for the kernel, and so
	 * not for its data */
	bool elsewhere;
	/* the instruction before ip accesses no memory. So it waited only if it needs the value of
	 * a load that missed the caches and is not part of a stream */
	bool computes;
};

/* What a sample waited for, as far as known. */
struct waited_for {
	/* the access, with its instruction and kind; its address is in `address` */
	struct wait_access operand;
	/* where `address` comes from. ADDR_OBJECT: only the object is known. ADDR_NONE: the address
	 * is lost, or the operand is unknown */
	enum addr_source source;
	uint64_t address; /* 0 means unknown; for ADDR_OBJECT only some address in the same block */
	uint32_t object;  /* set only for ADDR_OBJECT */
	bool jumped, unsure, costless, streams; /* as in struct account_deal */
	/* bytes by which `address` changes in an iteration of the innermost loop; 0 means unknown,
	 * or that it does not change */
	int64_t step;
	/* position, relative to ip, of the last byte of the instruction that ran before ip (usually
	 * -1): the thread waited for this instruction. 0 means that several instructions may have
	 * run before ip */
	int32_t last;
	/* the thread waited for a cache line that another thread also uses (waits/cache_lines.h) */
	bool moved;
	bool atomic; /* the instruction that ran before ip is an atomic operation */
	/* the wait belongs to an access through a pointer from an array, and its object is not
	 * known (wait_is_pointed()). So it does not belong to the operand of the instruction before
	 * ip */
	bool lost;
	/* the operand of a lost address whose object account_object() may show later. Its place is
	 * 0 if the address or the object is known from this sample itself */
	struct lost_operand learns;
	/* the slowest access that the sample may have waited for */
	enum wait_level level;
};

/* Opens the analysis (waits/waits.h) and its account (waits/account.h). Must be called after the
 * decoder is open. Returns 0 or MD_ENOMEM. */
int waits_begin(struct import *im);
void waits_release(struct import_waits *w);

/* Finds what a sample waited for. Returns false if no candidates are known for the sampled
 * instruction, or if the account has no room for another wait. The caller then attributes the
 * sample to the operand of the instruction before ip. */
bool waits_find(struct import *im, const struct waiter *who, struct waited_for *out);

/* Counts in import_waits.uncharged a sample that is not charged to this object, but may have waited
 * for it. */
void waits_uncharged(struct import *im, uint32_t object, uint64_t period);

/* Writes the rows of the table `other_waits`, and a row of losses for import_waits.unshared. Must
 * be called after the last sample. Returns 0 or MD_ENOMEM. */
int waits_write(struct import *im);

#endif
