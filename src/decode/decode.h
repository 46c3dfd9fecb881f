/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes the data address of a timer sample from its instruction pointer and registers.
 *
 * A timer interrupt is taken between two instructions: after the one that delayed retirement, and
 * before the one at the saved ip. So the thread waited for the operand of the instruction before ip
 * (RETIRED). The address of this operand can be computed if the instruction keeps its address
 * registers, or changes the base register only by a known constant (push). A load into its own
 * address register, for example, overwrites the value that the address needs. Then the address is
 * lost, and only the fact that the thread waited is known. The sample gets the address of the next
 * access instead (NEXT): the first operand at or after ip whose address can be computed from the
 * registers at ip. The instructions between ip and the access may change a register only by a known
 * constant, or copy it.
 */
#ifndef MEMDB_DECODE_DECODE_H
#define MEMDB_DECODE_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* How a sample's data address was found. The values are the ids of the table `addr_sources`. */
enum addr_source {
	ADDR_NONE = 0,
	ADDR_HARDWARE = 1, /* the PMU has recorded it */
	/* computed: the operand of the instruction before ip, which the thread waited for */
	ADDR_RETIRED = 2,
	/* computed: the operand of an instruction that had not run yet (at or after ip), so the
	 * thread did not wait for it */
	ADDR_NEXT = 3,
	ADDR_FAULT = 5, /* address of a page fault; 4 is not used */
	/* the thread waited for an access whose address is lost. The sample has another address
	 * instead: that of the next execution of the same load. If another load accesses the same
	 * cache line first, the sample has the address of that other load */
	ADDR_AGAIN = 6,
	/* the thread waited for this access. Its address register was overwritten, but the code had
	 * copied that register before */
	ADDR_RECOVERED = 7,
	/* the thread waited for this access, the operand of an earlier instruction: the instruction
	 * before ip needed the loaded value, or retired together with that instruction */
	ADDR_EARLIER = 8,
	/* the thread waited for an access whose address is lost; only its object is known */
	ADDR_OBJECT = 9,
	/* the thread waited for an access whose address is lost. The sample's address is in the
	 * same array element or in the next one, but perhaps in a different member */
	ADDR_NEARBY = 10,
	ADDR_SOURCES
};

/* Why a sample has no data address. The values are the ids of the table `addr_reasons`. */
enum addr_reason {
	ADDR_OK = 0,
	ADDR_NO_OPERAND = 1, /* no memory operand comes from ip up to the next jump, call or return
			      * (at most 64 instructions) */
	/* the address registers of an operand were overwritten, by the accessing instruction itself
	 * or by an instruction between ip and that instruction */
	ADDR_CLOBBERED = 2,
	/* the code at ip is not available: its file is missing or was replaced, or the code is JIT
	 * code or in the vdso */
	ADDR_NO_CODE = 3,
	/* the address is relative to gs; or to fs (the thread pointer), in a string instruction or
	 * when fs is unknown */
	ADDR_SEGMENT = 4,
	ADDR_NO_REGISTERS = 5, /* the sample has no user registers, or the program has 32 bits */
	ADDR_KERNEL = 6,       /* ip is in the kernel */
	/* an instruction at ip, or after it but before the first memory operand, cannot be decoded;
	 * or ip is inside an instruction */
	ADDR_BAD_CODE = 7,
	ADDR_VECTOR = 8, /* a gather or scatter, which has many addresses, or an access of SVE */
	ADDR_NOT_SAMPLED = 9, /* the event has no address (a counter, a context switch) */
	/* the address is not a base plus an index plus a displacement (bt with a register, xlatb,
	 * ldraa), or the decoder does not know it */
	ADDR_OPAQUE = 10,
	ADDR_REASONS
};

/* What a thread does at an ip, as far as the code around the ip shows it. */
enum dec_work {
	WORK_UNKNOWN, /* it is uncertain which instruction ran before ip, or whether that
		       * instruction accessed memory */
	WORK_COMPUTE, /* the instruction before ip does not access memory; or, if it is uncertain
		       * which one ran, no instruction of the loop around ip does */
	WORK_ACCESS,  /* the instruction before ip accesses memory; recipe.waited is set */
	WORK_FENCE,   /* the instruction before ip is a fence */
	WORK_ATOMIC,  /* the instruction before ip is an atomic operation on memory */
	WORK_SPIN,    /* ip is in a loop that waits for another thread (work.h) */
	/* the instruction before ip is a system call. The CPU enters and leaves the kernel with
	 * interrupts disabled, so a timer that expires there takes its sample at ip */
	WORK_SYSTEM,
};

enum dec_arch { DEC_X86_64, DEC_AARCH64 };

/* Which part of the index register an AArch64 instruction uses: the entire register, or its lower
 * 32 bits, zero-extended (DEC_UXTW) or sign-extended (DEC_SXTW). */
enum dec_extend { DEC_WHOLE, DEC_UXTW, DEC_SXTW };

/* A formula for the data address of a sample, from the values that registers have at the sample's
 * ip. It contains no pointers, so it can be cached by ip. Registers are PERF_REG_* numbers of the
 * architecture (asm/perf_regs.h); -1 means none. disp includes what the instructions between ip and
 * the access add to the registers. */
