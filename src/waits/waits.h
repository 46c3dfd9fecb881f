/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a timer sample waited for: the candidates.
 *
 * A timer interrupt is taken after the instruction that retired last. That instruction may have
 * waited for its own operand, or for a value from an earlier load: mulsd (a),%xmm0 after movsd
 * (p),%xmm0 waits for p. So each instruction pointer has candidates: operands of the instructions
 * before it, on all ways that lead there, once around a loop. A call ends the search, because the
 * callee's effects are unknown. share.h estimates which candidate a sample waited for.
 *
 * The addresses of candidates come from the sample's registers; changes by known amounts between a
 * candidate and ip are reversed. If a load has overwritten its own address register (mov
 * (%rax),%rax), the next access through the new pointer represents it. If only the base register is
 * left, what it points to represents it.
 */
#ifndef MEMDB_WAITS_WAITS_H
#define MEMDB_WAITS_WAITS_H

#include "decode/decode.h"

enum wait_how {
	WAIT_OWN,     /* operand of the instruction before ip */
	WAIT_FLOW,    /* a load whose value that instruction uses, directly or through others */
	WAIT_CARRIED, /* likewise, around a loop */
	WAIT_WINDOW,  /* another access among the last few instructions */
	WAIT_STORED,  /* a store before these */
};

enum wait_by {
	WAIT_BY_NOTHING, /* the registers are lost */
	WAIT_BY_ADDRESS, /* the address is known */
	/* the address is known, from a copy of a register made before it was overwritten */
	WAIT_BY_COPY,
	WAIT_BY_NEXT, /* lost; the next address of the load, or of what reads through the new
			 pointer */
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
	uint8_t way;   /* number of the way to ip on which it lies */
	uint8_t bytes; /* size of the access, 0: unknown */
	bool load, store;
	bool loaded; /* a store of what a load shortly before it read */
	bool lock;
	uint8_t loop; /* if it is recurrent (its address comes from its own value, around a loop):
			 instructions in that loop; else 0 */
	uint32_t loop_start, loop_end; /* lowest and highest instruction of that loop, as insn */
	struct wait_address address;
};

/* An access after ip with a known address: one more observation of where its operand lies. */
struct wait_ahead {
	uint32_t insn;
	uint8_t bytes;
	struct wait_address address;
};

enum { WAIT_WAYS = 3, WAIT_CANDIDATES = 32, WAIT_AHEAD = 16 };

/* The candidates at one ip. No ways: it is unknown how ip was reached, or the architecture is not
 * supported. */
struct wait_plan {
	uint8_t ways, n, ahead;
	const struct wait_candidate *candidates; /* n candidates, sorted by way, then by how */
	const struct wait_ahead *accesses;       /* `ahead` accesses */
};

struct waits;

/* d is borrowed and must outlive *out. Returns 0 or MD_ENOMEM. On AArch64 every plan is empty,
 * because data flow between registers is decoded for x86-64 only. */
int waits_open(struct decoder *d, enum dec_arch arch, struct waits **out, struct md_err *err);
void waits_close(struct waits *w); /* NULL is fine */

/*
 * The plan for ip, which lies `at` bytes into code[0..len), a function from its start. key
 * identifies the function as for decoder_recipe(), and code must stay valid until waits_close().
 * Functions larger than 512 KiB have no plan. Costs about 50 us, and for the first ip of a function
 * also a pass over it, so call once for each ip. *out belongs to w and is valid until
 * waits_close(). Returns 0 or MD_ENOMEM.
 */
int waits_plan(struct waits *w, uint64_t key, const uint8_t *code, size_t len, size_t at,
	       const struct wait_plan **out);

/* The address from a sample's registers, indexed by PERF_REG_* (see thread_relative). */
uint64_t wait_address(const struct wait_address *a, const uint64_t regs[64], uint64_t ip);

/* The PERF_REG_* bits that it needs. */
uint64_t wait_registers(const struct wait_address *a);

#endif
