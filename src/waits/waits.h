/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a timer sample waited for: the candidates.
 *
 * A timer interrupt stands behind the instruction that retired last. That one may have waited for
 * its own operand, or for a value that an earlier load gave it: mulsd (a),%xmm0 behind movsd
 * (p),%xmm0 waits for p. So each instruction pointer has candidates: operands of the instructions
 * before it, back over the ways that lead there, once around a loop. A call ends the search,
 * because what the callee did is not known. Which of them a sample waited for, how likely, says
 * share.h.
 *
 * Their addresses come from the sample's registers: changes by known amounts between a candidate
 * and ip are taken back. Where a load has overwritten the register of its own address (mov
 * (%rax),%rax), the next access through the new pointer stands for it, and where only the base
 * register is left, what it points to.
 */
#ifndef MEMDB_WAITS_WAITS_H
#define MEMDB_WAITS_WAITS_H

#include "decode/decode.h"

enum wait_how {
	WAIT_OWN,     /* operand of the instruction before ip */
	WAIT_FLOW,    /* a load whose value that instruction consumes, also by way of others */
	WAIT_CARRIED, /* the same around a loop */
	WAIT_WINDOW,  /* another access of the last few instructions */
};

enum wait_by {
	WAIT_BY_NOTHING, /* its registers are gone */
	WAIT_BY_ADDRESS, /* the address is known */
	WAIT_BY_COPY,    /* likewise: of a register that was copied before it was overwritten */
	WAIT_BY_NEXT, /* gone; this is where it, or what reads through the new pointer, goes next */
	WAIT_BY_BASE, /* gone; this lies in the same object */
};

/* What a register of the sample says: its value plus add; reg -1: nothing, add counts. */
struct wait_term {
	int8_t reg; /* PERF_REG_* */
	bool wraps32;
	int32_t add;
};

struct wait_address {
	struct wait_term base, index;
	uint8_t scale;        /* of the index */
	bool ip_relative;     /* disp is counted from the sampled ip */
	bool thread_relative; /* all that is counted from the thread pointer */
	bool wraps32;         /* the whole */
	int64_t disp;
};

struct wait_candidate {
	uint32_t insn; /* bytes from the start of the function */
	uint8_t how;   /* enum wait_how */
	uint8_t by;    /* enum wait_by: what `address` is */
	uint8_t way;   /* which of the ways to ip it lies on */
	uint8_t bytes; /* of the access; 0 unknown */
	bool load, store;
	bool lock;
	uint8_t loop; /* recurrent: its address comes from its own value, around a loop of so many
			 instructions; 0: it does not */
	struct wait_address address;
};

/* An access that comes behind ip, as far as its address is known: an observation of where it goes.
 */
struct wait_ahead {
	uint32_t insn;
	uint8_t bytes;
	struct wait_address address;
};

enum { WAIT_WAYS = 3, WAIT_CANDIDATES = 32, WAIT_AHEAD = 16 };

/* At one ip. No way: nobody knows how it was reached, or of an architecture that is not followed.
 */
struct wait_plan {
	uint8_t ways, n, ahead;
	const struct wait_candidate *candidates; /* n, by way, then by how */
	const struct wait_ahead *accesses;       /* ahead */
};

struct waits;

/* d is borrowed and must outlive *out. MD_ENOMEM. On AArch64 every plan is empty: what flows from
 * register to register is decoded for x86-64 only. */
int waits_open(struct decoder *d, enum dec_arch arch, struct waits **out, struct md_err *err);
void waits_close(struct waits *w); /* NULL is fine */

/*
 * The plan for ip, which lies `at` bytes into code[0..len), a function from its start. key names
 * the function as for decoder_recipe(), and code must stay until waits_close(). Functions of more
 * than 512 KiB have none. Costs some 50 us, the first one of a function also a pass over it; so ask
 * once for each ip. *out is w's, until waits_close(). MD_ENOMEM.
 */
int waits_plan(struct waits *w, uint64_t key, const uint8_t *code, size_t len, size_t at,
	       const struct wait_plan **out);

/* The address by a sample's registers, indexed by PERF_REG_* (see thread_relative). */
uint64_t wait_address(const struct wait_address *a, const uint64_t regs[64], uint64_t ip);

/* The PERF_REG_* bits that it needs. */
uint64_t wait_registers(const struct wait_address *a);

#endif