struct dec_recipe {
	uint8_t source; /* a value of enum addr_source: RETIRED, NEXT or NONE */
	uint8_t reason; /* a value of enum addr_reason; set if source is NONE */
	/* the instruction before ip certainly accessed memory, so the thread waited for that
	 * access. Always true if source is RETIRED. If it is true and source is NEXT or NONE, the
	 * address of that access is lost */
	bool waited;
	bool load, store;
	/* an atomic access: the instruction has a lock prefix, or it is xchg, an LSE atomic or an
	 * exclusive access */
	bool lock;
	uint8_t bytes; /* size of the access; 0 means unknown (for example a masked access, or more
			* than 255 bytes) */
	int8_t base, index;
	/* factor of the index register: 1, 2, 4, 8 or 16; on AArch64 it is 1 << the shift */
	uint8_t scale;
	uint8_t extend;   /* a value of enum dec_extend, for the index */
	bool ip_relative; /* disp is relative to the ip of the sample */
	/* the result of dec_address() is relative to the thread pointer (fs), which the caller must
	 * add */
	bool thread_relative;
	/* the accessing instruction is a string instruction with rep. If it is interrupted, ip
	 * stays at it, and the registers point to what it accesses next */
	bool repeats;
	bool moves;   /* rep movs: the recipe is for the load; the store is to (rdi) */
	bool wraps32; /* the address is truncated to 32 bits (x86 address-size prefix) */
	uint8_t work; /* a value of enum dec_work */
	/* where the accessing instruction starts: bytes from ip, negative for RETIRED */
	int32_t insn_offset;
	int64_t disp;
};

struct decoder;

/* May the last bytes of code[0..len) be a call? On x86-64, where instructions have no fixed length,
 * these bytes may also belong to another instruction that looks like a call. */
bool decoder_ends_in_call(const struct decoder *d, const uint8_t *code, size_t len);

/* Is there, at the start of code[0..len), what libc lets signal handlers return to: the system call
 * rt_sigreturn? */
bool decoder_is_sigreturn(const struct decoder *d, const uint8_t *code, size_t len);

/* Opens a decoder in *out, which the caller frees with decoder_close(). It is not thread-safe.
 * Returns 0, MD_ENOMEM, or MD_ENOTSUP if Capstone does not know the architecture. */
int decoder_open(enum dec_arch arch, struct decoder **out, struct md_err *err);
void decoder_close(struct decoder *d); /* d may be NULL */

/*
 * Finds the recipe for a sample whose ip is at code[at]. With from_start, code[0..len) begins with
 * the function's first instruction. If it is not known where the function begins, from_start is
 * false and the code begins at ip; then the source is NEXT or NONE.
 *
 * The function is decoded forward from its start, so that the instruction before ip is known. The
 * result of that pass is cached by `key` (a number unique to the function; 0 means do not cache),
 * in at most 8 MiB for all functions. Never fails: out->reason says why there is no address.
 *
 * If an instruction has two memory operands (movs, push mem, call *mem), the loaded one is used.
 * The stack words of push, pop, call, ret and leave are operands too. Prefetches, cache flushes,
 * nops and lea have no operand.
 *
 * RETIRED is not used if it is uncertain which instruction ran before ip, or whether that
 * instruction accessed memory: at the first instruction, after a call, at the target of a jump in
 * the same function, in a function larger than 2 MiB, after bytes that do not decode, and after a
 * string instruction (rep may have run zero times). In a function with an indirect jump, any
 * instruction may be a target of this jump. So the jump may have run before ip, and not the
 * previous instruction. There, RETIRED is used only if the instruction at ip reads the flags that
 * the previous instruction sets (x86-64): no compiler lets a jump lead between those two.
 *
 * One call costs a lookup and the decoding of a few instructions. The first call for a key also
 * costs a pass over the function.
 */
void decoder_recipe(struct decoder *d, uint64_t key, const uint8_t *code, size_t len, size_t at,
		    bool from_start, struct dec_recipe *out);

/* Returns the address that recipe *r computes; r->source must not be NONE. If r->thread_relative is
 * set, the caller must add the thread pointer. regs has 64 entries, indexed by PERF_REG_*; `ip` is
 * the sample's ip. */
uint64_t dec_address(const struct dec_recipe *r, const uint64_t regs[64], uint64_t ip);

/* Returns the PERF_REG_* bits of the registers that a sample needs for this recipe. */
uint64_t dec_registers(const struct dec_recipe *r);

const char *addr_reason_name(enum addr_reason r); /* returns a name such as "no-operand" */
/* Returns a name such as "retired"; NULL if there is no such source. */
const char *addr_source_name(enum addr_source s);

enum { X86_CALL_BYTES = 5 }; /* length of a direct call of x86-64 */

/* If a direct call of x86-64 ends before code[end], sets *target to the called address and returns
 * true. `back` is the address of code[end], to which the call returns. */
bool x86_direct_call(const uint8_t *code, size_t end, uint64_t back, uint64_t *target);

#endif
