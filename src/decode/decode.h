/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From an instruction pointer and registers to the data address: the timer sampler's rule.
 *
 * A timer interrupt is taken at a retirement boundary: the saved ip is the instruction after the
 * one that held up retirement. So the operand of the instruction before ip is what the thread
 * waited for (RETIRED) as long as its address registers still hold what it used; else the first
 * operand at or after ip whose registers nothing in between writes is a true access too, about to
 * be made (NEXT). Where the address of the instruction before ip is gone, as behind a load into its
 * own address register, that the thread waited for it is still known.
 */
#ifndef MEMDB_DECODE_DECODE_H
#define MEMDB_DECODE_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Where a sample's data address comes from; the values are those of the table addr_sources. */
enum addr_source {
	ADDR_NONE = 0,
	ADDR_HARDWARE = 1,     /* the PMU wrote it */
	ADDR_RETIRED = 2,      /* decoded: operand of the instruction before ip: its wait */
	ADDR_NEXT = 3,         /* decoded: operand at or after ip: the wait is not its own */
	ADDR_INSTRUMENTED = 4, /* argument of a callback */
	ADDR_FAULT = 5,        /* page fault */
	ADDR_AGAIN = 6,     /* its wait, but the address is gone: where the same load, or what reads
			       through the pointer that it loaded, goes next */
	ADDR_RECOVERED = 7, /* its wait: of a register that was copied before it was overwritten */
	ADDR_EARLIER = 8,   /* its wait: operand of an instruction further back, for whose value the
			       one before ip waited, or that retired with it */
	ADDR_OBJECT = 9,    /* its wait: the address is gone, but not which object it lies in */
	ADDR_SOURCES
};

/* Why a sample has no data address; the values are those of the table addr_reasons. */
enum addr_reason {
	ADDR_OK = 0,
	ADDR_NO_OPERAND = 1, /* no memory operand before the next jump, call or return */
	ADDR_CLOBBERED = 2,  /* there is one, but its address registers were written: by itself, or
				in between */
	ADDR_NO_CODE = 3, /* the bytes at ip are not to be had: file missing, replaced, JIT, vdso */
	ADDR_SEGMENT =
		4, /* relative to gs, or to fs (the thread pointer) where that is not known */
	ADDR_NO_REGISTERS = 5, /* the sample has no user registers (or of a 32-bit program) */
	ADDR_KERNEL = 6,       /* ip is in the kernel */
	ADDR_BAD_CODE = 7,     /* the bytes at ip do not decode, or ip is inside an instruction */
	ADDR_VECTOR = 8,       /* gather or scatter: many addresses, none of them the one */
	ADDR_NOT_SAMPLED = 9,  /* the event has no address (a counter, a context switch) */
	ADDR_OPAQUE = 10,      /* registers alone do not give it: bt with a register, ldraa */
	ADDR_REASONS
};

/* What a thread did at an ip, as far as its code tells. */
enum dec_work {
	WORK_UNKNOWN, /* which instruction ran before ip is not certain */
	WORK_COMPUTE, /* it accesses no memory */
	WORK_ACCESS,  /* it does: `waited` */
	WORK_FENCE,   /* a fence */
	WORK_ATOMIC,  /* an atomic operation */
	WORK_SPIN,    /* ip is in a loop that only another thread can end */
};

enum dec_arch { DEC_X86_64, DEC_AARCH64 };

/* What of the index register counts (AArch64). */
enum dec_extend { DEC_WHOLE, DEC_UXTW, DEC_SXTW };

/* How to compute the address at one ip. Small, plain, cacheable by ip. Registers are PERF_REG_*
 * numbers of the architecture (asm/perf_regs.h), -1 for none; each counts with its value at ip:
 * what the instructions in between add to it is in disp. */
struct dec_recipe {
	uint8_t source; /* enum addr_source: RETIRED, NEXT or NONE */
	uint8_t reason; /* enum addr_reason where source is NONE */
	bool waited;    /* the instruction before ip is certain and accessed memory; true for
			   RETIRED. For NEXT and NONE: that access' address is gone */
	bool load, store;
	bool lock;     /* atomic: lock prefix, xchg, LSE atomics, exclusives */
	uint8_t bytes; /* size of the access; 0 unknown: masked, or more than 255 */
	int8_t base, index;
	uint8_t scale;        /* of the index: 1, 2, 4, 8, 16 (shift already applied for AArch64) */
	uint8_t extend;       /* enum dec_extend, of the index */
	bool ip_relative;     /* disp is counted from the sampled ip */
	bool thread_relative; /* what dec_address() gives is counted from the thread pointer (fs) */
	bool wraps32;         /* the address is taken modulo 2^32 (x86 address-size prefix) */
	uint8_t work;         /* enum dec_work */
	int32_t insn_offset;  /* of the accessing instruction, bytes from ip; < 0 for RETIRED */
	int64_t disp;
};

struct decoder;

/* The caller owns *out and frees it with decoder_close(). One thread at a time.
 * MD_ENOTSUP: Capstone has no such architecture; MD_ENOMEM. */
int decoder_open(enum dec_arch arch, struct decoder **out, struct md_err *err);
void decoder_close(struct decoder *d); /* NULL is fine */

/*
 * The recipe for ip, which lies `at` bytes into code[0..len): the bytes of one function from its
 * start (or, where the function is not known, bytes that start at ip: then only NEXT is possible,
 * from_start false). Decodes forward from the start so that "the instruction before ip" is known;
 * what it learns of a function is cached by `key` (any number unique to the function; 0 = do not
 * cache), in at most 8 MiB for all functions. Never fails: says why in out->reason.
 *
 * Of an instruction with two operands (movs, push mem, call *mem) it is the one that is loaded.
 * The words that push, pop, call, ret and leave move on the stack are operands too.
 * Prefetches, cache flushes, nops and lea are not.
 *
 * RETIRED is not claimed at the first instruction, behind a call, at the target of a jump of the
 * same function, in a function of more than 2 MiB, behind bytes that do not decode, behind a
 * string instruction (rep may have run zero times) and, in a function with an indirect jump,
 * unless ip takes its operands from the instruction before it, which no label separates then.
 * One call costs a look-up and the decoding of a few instructions, the first one for a key also a
 * pass over the function.
 */
void decoder_recipe(struct decoder *d, uint64_t key, const uint8_t *code, size_t len, size_t at,
		    bool from_start, struct dec_recipe *out);

/* The address by a recipe whose source is not NONE (see thread_relative). regs is indexed by
 * PERF_REG_*, 64 entries; ip is the sampled one. */
uint64_t dec_address(const struct dec_recipe *r, const uint64_t regs[64], uint64_t ip);

/* The PERF_REG_* bits a sample must have for this recipe. */
uint64_t dec_registers(const struct dec_recipe *r);

const char *addr_reason_name(enum addr_reason r); /* "no-operand", "clobbered", "no-code", … */
const char *addr_source_name(enum addr_source s); /* "none", "hardware", "retired", … */

#endif
