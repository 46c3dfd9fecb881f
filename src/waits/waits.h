/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the accesses that a timer sample may have waited for: the candidates.
 *
 * A timer interrupt is taken after the instruction that retired last. That instruction may have
 * waited for its own operand, or for a value from an earlier load: mulsd (a),%xmm0 after movsd
 * (p),%xmm0 waits for p. So each instruction pointer has candidates: operands of the instructions
 * before it, on all ways that lead there, once around a loop. A call ends the search, because the
 * effects of the callee are unknown. share.h estimates which candidate a sample waited for.
 *
 * The addresses of candidates come from the sample's registers. Changes by known amounts between a
 * candidate and ip are reversed. If a load has overwritten its own address register (mov
 * (%rax),%rax), the next access through the new pointer represents it. If only the base register is
 * left, the object that it points to represents the access.
 */
#ifndef MEMDB_WAITS_WAITS_H
#define MEMDB_WAITS_WAITS_H

#include "decode/decode.h"

enum wait_how {
	WAIT_OWN,     /* operand of the instruction before ip */
	WAIT_FLOW,    /* an access that computes a value which the instruction before ip uses,
		       * directly or through others */
	WAIT_CARRIED, /* the same as WAIT_FLOW, around a loop */
	WAIT_WINDOW,  /* another access among the last few instructions */
	WAIT_STORED,  /* an earlier store, outside the window */
};

enum wait_by {
	WAIT_BY_NOTHING, /* the registers are lost */
	WAIT_BY_ADDRESS, /* the address is known */
	/* the address is known, from a copy of a register made before it was overwritten */
	WAIT_BY_COPY,
	WAIT_BY_NEXT, /* lost; the next address of the load, or of an access through the new
		       * pointer: see `apart` */
	WAIT_BY_BASE, /* lost; an address in the same object */
};

/* A term of an address: the sample's value of a register plus add; reg -1: only add. */
struct wait_term {
	int8_t reg; /* PERF_REG_* */
	bool wraps32;
	int32_t add;
};

struct wait_address {
	struct wait_term base, index;
	uint8_t scale;        /* of the index */
	bool ip_relative;     /* disp is relative to the sampled ip */
	bool thread_relative; /* the sum is relative to the thread pointer */
	bool wraps32;         /* the sum is reduced to 32 bits */
	int64_t disp;
};

struct wait_candidate {
	uint32_t insn; /* bytes from the start of the function */
	uint8_t how;   /* enum wait_how */
	uint8_t by;    /* enum wait_by: the meaning of `address` */
	uint8_t way;   /* number of the way to ip that contains the candidate */
	uint8_t bytes; /* size of the access; 0 means unknown */
	bool load, store;
	bool loaded; /* a store to an address that a load shortly before it read */
	bool lock;
	uint8_t loop; /* if recurrent (its address comes from its own value, around a loop):
		       * instructions in that loop; else 0 */
	uint32_t loop_start, loop_end; /* lowest and highest instruction of that loop, like insn */
	struct wait_address address;
	/* WAIT_BY_NEXT: bytes from `address` to the next address of the load itself, as if its
	 * index were 0; and whether it has an index */
	int32_t apart;
	bool indexed;
};

/* An access before or after ip with a known address. */
struct wait_access {
	uint32_t insn;
	uint8_t bytes;
	bool load, store, lock;
	struct wait_address address;
};

enum { WAIT_WAYS = 3, WAIT_CANDIDATES = 32, WAIT_AHEAD = 16, WAIT_BEFORE = 16 };

/* The candidates at one ip. ways is 0 if it is unknown how ip was reached, or the architecture is
 * not supported. */
struct wait_plan {
	uint8_t ways, n, ahead, before;
	const struct wait_candidate *candidates; /* n candidates, sorted by way, then by how */
	/* `ahead` accesses after ip, in program order: one more observation of their operands'
	 * places */
	const struct wait_access *accesses;
	const struct wait_access *earlier; /* `before` loads before ip, the first one first */
};

struct waits;

/* Opens *out, which the caller frees with waits_close(). d is borrowed and must outlive *out.
 * Returns 0 or MD_ENOMEM. On AArch64 every plan is empty, because data flow is decoded for x86-64
 * only. */
int waits_open(struct decoder *d, enum dec_arch arch, struct waits **out, struct md_err *err);
void waits_close(struct waits *w); /* NULL is fine */

/*
 * Gets the plan for ip, which lies `at` bytes into code[0..len), a function from its start. key
 * identifies the function as in decoder_recipe(), and code must stay valid until waits_close().
 * Functions larger than 512 KiB have an empty plan. Costs about 50 us, and for the first ip of a
 * function also a pass over the function, so call it once for each ip. w owns *out, which is valid
 * until waits_close(). Returns 0 or MD_ENOMEM.
 */
int waits_plan(struct waits *w, uint64_t key, const uint8_t *code, size_t len, size_t at,
	       const struct wait_plan **out);

/* Returns the address, from a sample's registers, indexed by PERF_REG_* (see thread_relative). */
uint64_t wait_address(const struct wait_address *a, const uint64_t regs[64], uint64_t ip);

/* Returns the PERF_REG_* bits of the registers that the address needs. */
uint64_t wait_registers(const struct wait_address *a);

#endif
